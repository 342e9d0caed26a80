-- What an order consists of are order lines.
ALTER TABLE downloads_units RENAME COLUMN order_item_id TO order_line_id;
ALTER TABLE downloads_grants RENAME COLUMN order_item_id TO order_line_id;
