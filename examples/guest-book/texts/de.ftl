### What customers are told about entries.

guest-book-no-addresses = Bitte schreiben Sie Ihren Eintrag ohne Webadressen.
guest-book-title = Einträge
guest-book-text = Ein neuer Eintrag
guest-book-write = Schreiben
