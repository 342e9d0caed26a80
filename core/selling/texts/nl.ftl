### Texts about carts and orders.

# The choice of an option that is on or off
cart-option-on = Ja
cart-option-off = Nee

checkout-vat-id-malformed = Dit is geen btw-identificatienummer, zoals NL123456789B01.
