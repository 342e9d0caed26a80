### Texts about carts and orders.

# The choice of an option that is on or off
cart-option-on = Ja
cart-option-off = Nein

checkout-vat-id-malformed = Das ist keine Umsatzsteuer-Identifikationsnummer wie zum Beispiel DE123456789.
