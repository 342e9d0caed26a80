### What customers are told about subscriptions.

subscriptions-plan-missing = Een van de abonnementen in de winkelwagen kan op dit moment niet worden besteld.

subscriptions-not-begun = Het begint als de bestelling betaald is. Annuleer in plaats daarvan de bestelling.
subscriptions-over = Het is al voorbij.
subscriptions-not-cancelled = Het is niet opgezegd.

# What the storefront shows.
subscriptions-panel-cancel = Abonnement opzeggen
subscriptions-panel-keep = Abonnement houden
subscriptions-panel-title = Abonnementen
subscriptions-panel-next = Volgende betaling op { $day }
subscriptions-panel-ends = Eindigt op { $day }
subscriptions-panel-trial = { $days } dagen op proef, daarna { $amount }
subscriptions-panel-pending = Begint met de betaling
subscriptions-panel-active = Actief
subscriptions-panel-past_due = Betaling verschuldigd
subscriptions-panel-cancelled = Opgezegd
subscriptions-panel-ended = Beëindigd
subscriptions-panel-every-day = { $count ->
    [one] elke dag
   *[other] elke { $count } dagen
}
subscriptions-panel-every-week = { $count ->
    [one] elke week
   *[other] elke { $count } weken
}
subscriptions-panel-every-month = { $count ->
    [one] elke maand
   *[other] elke { $count } maanden
}
subscriptions-panel-every-year = { $count ->
    [one] elk jaar
   *[other] elke { $count } jaar
}
## The mail about what was paid

subscriptions-mail = Uw abonnement wordt { $count ->
    [one] { $interval ->
        [day] elke dag
        [week] elke week
        [month] elke maand
       *[year] elk jaar
    }
   *[other] elke { $number } { $interval ->
        [day] dagen
        [week] weken
        [month] maanden
       *[year] jaar
    }
} opnieuw in rekening gebracht. U kunt op elk moment opzeggen; het eindigt dan met de betaalde periode.
subscriptions-mail-trial = De eerste { $days } dagen kosten niets.
