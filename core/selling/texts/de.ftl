### Texts about carts and orders.

# The choice of an option that is on or off
cart-option-on = Ja
cart-option-off = Nein
