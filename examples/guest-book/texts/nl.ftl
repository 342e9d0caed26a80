### What customers are told about entries.

guest-book-no-addresses = Schrijf uw bericht zonder webadressen.
