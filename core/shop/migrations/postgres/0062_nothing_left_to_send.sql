-- Orders stayed among those to be packed although all that was to be sent of them was refunded.

UPDATE orders
SET fulfillment_status = CASE
        WHEN EXISTS (SELECT 1 FROM order_lines l WHERE l.order_id = orders.id AND l.shipped_quantity > 0) THEN 'fulfilled'
        ELSE 'not_required' END
WHERE status = 'paid' AND fulfillment_status IN ('unfulfilled', 'partially_fulfilled')
  AND NOT EXISTS (
      SELECT 1 FROM order_lines l
      WHERE l.order_id = orders.id AND l.shippable = TRUE AND l.shipped_quantity < l.quantity - l.refunded_quantity
        AND l.shipped_quantity < l.quantity - l.revoked_quantity
  );
