-- The capabilities of all that was ordered, sorted, so that only those hear of an order who have something to do with it.
ALTER TABLE orders ADD COLUMN capabilities TEXT NOT NULL DEFAULT '[]';

UPDATE orders SET capabilities = (
    SELECT json_group_array(capability) FROM (
        SELECT DISTINCT c.value AS capability FROM order_items i, json_each(i.capabilities) c
        WHERE i.order_id = orders.id ORDER BY c.value
    )
);
