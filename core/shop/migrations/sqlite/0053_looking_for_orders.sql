-- What the operator looks for orders by, the newest first.
CREATE INDEX orders_status ON orders (status, id);
CREATE INDEX orders_to_pack ON orders (id) WHERE status = 'paid' AND fulfillment_status IN ('unfulfilled', 'partially_fulfilled');
CREATE INDEX orders_placed ON orders (created_at, id);
CREATE INDEX payments_status ON payments (status, order_id);
CREATE INDEX shipments_tracking ON shipments (tracking) WHERE tracking IS NOT NULL;
CREATE INDEX customers_name ON customers (LOWER(name));
