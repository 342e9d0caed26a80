-- The place of a ticket that was used is not sold again, whatever becomes of the ticket afterwards.
ALTER TABLE event_tickets_tickets ADD COLUMN keeps_place BOOLEAN NOT NULL DEFAULT FALSE;

DROP INDEX event_tickets_tickets_seat;

-- A seat is sold once, and again after its ticket is void, unless somebody has sat on it.
CREATE UNIQUE INDEX event_tickets_tickets_seat ON event_tickets_tickets (event_id, seat_key)
    WHERE seat_key IS NOT NULL AND (status <> 'void' OR keeps_place = TRUE);

-- Refunds take tickets first that nobody has used.
INSERT INTO unit_uses (order_item_id, unit, module)
SELECT order_item_id, unit, 'event_tickets' FROM event_tickets_tickets WHERE status = 'checked_in';
