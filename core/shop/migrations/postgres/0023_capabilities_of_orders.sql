-- The capabilities of all that was ordered, sorted, so that only those hear of an order who have something to do with it.
ALTER TABLE orders ADD COLUMN capabilities JSONB NOT NULL DEFAULT '[]';

UPDATE orders SET capabilities = COALESCE((
    SELECT jsonb_agg(DISTINCT c.capability ORDER BY c.capability)
    FROM order_items i, jsonb_array_elements_text(i.capabilities) c (capability)
    WHERE i.order_id = orders.id
), '[]');
