-- What an order consists of are order lines.
ALTER TABLE inventory_allocations RENAME COLUMN order_item_id TO order_line_id;
