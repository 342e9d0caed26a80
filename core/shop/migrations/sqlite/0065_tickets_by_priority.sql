-- Tickets of a priority that few have are found without looking at all others.

CREATE INDEX support_tickets_priority ON support_tickets (priority, id);
