### What customers are told about tickets, and the words on them.

event-tickets-event-over = Die Veranstaltung zu „{ $label }“ ist vorbei.
event-tickets-not-on-sale = „{ $label }“ ist zurzeit nicht im Verkauf.
event-tickets-sold-out = { $left ->
    [0] „{ $label }“ ist ausverkauft.
    [1] Für „{ $label }“ ist nur noch eine Karte da.
   *[other] Für „{ $label }“ sind nur noch { $left } Karten da.
}
event-tickets-too-few-together = { $left ->
    [0] Für diese Karten ist kein Platz mehr frei.
    [1] Für diese Karten ist zusammen nur noch ein Platz frei.
   *[other] Für diese Karten sind zusammen nur noch { $left } Plätze frei.
}
event-tickets-seat-taken = Ein Platz, den Sie für „{ $label }“ gewählt haben, ist vergeben. Bitte wählen Sie einen anderen.
event-tickets-too-many = Eine Bestellung kann höchstens { $most } Karten von „{ $label }“ haben.
event-tickets-paper-ticket = Eintrittskarte
event-tickets-paper-when = Beginn
event-tickets-paper-venue = Ort
event-tickets-paper-kind = Art
event-tickets-paper-holder = Name
event-tickets-paper-seat = Platz
event-tickets-paper-number = Nummer
event-tickets-paper-void = Diese Karte ist ungültig.
event-tickets-paper-show = Zeigen Sie diesen Code am Eingang vor. Er gilt für eine Person und ein Mal.
event-tickets-paper-code = Der Code dieser Karte

# What the storefront shows.
event-tickets-panel-title = Tickets
event-tickets-panel-code = Code des Tickets { $number }
event-tickets-panel-print = Ticket drucken
event-tickets-panel-checked_in = Benutzt
event-tickets-panel-void = Ungültig
event-tickets-panel-event = Veranstaltung
event-tickets-panel-when = Wann
event-tickets-panel-where = Wo
event-tickets-panel-left = Freie Plätze
## The mail about what was paid

event-tickets-mail-attached = Ihre Tickets liegen als PDF bei. Zeigen Sie sie am Einlass, auf Papier oder auf dem Telefon.
event-tickets-mail-more = Alle Ihre Tickets finden Sie bei Ihrer Bestellung. Zeigen Sie sie am Einlass, auf Papier oder auf dem Telefon.
