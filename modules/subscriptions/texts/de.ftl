### What customers are told about subscriptions.

subscriptions-plan-missing = Eines der Abonnements im Warenkorb kann derzeit nicht bestellt werden.

subscriptions-not-begun = Es beginnt, wenn die Bestellung bezahlt ist. Stornieren Sie stattdessen die Bestellung.
subscriptions-over = Es ist bereits beendet.
subscriptions-not-cancelled = Es ist nicht gekündigt.

# What the storefront shows.
subscriptions-panel-cancel = Abonnement kündigen
subscriptions-panel-keep = Kündigung zurücknehmen
subscriptions-panel-title = Abonnements
subscriptions-panel-next = Nächste Zahlung am { $day }
subscriptions-panel-ends = Endet am { $day }
subscriptions-panel-trial = { $days } Tage zur Probe, dann { $amount }
subscriptions-panel-pending = Beginnt mit der Zahlung
subscriptions-panel-active = Aktiv
subscriptions-panel-past_due = Zahlung fällig
subscriptions-panel-cancelled = Gekündigt
subscriptions-panel-ended = Beendet
subscriptions-panel-every-day = { $count ->
    [one] jeden Tag
   *[other] alle { $count } Tage
}
subscriptions-panel-every-week = { $count ->
    [one] jede Woche
   *[other] alle { $count } Wochen
}
subscriptions-panel-every-month = { $count ->
    [one] jeden Monat
   *[other] alle { $count } Monate
}
subscriptions-panel-every-year = { $count ->
    [one] jedes Jahr
   *[other] alle { $count } Jahre
}
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
