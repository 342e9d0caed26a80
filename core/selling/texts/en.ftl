### Texts about carts and orders.

# The choice of an option that is on or off
cart-option-on = Yes
cart-option-off = No

checkout-vat-id-malformed = This is not a VAT identification number, such as DE123456789.

checkout-consent-missing = Please agree to this first: { $label }
checkout-consent-unknown = “{ $id }” is not a consent of this shop. Possible: { $allowed }.
checkout-consent-outdated = “{ $label }” has a new version, { $version }. Please read it and agree again.

checkout-answer-unknown = Nobody has asked for “{ $id }”.

## Mails about orders

order-mails-expired = It was not paid in time. If you still want it, please order again.
order-mails-nothing-to-pay = Nothing is to be paid
order-mails-payment = { $method } ({ $status ->
    [paid] paid
   *[other] not paid yet
})
order-mails-shipping-title = Shipping
order-mails-shipping = We pack your goods and tell you by e-mail when they are on their way.
