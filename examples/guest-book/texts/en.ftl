### What customers are told about entries.

guest-book-no-addresses = Please write your entry without web addresses.
guest-book-title = Entries
guest-book-text = A new entry
guest-book-write = Write
