### What customers are told about services.

services-provider-missing = Een van de diensten in uw winkelwagen kan op dit moment niet worden geleverd.
services-sold-out = { $left ->
    [0] “{ $product }” is op dit moment niet beschikbaar.
    [1] Er is op dit moment maar één “{ $product }” beschikbaar.
   *[other] Er zijn op dit moment maar { $left } van “{ $product }” beschikbaar.
}

# What the storefront shows.
services-panel-title = Diensten
services-panel-plan = Pakket: { $plan }
services-panel-pending = Wordt ingericht
services-panel-provisioning = Wordt ingericht
services-panel-active = Actief
services-panel-suspended = Opgeschort
services-panel-terminated = Beëindigd
services-panel-failed = Kon niet worden ingericht
## The mail about what was paid

services-mail = Wij richten dit voor u in. Zodra het klaar is, vindt u bij uw bestelling hoe u het gebruikt.
