### What customers are told about entries.

guest-book-no-addresses = Schrijf uw bericht zonder webadressen.
guest-book-title = Berichten
guest-book-text = Een nieuw bericht
guest-book-write = Schrijven
