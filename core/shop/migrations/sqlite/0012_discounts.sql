CREATE TABLE discounts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- as the operator wrote it, and without differences of case, as it is looked up
    code TEXT NOT NULL,
    code_folded TEXT NOT NULL UNIQUE,
    -- what it takes off the subtotal: a share in basis points, or an amount in minor units
    percent INTEGER CHECK (percent BETWEEN 1 AND 10000),
    amount INTEGER CHECK (amount > 0),
    -- least subtotal before any discount, in minor units
    minimum_amount INTEGER CHECK (minimum_amount > 0),
    max_uses INTEGER CHECK (max_uses > 0),
    max_uses_per_customer INTEGER CHECK (max_uses_per_customer > 0),
    -- redemptions that were not released
    uses INTEGER NOT NULL CHECK (uses >= 0),
    valid_from TEXT,
    valid_until TEXT,
    active BOOLEAN NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK ((percent IS NULL) <> (amount IS NULL))
);

-- Which order used which code. A row of an order that was cancelled stays, and does not count.
CREATE TABLE discount_redemptions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    discount_id INTEGER NOT NULL REFERENCES discounts (id),
    order_id INTEGER NOT NULL UNIQUE REFERENCES orders (id),
    customer_id INTEGER NOT NULL REFERENCES customers (id),
    -- what it took off, in minor units
    amount INTEGER NOT NULL CHECK (amount >= 0),
    released_at TEXT,
    created_at TEXT NOT NULL
);

CREATE INDEX discount_redemptions_customer ON discount_redemptions (discount_id, customer_id);
