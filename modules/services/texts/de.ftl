### What customers are told about services.

services-provider-missing = Eine der Dienstleistungen in Ihrem Warenkorb kann zurzeit nicht bereitgestellt werden.
services-sold-out = Für so viele Einheiten von { $product } ist zurzeit kein Platz.
