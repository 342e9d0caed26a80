### What customers are told about digital secrets.

digital-secrets-sold-out = Er is niet genoeg meer van “{ $label }”.
digital-secrets-too-many = Per klant zijn hoogstens { $most } van “{ $label }” mogelijk.
