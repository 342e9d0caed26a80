### What every shop says: refusals, rules of fields, days and rates. English.

## What the API says instead of doing what it was asked to

error-unauthenticated = Please log in, or send a valid access token as “Authorization: Bearer TOKEN”.
error-unauthorized = You are not allowed to do this.
error-insufficient-scope = Your access token does not include the ability “{ $ability }”, which this request needs.
error-ip-not-allowed = Your access token cannot be used from this network address.
error-unmapped-api-route = This address is not available through the API because no ability is assigned to it.
error-not-found = We could not find what you asked for.
error-method-not-allowed = This address does not support the request method that was used.
error-invalid-state = This is not possible in the current state. Please reload and try again.
error-validation-error = Please check the data you sent: some of it is missing or not valid.
error-payment-failed = The payment could not be started. Please try again or choose another payment method.
error-rate-limited = You have sent too many requests. Please try again in { $seconds ->
    [one] 1 second
   *[other] { $seconds } seconds
}.
error-payload-too-large = The request is too large. Please send less data at once.
error-unsupported-media-type = Please send the data as JSON, uncompressed and with the header “Content-Type: application/json”.
error-bad-request = The request is damaged or incomplete. Please send it again.
error-request-timeout = The request took too long to arrive. Please send it again.
error-uri-too-long = The address of the request is too long.
error-header-fields-too-large = The request has too many headers, or headers that are too long.
error-transfer-coding-unknown = The body of the request is encoded in a way that is not supported. Please send it without a transfer coding, or in chunks.
error-server-error = Something went wrong on our side. Please try again later.
error-malformed-json = The request body is not valid JSON: the error is in line { $line }, column { $column }.
error-nesting-too-deep = The JSON is nested too deeply: at most { $max } levels are allowed.
error-body-not-object = The request body must be a JSON object.
error-csrf-token-mismatch = The header X-XSRF-TOKEN must repeat the cookie XSRF-TOKEN, which GET /session/csrf sets.
error-foreign-origin = Only pages of this shop may do this. If the page that asks is one of yours, name its address in `server.base_url` or `server.allowed_origins`.
error-invalid-credentials = The e-mail address or the password is not correct.
error-invalid-link = This link is not valid any more. Please ask for a new one.
error-insufficient-stock = { $left ->
    [0] “{ $product }” is sold out.
    [1] Only one “{ $product }” is left.
   *[other] Only { $left } of “{ $product }” are left.
}
error-cart-empty = Your cart is empty. Please add a product first.
error-too-many-cart-lines = Your cart holds { $max } different items, and there is no room for more. Please remove one first.
error-total-changed = The total has changed in the meantime. Please check the new total and confirm your order again.
error-already-paid = This order has already been paid.
error-idempotency-key-reused = This idempotency key has already been used for another request. Please use a new one.
error-line-unavailable = The product “{ $product }” is not available any more. Please remove it from your cart.
error-total-too-large = The total is larger than we can charge. Please order less at once.
error-order-cancelled = This order was cancelled.
error-payment-processing = A payment for this order is already on its way.
error-too-many-addresses = You have saved { $max } addresses, and there is no room for more. Please delete one that you no longer need.

## Rules that a field of the input breaks

field-required = The field “{ $field }” is required.
field-string = The field “{ $field }” must be a text.
field-integer = The field “{ $field }” must be a whole number.
field-number = The field “{ $field }” must be a number.
field-price = The field “{ $field }” must be a price such as “{ $example }”, without a currency and without separators for thousands.
field-boolean = The field “{ $field }” must be “true” or “false”.
field-array = The field “{ $field }” must be a list.
field-object = The field “{ $field }” must be a JSON object.
field-min-length = The field “{ $field }” must be at least { $min ->
    [one] 1 character
   *[other] { $min } characters
} long.
field-max-length = The field “{ $field }” must not be longer than { $max ->
    [one] 1 character
   *[other] { $max } characters
}.
field-exact-length = The field “{ $field }” must be exactly { $length ->
    [one] 1 character
   *[other] { $length } characters
} long.
field-min-items = The field “{ $field }” must contain at least { $min ->
    [one] 1 item
   *[other] { $min } items
}.
field-max-items = The field “{ $field }” must not contain more than { $max ->
    [one] 1 item
   *[other] { $max } items
}.
field-min-value = The field “{ $field }” must be at least { $min }.
field-max-value = The field “{ $field }” must be at most { $max }.
field-between = The field “{ $field }” must be between { $min } and { $max }.
field-number-out-of-range = The number in the field “{ $field }” is too large or too small.
field-email = The field “{ $field }” must be a valid e-mail address.
field-url = The field “{ $field }” must be a complete web address that starts with http:// or https://.
field-date-time = The field “{ $field }” must be a date and time such as “2026-01-31T12:00:00Z”.
field-one-of = The field “{ $field }” must have one of these values: { $allowed }.
field-control-characters = The field “{ $field }” must not contain control characters.
field-duplicate-key = The field “{ $field }” must not appear more than once.
field-unknown-ability = The field “{ $field }” names the ability “{ $ability }”, which does not exist.
field-unknown-country = The field “{ $field }” must be the two-letter code of a country that this shop supports.
field-taken = The field “{ $field }” has a value that is already in use.
field-guessable-password = The field “{ $field }” is too easy to guess: please choose something other than a common password, your e-mail address or the name of this shop.
field-foreign-page = The field “{ $field }” must be the address of a page of this shop, or of a website that belongs to it: of `server.base_url` or one of `server.allowed_origins`.
field-ambiguous = The field “{ $field }” is given twice, with different values.
field-exclusive = Please give either “{ $field }” or “{ $other }”, not both.
field-unknown-id = The field “{ $field }” names nothing that belongs to you.
field-not-delivered = The field “{ $field }” names a country that we do not deliver to.
field-no-way-to-pay = The field “{ $field }” has no possible value: this shop takes no payments now.
field-unavailable-product = The field “{ $field }” must be the id of a product that can be bought now.
field-unknown-option = The field “{ $field }” is no option of this product.
field-too-many-in-cart = The field “{ $field }” is too high: a cart holds at most { $max } of the same product.
field-unsupported-currency = The field “{ $field }” must be “{ $supported }”, the currency of this shop.
field-discount-unknown = The field “{ $field }” must be a discount code that this shop gives.
field-discount-not-yet = The discount code in the field “{ $field }” is not valid yet.
field-discount-over = The discount code in the field “{ $field }” is no longer valid.
field-discount-below-minimum = The discount code in the field “{ $field }” is for orders of { $minimum } or more, before discount and shipping.
field-discount-used-up = The discount code in the field “{ $field }” has been used as often as it can be.
field-discount-used-up-by-customer = You have already used the discount code in the field “{ $field }” as often as you can.

## Pieces

# Around each of several values
quoted = “{ $text }”
# A day with the name of its month
long-date = { $day } { $month ->
    [1] January
    [2] February
    [3] March
    [4] April
    [5] May
    [6] June
    [7] July
    [8] August
    [9] September
    [10] October
    [11] November
   *[12] December
} { $year }
# A rate of 21 %, and one of 5.5 %
percentage-whole = { $whole }%
percentage = { $whole }.{ $decimals }%
