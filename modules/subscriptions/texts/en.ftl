### What customers are told about subscriptions.

subscriptions-plan-missing = One of the subscriptions in the cart cannot be ordered at the moment.
