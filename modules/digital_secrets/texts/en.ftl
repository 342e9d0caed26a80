### What customers are told about digital secrets.

digital-secrets-sold-out = { $left ->
    [0] “{ $label }” is sold out.
    [1] Only one “{ $label }” is left.
   *[other] Only { $left } of “{ $label }” are left.
}
digital-secrets-too-many = One customer can have { $most } of “{ $label }” at most.

# What the storefront shows.
digital-secrets-panel-title = Keys and codes
digital-secrets-panel-soon = On its way
digital-secrets-panel-delivery = You get the key as soon as you have paid.
## The mail about what was paid

digital-secrets-mail-page = Show what you have bought
digital-secrets-mail-account = Log in to see what you have bought.
