-- The one customer who can use the code; none for everybody.
ALTER TABLE discounts ADD COLUMN customer_id INTEGER REFERENCES customers (id);

CREATE INDEX discounts_customer ON discounts (customer_id) WHERE customer_id IS NOT NULL;
