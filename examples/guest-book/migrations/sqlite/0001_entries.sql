-- What customers have written, or were given.
CREATE TABLE guest_book_entries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    customer_id INTEGER NOT NULL REFERENCES customers (id),
    text TEXT NOT NULL,
    created_at TEXT NOT NULL
);

CREATE INDEX guest_book_entries_customer ON guest_book_entries (customer_id, id);
CREATE INDEX guest_book_entries_created ON guest_book_entries (created_at);
