### What customers are told about entries.

guest-book-no-addresses = Bitte schreiben Sie Ihren Eintrag ohne Webadressen.
