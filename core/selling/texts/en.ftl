### Texts about carts and orders.

# The choice of an option that is on or off
cart-option-on = Yes
cart-option-off = No

checkout-vat-id-malformed = This is not a VAT identification number, such as DE136695976.
checkout-vat-id-invalid = This VAT identification number is not registered for trade within the European Union.

checkout-consent-missing = Please agree to this first: { $label }
checkout-consent-unknown = “{ $id }” is not a consent of this shop. Possible: { $allowed }.
checkout-consent-none = “{ $id }” is not a consent of this shop, and this order needs none. Leave `consents` out.
checkout-consent-outdated = “{ $label }” has a new version, { $version }. Please read it and agree again.

checkout-answer-unknown = Nobody has asked for “{ $id }”.

checkout-digital-waiver = I want digital content to be delivered at once, and I know that I lose my right of withdrawal with its delivery.

withdrawal-unknown-item = This order has no item { $item } that can be withdrawn.
withdrawal-repeated-item = Item { $item } is named twice. Name it once with all its units.
withdrawal-too-many = { $left ->
    [0] Nothing of “{ $label }” can be withdrawn any more.
    [1] Only 1 unit of “{ $label }” can be withdrawn; give a quantity of 1.
   *[other] Between 1 and { $left } units of “{ $label }” can be withdrawn.
}
withdrawal-already = You have already withdrawn from everything in this order that can be withdrawn.
withdrawal-nothing-left = Nothing in this order can be withdrawn.
withdrawal-no-order-number = Please enter an order number, such as O-000042.
withdrawal-refund-reason = Withdrawal { $number }
withdrawal-mail-held = It is delivered on { $date }, when you can no longer withdraw from the contract.
## Mails about orders

order-mails-expired = It was not paid in time. If you still want it, please order again.
order-mails-nothing-to-pay = Nothing is to be paid
order-mails-payment = { $method } ({ $status ->
    [paid] paid
   *[other] not paid yet
})
order-mails-shipping-title = Shipping
order-mails-shipping = We pack your goods and tell you by e-mail when they are on their way.
invoice-not-electronic = There is no electronic form of this document. The PDF has all that it says.
