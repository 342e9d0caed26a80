-- What the operator notes about customers, and how the console finds customers, documents, withdrawals and callbacks.
CREATE TABLE customer_notes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    customer_id INTEGER NOT NULL REFERENCES customers (id),
    -- such as staff:ada@example.com
    author TEXT NOT NULL,
    note TEXT NOT NULL,
    created_at TEXT NOT NULL
);

CREATE INDEX customer_notes_customer ON customer_notes (customer_id, id);
CREATE INDEX customers_created ON customers (created_at, id);
CREATE INDEX invoices_issued ON invoices (issued_at, id);
CREATE INDEX credit_notes_issued ON credit_notes (issued_at, id);
CREATE INDEX withdrawals_status ON withdrawals (status, id);
CREATE INDEX payment_callbacks_state ON payment_callbacks (state, id);
