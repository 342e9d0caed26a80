### Texts about carts and orders.

# The choice of an option that is on or off
cart-option-on = Ja
cart-option-off = Nein

checkout-vat-id-malformed = Das ist keine Umsatzsteuer-Identifikationsnummer wie zum Beispiel DE136695976.
checkout-vat-id-invalid = Diese Umsatzsteuer-Identifikationsnummer ist nicht für den Handel in der Europäischen Union registriert.

checkout-consent-missing = Bitte stimmen Sie zuerst zu: { $label }
checkout-consent-unknown = „{ $id }“ ist keine Zustimmung, nach der dieser Shop fragt. Möglich: { $allowed }.
checkout-consent-outdated = Von „{ $label }“ gibt es eine neue Fassung, { $version }. Bitte lesen Sie sie und stimmen Sie erneut zu.

checkout-answer-unknown = Nach „{ $id }“ wird nicht gefragt.

invoice-not-electronic = Von diesem Dokument gibt es keine elektronische Form. Im PDF steht alles, was es sagt.
