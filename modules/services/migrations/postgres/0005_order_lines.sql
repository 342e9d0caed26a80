-- What an order consists of are order lines.
ALTER TABLE services_reservations RENAME COLUMN order_item_id TO order_line_id;
ALTER TABLE services_services RENAME COLUMN order_item_id TO order_line_id;
