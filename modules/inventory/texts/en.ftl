### What customers are told about stock.

inventory-mail = This is not in stock at the moment. We send it as soon as we have it.
