CREATE TABLE invoices (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    number TEXT NOT NULL UNIQUE,
    year INTEGER NOT NULL,
    -- counts within the year, without a gap
    sequence INTEGER NOT NULL,
    order_id INTEGER NOT NULL UNIQUE REFERENCES orders (id),
    customer_id INTEGER NOT NULL REFERENCES customers (id),
    status TEXT NOT NULL CHECK (status IN ('issued', 'paid', 'void')),
    currency TEXT NOT NULL,
    subtotal_amount INTEGER NOT NULL CHECK (subtotal_amount >= 0),
    discount_amount INTEGER NOT NULL CHECK (discount_amount >= 0),
    shipping_amount INTEGER NOT NULL CHECK (shipping_amount >= 0),
    tax_amount INTEGER NOT NULL CHECK (tax_amount >= 0),
    total_amount INTEGER NOT NULL CHECK (total_amount >= 0),
    credited_amount INTEGER NOT NULL DEFAULT 0 CHECK (credited_amount BETWEEN 0 AND total_amount),
    -- everything that stands on it, as it was issued
    document TEXT NOT NULL,
    issued_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (year, sequence)
);

CREATE INDEX invoices_customer ON invoices (customer_id, id);

CREATE TABLE credit_notes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    number TEXT NOT NULL UNIQUE,
    year INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    invoice_id INTEGER NOT NULL REFERENCES invoices (id),
    order_id INTEGER NOT NULL REFERENCES orders (id),
    refund_id INTEGER NOT NULL UNIQUE REFERENCES refunds (id),
    customer_id INTEGER NOT NULL REFERENCES customers (id),
    status TEXT NOT NULL CHECK (status IN ('issued')),
    reason TEXT NOT NULL,
    currency TEXT NOT NULL,
    subtotal_amount INTEGER NOT NULL CHECK (subtotal_amount >= 0),
    tax_amount INTEGER NOT NULL CHECK (tax_amount >= 0),
    total_amount INTEGER NOT NULL CHECK (total_amount > 0),
    document TEXT NOT NULL,
    issued_at TEXT NOT NULL,
    UNIQUE (year, sequence)
);

CREATE INDEX credit_notes_customer ON credit_notes (customer_id, id);
CREATE INDEX credit_notes_invoice ON credit_notes (invoice_id);
CREATE INDEX credit_notes_order ON credit_notes (order_id);
