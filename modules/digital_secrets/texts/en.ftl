### What customers are told about digital secrets.

digital-secrets-sold-out = There are not enough of “{ $label }” left.
digital-secrets-too-many = One customer can have { $most } of “{ $label }” at most.

## The mail about what was paid

digital-secrets-mail-page = What you have bought is shown on the page of your order.
digital-secrets-mail-account = Log in to see what you have bought.
