-- What is set aside for the lines of an order are allocations, here too.
ALTER TABLE inventory_holds RENAME TO inventory_allocations;
DROP INDEX inventory_holds_order;
DROP INDEX inventory_holds_open;
CREATE INDEX inventory_allocations_order ON inventory_allocations (order_id);
CREATE INDEX inventory_allocations_open ON inventory_allocations (sku) WHERE gone_units + freed_units < units;
