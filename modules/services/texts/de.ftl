### What customers are told about services.

services-provider-missing = Eine der Dienstleistungen in Ihrem Warenkorb kann zurzeit nicht bereitgestellt werden.
services-sold-out = { $left ->
    [0] „{ $product }“ ist zurzeit nicht zu haben.
    [1] Von „{ $product }“ ist zurzeit nur eine Einheit zu haben.
   *[other] Von „{ $product }“ sind zurzeit nur { $left } Einheiten zu haben.
}

# What the storefront shows.
services-panel-title = Dienste
services-panel-plan = Tarif: { $plan }
services-panel-pending = Wird eingerichtet
services-panel-provisioning = Wird eingerichtet
services-panel-active = Aktiv
services-panel-suspended = Ausgesetzt
services-panel-terminated = Beendet
services-panel-failed = Konnte nicht eingerichtet werden
## The mail about what was paid

services-mail = Wir richten das für Sie ein. Sobald es bereit ist, finden Sie bei Ihrer Bestellung, wie Sie es nutzen.
