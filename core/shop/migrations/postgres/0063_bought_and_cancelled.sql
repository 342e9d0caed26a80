-- The console's lists of customers by how often they have bought, of cancelled orders by what became of their payment, and of flagged
-- orders in a state: each would look through every row of a large shop.

ALTER TABLE customers ADD COLUMN bought TEXT NOT NULL DEFAULT 'never' CHECK (bought IN ('never', 'once', 'often'));
UPDATE customers SET bought = CASE (SELECT COUNT(*) FROM orders o WHERE o.customer_id = customers.id) WHEN 1 THEN 'once' ELSE 'often' END
WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = customers.id);
CREATE INDEX customers_bought ON customers (bought, id);

ALTER TABLE payments ADD COLUMN order_cancelled BOOLEAN NOT NULL DEFAULT FALSE;
UPDATE payments SET order_cancelled = TRUE
WHERE EXISTS (SELECT 1 FROM orders o WHERE o.id = payments.order_id AND o.status = 'cancelled');
CREATE INDEX payments_of_cancelled ON payments (status, order_id) WHERE order_cancelled = TRUE;

CREATE INDEX orders_review_status ON orders (status, id) WHERE review_reason IS NOT NULL;
