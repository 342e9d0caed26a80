-- The instance in whose series a document is numbered; empty in that of the shop.
CREATE TABLE invoices_in_series (
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
    buyer_email TEXT,
    series TEXT NOT NULL DEFAULT ''
);

INSERT INTO invoices_in_series
      (id, number, year, sequence, order_id, customer_id, status, currency, subtotal_amount,
       discount_amount, shipping_amount, tax_amount, total_amount, credited_amount, document, issued_at,
       updated_at, buyer_email)
SELECT id, number, year, sequence, order_id, customer_id, status, currency, subtotal_amount,
       discount_amount, shipping_amount, tax_amount, total_amount, credited_amount, document, issued_at,
       updated_at, buyer_email
FROM invoices;

DELETE FROM sqlite_sequence WHERE name = 'invoices_in_series';

INSERT INTO sqlite_sequence (name, seq) SELECT 'invoices_in_series', seq FROM sqlite_sequence WHERE name = 'invoices';

DROP TABLE invoices;

ALTER TABLE invoices_in_series RENAME TO invoices;

CREATE UNIQUE INDEX invoices_series ON invoices (series, year, sequence);
CREATE INDEX invoices_customer ON invoices (customer_id, id);
CREATE INDEX invoices_issued ON invoices (issued_at, id);

CREATE TABLE credit_notes_in_series (
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
    series TEXT NOT NULL DEFAULT ''
);

INSERT INTO credit_notes_in_series
      (id, number, year, sequence, invoice_id, order_id, refund_id, customer_id, status, reason, currency,
       subtotal_amount, tax_amount, total_amount, document, issued_at)
SELECT id, number, year, sequence, invoice_id, order_id, refund_id, customer_id, status, reason, currency,
       subtotal_amount, tax_amount, total_amount, document, issued_at
FROM credit_notes;

DELETE FROM sqlite_sequence WHERE name = 'credit_notes_in_series';

INSERT INTO sqlite_sequence (name, seq) SELECT 'credit_notes_in_series', seq FROM sqlite_sequence WHERE name = 'credit_notes';

DROP TABLE credit_notes;

ALTER TABLE credit_notes_in_series RENAME TO credit_notes;

CREATE UNIQUE INDEX credit_notes_series ON credit_notes (series, year, sequence);
CREATE INDEX credit_notes_customer ON credit_notes (customer_id, id);
CREATE INDEX credit_notes_issued ON credit_notes (issued_at, id);
CREATE INDEX credit_notes_invoice ON credit_notes (invoice_id);
CREATE INDEX credit_notes_order ON credit_notes (order_id);
