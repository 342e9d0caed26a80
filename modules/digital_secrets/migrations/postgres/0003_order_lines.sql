-- What an order consists of are order lines.
ALTER TABLE digital_secrets_units RENAME COLUMN order_item_id TO order_line_id;
