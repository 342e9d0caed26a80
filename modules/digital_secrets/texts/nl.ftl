### What customers are told about digital secrets.

digital-secrets-sold-out = Er is niet genoeg meer van “{ $label }”.
digital-secrets-too-many = Per klant zijn hoogstens { $most } van “{ $label }” mogelijk.

# What the storefront shows.
digital-secrets-panel-title = Sleutels en codes
digital-secrets-panel-soon = Onderweg
digital-secrets-panel-delivery = U krijgt de sleutel zodra u hebt betaald.
