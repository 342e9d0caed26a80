### What customers are told about subscriptions.

subscriptions-plan-missing = Een van de abonnementen in de winkelwagen kan op dit moment niet worden besteld.
