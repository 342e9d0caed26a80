### What customers are told about entries.

guest-book-no-addresses = Please write your entry without web addresses.
