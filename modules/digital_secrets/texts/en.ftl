### What customers are told about digital secrets.

digital-secrets-sold-out = There are not enough of “{ $label }” left.
digital-secrets-too-many = One customer can have { $most } of “{ $label }” at most.
