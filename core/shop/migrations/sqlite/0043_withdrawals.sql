-- Customers who withdraw from an order, or from a part of it.
CREATE TABLE withdrawals (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    order_id INTEGER NOT NULL REFERENCES orders (id),
    status TEXT NOT NULL CHECK (status IN ('declared', 'accepted', 'refused', 'completed')),
    -- what the customer wrote; none once the customer is anonymized
    statement TEXT,
    -- when the period ends or ended; none while it has not begun
    deadline TEXT,
    within_period BOOLEAN NOT NULL,
    -- units that could not be withdrawn from then, and why
    excluded TEXT NOT NULL,
    declared_at TEXT NOT NULL,
    decided_at TEXT,
    completed_at TEXT,
    refusal_reason TEXT,
    refund_id INTEGER REFERENCES refunds (id)
);

CREATE INDEX withdrawals_order ON withdrawals (order_id);

-- What is waited for: the oldest first.
CREATE INDEX withdrawals_open ON withdrawals (declared_at) WHERE status IN ('declared', 'accepted');

CREATE TABLE withdrawal_items (
    withdrawal_id INTEGER NOT NULL REFERENCES withdrawals (id),
    order_line_id INTEGER NOT NULL REFERENCES order_items (id),
    quantity INTEGER NOT NULL CHECK (quantity > 0),
    PRIMARY KEY (withdrawal_id, order_line_id)
);

-- Units that customers have withdrawn from; each once. Those of a withdrawal that was refused are removed.
CREATE TABLE withdrawal_units (
    order_line_id INTEGER NOT NULL REFERENCES order_items (id),
    unit INTEGER NOT NULL CHECK (unit > 0),
    withdrawal_id INTEGER NOT NULL REFERENCES withdrawals (id),
    PRIMARY KEY (order_line_id, unit)
);

CREATE INDEX withdrawal_units_withdrawal ON withdrawal_units (withdrawal_id);

-- What a request has made that declares a withdrawal.
ALTER TABLE idempotency_keys ADD COLUMN withdrawal_id INTEGER;
