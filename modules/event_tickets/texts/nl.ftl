### What customers are told about tickets, and the words on them.

event-tickets-event-over = Het evenement van “{ $label }” is voorbij.
event-tickets-not-on-sale = “{ $label }” is nu niet te koop.
event-tickets-sold-out = { $left ->
    [0] “{ $label }” is uitverkocht.
    [1] Er is nog maar één kaart voor “{ $label }”.
   *[other] Er zijn nog maar { $left } kaarten voor “{ $label }”.
}
event-tickets-too-few-together = { $left ->
    [0] Er zijn geen plaatsen meer voor deze kaarten.
    [1] Er is samen nog maar één plaats voor deze kaarten.
   *[other] Er zijn samen nog maar { $left } plaatsen voor deze kaarten.
}
event-tickets-seat-taken = Een plaats die u voor “{ $label }” hebt gekozen, is bezet. Kies een andere.
event-tickets-too-many = Een bestelling kan hoogstens { $most } kaarten voor “{ $label }” hebben.
event-tickets-paper-ticket = Toegangsbewijs
event-tickets-paper-when = Aanvang
event-tickets-paper-venue = Locatie
event-tickets-paper-kind = Soort
event-tickets-paper-holder = Naam
event-tickets-paper-seat = Plaats
event-tickets-paper-number = Nummer
event-tickets-paper-void = Dit toegangsbewijs is ongeldig.
event-tickets-paper-show = Toon deze code bij de ingang. Hij geldt voor één persoon en één keer.
event-tickets-paper-code = De code van dit toegangsbewijs

# What the storefront shows.
event-tickets-panel-title = Tickets
event-tickets-panel-code = Code van het ticket { $number }
event-tickets-panel-print = Ticket afdrukken
event-tickets-panel-checked_in = Gebruikt
event-tickets-panel-void = Ongeldig
event-tickets-panel-event = Evenement
event-tickets-panel-when = Wanneer
event-tickets-panel-where = Waar
event-tickets-panel-left = Vrije plaatsen
## The mail about what was paid

event-tickets-mail-attached = Uw tickets zijn als PDF bijgevoegd. Toon ze bij de ingang, op papier of op uw telefoon.
event-tickets-mail-more = Al uw tickets vindt u bij uw bestelling. Toon ze bij de ingang, op papier of op uw telefoon.
