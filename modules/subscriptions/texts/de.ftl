### What customers are told about subscriptions.

subscriptions-plan-missing = Eines der Abonnements im Warenkorb kann derzeit nicht bestellt werden.

## The mail about what was paid

subscriptions-mail = Ihr Abonnement wird { $count ->
    [one] { $interval ->
        [day] jeden Tag
        [week] jede Woche
        [month] jeden Monat
       *[year] jedes Jahr
    }
   *[other] alle { $number } { $interval ->
        [day] Tage
        [week] Wochen
        [month] Monate
       *[year] Jahre
    }
} erneut berechnet. Sie können jederzeit kündigen; es endet dann mit dem bezahlten Zeitraum.
subscriptions-mail-trial = Die ersten { $days } Tage kosten nichts.
