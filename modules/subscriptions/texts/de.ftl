### What customers are told about subscriptions.

subscriptions-plan-missing = Eines der Abonnements im Warenkorb kann derzeit nicht bestellt werden.
