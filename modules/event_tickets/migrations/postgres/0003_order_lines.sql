-- What an order consists of are order lines.
ALTER TABLE event_tickets_tickets RENAME COLUMN order_item_id TO order_line_id;
