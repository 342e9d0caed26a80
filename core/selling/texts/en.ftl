### Texts about carts and orders.

# The choice of an option that is on or off
cart-option-on = Yes
cart-option-off = No

checkout-vat-id-malformed = This is not a VAT identification number, such as DE123456789.
