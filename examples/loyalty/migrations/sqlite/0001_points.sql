-- How many points a customer has; below zero if points of money that went back were spent.
CREATE TABLE loyalty_accounts (
    customer_id INTEGER PRIMARY KEY REFERENCES customers (id),
    points INTEGER NOT NULL,
    -- how many are to be redeemed with the next order
    wanted INTEGER NOT NULL CHECK (wanted >= 0)
);

-- Each change of them. The points of an account are the sum of its entries.
CREATE TABLE loyalty_entries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    customer_id INTEGER NOT NULL REFERENCES customers (id),
    order_id INTEGER REFERENCES orders (id),
    kind TEXT NOT NULL CHECK (kind IN ('earned', 'taken_back', 'redeemed', 'given_back', 'corrected')),
    points INTEGER NOT NULL CHECK (points <> 0),
    reason TEXT,
    created_at TEXT NOT NULL
);

CREATE INDEX loyalty_entries_customer ON loyalty_entries (customer_id, id);
CREATE INDEX loyalty_entries_order ON loyalty_entries (order_id);
