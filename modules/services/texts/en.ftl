### What customers are told about services.

services-provider-missing = One of the services in your cart cannot be provided at the moment.
services-sold-out = There is no room for this many of { $product } at the moment.
