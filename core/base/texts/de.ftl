### What every shop says: refusals, rules of fields, days and rates. German, with the polite form of address.

## What the API says instead of doing what it was asked to

error-unauthenticated = Bitte melden Sie sich an oder senden Sie ein gültiges Zugriffstoken als „Authorization: Bearer TOKEN“.
error-unauthorized = Sie sind dazu nicht berechtigt.
error-insufficient-scope = Ihrem Zugriffstoken fehlt die Berechtigung „{ $ability }“, die für diese Anfrage nötig ist.
error-ip-not-allowed = Ihr Zugriffstoken kann von dieser Netzwerkadresse aus nicht verwendet werden.
error-unmapped-api-route = Diese Adresse ist über die API nicht erreichbar, weil ihr keine Berechtigung zugeordnet ist.
error-not-found = Das Gesuchte konnten wir nicht finden.
error-method-not-allowed = Diese Adresse unterstützt die verwendete Anfragemethode nicht.
error-invalid-state = Das ist im aktuellen Zustand nicht möglich. Bitte laden Sie neu und versuchen Sie es noch einmal.
error-validation-error = Bitte prüfen Sie Ihre Angaben: Einige davon fehlen oder sind ungültig.
error-payment-failed = Die Zahlung konnte nicht gestartet werden. Bitte versuchen Sie es noch einmal oder wählen Sie eine andere Zahlungsart.
error-rate-limited = Sie haben zu viele Anfragen gesendet. Bitte versuchen Sie es in { $seconds ->
    [one] einer Sekunde
   *[other] { $seconds } Sekunden
} noch einmal.
error-payload-too-large = Die Anfrage ist zu groß. Bitte senden Sie weniger Daten auf einmal.
error-unsupported-media-type = Bitte senden Sie die Daten als JSON, unkomprimiert und mit dem Header „Content-Type: application/json“.
error-bad-request = Die Anfrage ist beschädigt oder unvollständig. Bitte senden Sie sie noch einmal.
error-request-timeout = Die Anfrage kam nicht rechtzeitig an. Bitte senden Sie sie noch einmal.
error-uri-too-long = Die Adresse der Anfrage ist zu lang.
error-header-fields-too-large = Die Anfrage hat zu viele oder zu lange Kopfzeilen.
error-transfer-coding-unknown = Der Inhalt der Anfrage ist auf eine Weise kodiert, die nicht unterstützt wird. Bitte senden Sie ihn ohne Transferkodierung oder in Blöcken.
error-server-error = Bei uns ist etwas schiefgegangen. Bitte versuchen Sie es später noch einmal.
error-malformed-json = Der Inhalt der Anfrage ist kein gültiges JSON: Der Fehler steht in Zeile { $line }, Spalte { $column }.
error-nesting-too-deep = Das JSON ist zu tief verschachtelt: Höchstens { $max } Ebenen sind erlaubt.
error-body-not-object = Der Inhalt der Anfrage muss ein JSON-Objekt sein.
error-csrf-token-mismatch = Die Kopfzeile X-XSRF-TOKEN muss das Cookie XSRF-TOKEN wiederholen, das GET /session/csrf setzt.
error-foreign-origin = Das ist nur von Seiten dieses Shops aus möglich. Gehört die Seite dazu, muss ihre Adresse in `server.base_url` oder `server.allowed_origins` stehen.
error-invalid-credentials = Die E-Mail-Adresse oder das Passwort ist nicht richtig.
error-invalid-link = Dieser Link ist nicht mehr gültig. Bitte fordern Sie einen neuen an.
error-insufficient-stock = { $left ->
    [0] „{ $product }“ ist ausverkauft.
    [1] Von „{ $product }“ ist nur noch eins da.
   *[other] Von „{ $product }“ sind nur noch { $left } da.
}
error-cart-empty = Ihr Warenkorb ist leer. Bitte legen Sie zuerst ein Produkt hinein.
error-too-many-cart-lines = In Ihrem Warenkorb liegen { $max } verschiedene Produkte, mehr passen nicht hinein. Bitte entfernen Sie zuerst eines.
error-total-changed = Der Gesamtbetrag hat sich inzwischen geändert. Bitte prüfen Sie den neuen Betrag und bestätigen Sie Ihre Bestellung noch einmal.
error-already-paid = Diese Bestellung ist bereits bezahlt.
error-idempotency-key-reused = Dieser Idempotenzschlüssel wurde bereits für eine andere Anfrage verwendet. Bitte verwenden Sie einen neuen.
error-line-unavailable = Der Artikel „{ $product }“ ist nicht mehr erhältlich. Bitte entfernen Sie ihn aus dem Warenkorb.
error-total-too-large = Die Summe ist höher, als wir sie berechnen können. Bitte bestellen Sie weniger auf einmal.
error-order-cancelled = Diese Bestellung wurde storniert.
error-payment-processing = Eine Zahlung für diese Bestellung ist bereits unterwegs.
error-too-many-addresses = Sie haben { $max } Adressen gespeichert, mehr sind nicht möglich. Bitte löschen Sie eine, die Sie nicht mehr brauchen.

## Rules that a field of the input breaks

