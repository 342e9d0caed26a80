### What customers are told about digital secrets.

digital-secrets-sold-out = Von „{ $label }“ ist nicht mehr genug da.
digital-secrets-too-many = Von „{ $label }“ sind höchstens { $most } je Kundin oder Kunde möglich.
