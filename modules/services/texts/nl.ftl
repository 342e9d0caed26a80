### What customers are told about services.

services-provider-missing = Een van de diensten in uw winkelwagen kan op dit moment niet worden geleverd.
services-sold-out = Voor zoveel exemplaren van { $product } is op dit moment geen plaats.