field-required = Bitte füllen Sie das Feld „{ $field }“ aus.
field-string = Das Feld „{ $field }“ muss ein Text sein.
field-integer = Das Feld „{ $field }“ muss eine ganze Zahl sein.
field-number = Das Feld „{ $field }“ muss eine Zahl sein.
field-price = Das Feld „{ $field }“ muss ein Preis wie „{ $example }“ sein, ohne Währung und ohne Tausendertrennzeichen.
field-boolean = Das Feld „{ $field }“ muss „true“ oder „false“ sein.
field-array = Das Feld „{ $field }“ muss eine Liste sein.
field-object = Das Feld „{ $field }“ muss ein JSON-Objekt sein.
field-min-length = Das Feld „{ $field }“ muss mindestens { $min } Zeichen lang sein.
field-max-length = Das Feld „{ $field }“ darf höchstens { $max } Zeichen lang sein.
field-exact-length = Das Feld „{ $field }“ muss genau { $length } Zeichen lang sein.
field-min-items = Das Feld „{ $field }“ muss mindestens { $min ->
    [one] einen Eintrag
   *[other] { $min } Einträge
} enthalten.
field-max-items = Das Feld „{ $field }“ darf höchstens { $max ->
    [one] einen Eintrag
   *[other] { $max } Einträge
} enthalten.
field-min-value = Das Feld „{ $field }“ muss mindestens { $min } sein.
field-max-value = Das Feld „{ $field }“ darf höchstens { $max } sein.
field-between = Das Feld „{ $field }“ muss zwischen { $min } und { $max } liegen.
field-number-out-of-range = Die Zahl im Feld „{ $field }“ ist zu groß oder zu klein.
field-email = Das Feld „{ $field }“ muss eine gültige E-Mail-Adresse sein.
field-url = Das Feld „{ $field }“ muss eine vollständige Webadresse sein, die mit http:// oder https:// beginnt.
field-date-time = Das Feld „{ $field }“ muss Datum und Uhrzeit enthalten, zum Beispiel „2026-01-31T12:00:00Z“.
field-one-of = Das Feld „{ $field }“ muss einen dieser Werte haben: { $allowed }.
field-control-characters = Das Feld „{ $field }“ darf keine Steuerzeichen enthalten.
field-duplicate-key = Das Feld „{ $field }“ darf nur einmal vorkommen.
field-unknown-ability = Das Feld „{ $field }“ nennt die Berechtigung „{ $ability }“, die es nicht gibt.
field-unknown-country = Das Feld „{ $field }“ muss der zweibuchstabige Code eines Landes sein, das dieser Shop unterstützt.
field-taken = Das Feld „{ $field }“ hat einen Wert, der schon vergeben ist.
field-guessable-password = Das Feld „{ $field }“ ist zu leicht zu erraten: Bitte wählen Sie weder ein häufiges Passwort noch Ihre E-Mail-Adresse oder den Namen dieses Shops.
field-foreign-page = Das Feld „{ $field }“ muss die Adresse einer Seite dieses Shops oder einer zugehörigen Website sein: aus `server.base_url` oder `server.allowed_origins`.
field-ambiguous = Das Feld „{ $field }“ ist zweimal angegeben, mit verschiedenen Werten.
field-exclusive = Bitte geben Sie entweder „{ $field }“ oder „{ $other }“ an, nicht beides.
field-unknown-id = Das Feld „{ $field }“ bezeichnet nichts, was Ihnen gehört.
field-not-delivered = Das Feld „{ $field }“ nennt ein Land, in das wir nicht liefern.
field-no-way-to-pay = Für das Feld „{ $field }“ gibt es keinen Wert: Dieser Shop nimmt zurzeit keine Zahlungen an.
field-unavailable-product = Das Feld „{ $field }“ muss die Nummer eines Produkts enthalten, das jetzt gekauft werden kann.
field-unknown-option = Das Feld „{ $field }“ ist keine Option dieses Produkts.
field-too-many-in-cart = Das Feld „{ $field }“ ist zu hoch: Ein Warenkorb fasst höchstens { $max } Stück desselben Produkts.
field-unsupported-currency = Das Feld „{ $field }“ muss „{ $supported }“ sein, die Währung dieses Shops.
field-discount-unknown = Das Feld „{ $field }“ muss ein Rabattcode sein, den dieser Shop vergibt.
field-discount-not-yet = Der Rabattcode im Feld „{ $field }“ gilt noch nicht.
field-discount-over = Der Rabattcode im Feld „{ $field }“ gilt nicht mehr.
field-discount-below-minimum = Der Rabattcode im Feld „{ $field }“ gilt für Bestellungen ab { $minimum } vor Rabatt und Versand.
field-discount-used-up = Der Rabattcode im Feld „{ $field }“ wurde schon so oft benutzt, wie es möglich ist.
field-discount-used-up-by-customer = Sie haben den Rabattcode im Feld „{ $field }“ schon so oft benutzt, wie es Ihnen möglich ist.

## Pieces

# Around each of several values
quoted = „{ $text }“
# A day with the name of its month
long-date = { $day }. { $month ->
    [1] Januar
    [2] Februar
    [3] März
    [4] April
    [5] Mai
    [6] Juni
    [7] Juli
    [8] August
    [9] September
    [10] Oktober
    [11] November
   *[12] Dezember
} { $year }
# A rate of 21 %, and one of 5.5 %
percentage-whole = { $whole }{"\u00A0"}%
percentage = { $whole },{ $decimals }{"\u00A0"}%
