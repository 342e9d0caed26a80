### What customers are told about subscriptions.

subscriptions-plan-missing = Een van de abonnementen in de winkelwagen kan op dit moment niet worden besteld.

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
