### Texts about carts and orders.

# The choice of an option that is on or off
cart-option-on = Yes
cart-option-off = No

checkout-vat-id-malformed = This is not a VAT identification number, such as DE136695976.
checkout-vat-id-invalid = This VAT identification number is not registered for trade within the European Union.

checkout-consent-missing = Please agree to this first: { $label }
checkout-consent-unknown = “{ $id }” is not a consent of this shop. Possible: { $allowed }.
checkout-consent-outdated = “{ $label }” has a new version, { $version }. Please read it and agree again.

checkout-answer-unknown = Nobody has asked for “{ $id }”.

invoice-not-electronic = There is no electronic form of this document. The PDF has all that it says.
