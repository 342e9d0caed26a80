### What customers are told about digital secrets.

digital-secrets-sold-out = { $left ->
    [0] “{ $label }” is uitverkocht.
    [1] Er is nog maar één “{ $label }”.
   *[other] Er zijn nog maar { $left } van “{ $label }”.
}
digital-secrets-too-many = Per klant zijn hoogstens { $most } van “{ $label }” mogelijk.

# What the storefront shows.
digital-secrets-panel-title = Sleutels en codes
digital-secrets-panel-soon = Onderweg
digital-secrets-panel-delivery = U krijgt de sleutel zodra u hebt betaald.
## The mail about what was paid

digital-secrets-mail-page = Toon wat u hebt gekocht
digital-secrets-mail-account = Log in om te zien wat u hebt gekocht.
