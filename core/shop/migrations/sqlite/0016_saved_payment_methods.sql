-- With what a customer can be charged again without being there.
CREATE TABLE saved_payment_methods (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    customer_id INTEGER NOT NULL REFERENCES customers (id),
    gateway TEXT NOT NULL,
    -- what the provider calls it, sealed
    method BLOB NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (customer_id, gateway)
);

-- Orders whose customer is asked, while paying, to let the method be saved.
CREATE TABLE orders_saving_methods (
    order_id INTEGER PRIMARY KEY REFERENCES orders (id)
);

-- whether a saved method is charged, without the customer
ALTER TABLE payment_attempts ADD COLUMN off_session BOOLEAN NOT NULL DEFAULT FALSE;
