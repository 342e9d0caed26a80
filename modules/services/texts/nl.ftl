### What customers are told about services.

services-provider-missing = Een van de diensten in uw winkelwagen kan op dit moment niet worden geleverd.
services-sold-out = Voor zoveel exemplaren van { $product } is op dit moment geen plaats.

## The mail about what was paid

services-mail = Wij richten dit voor u in. Zodra het klaar is, vindt u bij uw bestelling hoe u het gebruikt.
