### What customers are told about tickets, and the words on them.

event-tickets-event-over = The event of “{ $label }” is over.
event-tickets-not-on-sale = “{ $label }” is not on sale now.
event-tickets-sold-out = { $left ->
    [0] “{ $label }” is sold out.
    [1] Only one ticket is left for “{ $label }”.
   *[other] Only { $left } tickets are left for “{ $label }”.
}
event-tickets-too-few-together = { $left ->
    [0] No places are left for these tickets.
    [1] Only one place is left for these tickets together.
   *[other] Only { $left } places are left for these tickets together.
}
event-tickets-seat-taken = A seat that you have chosen for “{ $label }” is taken. Please choose another one.
event-tickets-too-many = An order can have at most { $most } tickets of “{ $label }”.
event-tickets-paper-ticket = Ticket
event-tickets-paper-when = Begins
event-tickets-paper-venue = Venue
event-tickets-paper-kind = Type
event-tickets-paper-holder = Name
event-tickets-paper-seat = Seat
event-tickets-paper-number = Number
event-tickets-paper-void = This ticket is void.
event-tickets-paper-show = Show this code at the entrance. It admits one person, once.
event-tickets-paper-code = The code of this ticket

# What the storefront shows.
event-tickets-panel-title = Tickets
event-tickets-panel-code = Code of the ticket { $number }
event-tickets-panel-print = Print ticket
event-tickets-panel-checked_in = Used
event-tickets-panel-void = Void
event-tickets-panel-event = Event
event-tickets-panel-when = When
event-tickets-panel-where = Where
event-tickets-panel-left = Places left
## The mail about what was paid

event-tickets-mail-attached = Your tickets are attached as PDF. Show them at the entrance, on paper or on your phone.
event-tickets-mail-more = You find all of your tickets under your order. Show them at the entrance, on paper or on your phone.
