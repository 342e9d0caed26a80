### What customers are told about digital secrets.

digital-secrets-sold-out = { $left ->
    [0] „{ $label }“ ist ausverkauft.
    [1] Von „{ $label }“ ist nur noch eins da.
   *[other] Von „{ $label }“ sind nur noch { $left } da.
}
digital-secrets-too-many = Von „{ $label }“ sind höchstens { $most } je Kundin oder Kunde möglich.

# What the storefront shows.
digital-secrets-panel-title = Schlüssel und Codes
digital-secrets-panel-soon = Unterwegs
digital-secrets-panel-delivery = Sie erhalten den Schlüssel, sobald Sie bezahlt haben.
## The mail about what was paid

digital-secrets-mail-page = Zeigen, was Sie gekauft haben
digital-secrets-mail-account = Melden Sie sich an, um zu sehen, was Sie gekauft haben.
