-- What a customer has written, or was given with an order.
CREATE TABLE guest_book_entries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    customer_id INTEGER NOT NULL REFERENCES customers (id),
    -- the item that it came with, for which there is one entry at most; none for what was written
    order_item_id INTEGER UNIQUE REFERENCES order_items (id),
    text TEXT NOT NULL,
    created_at TEXT NOT NULL
);

CREATE INDEX guest_book_entries_customer ON guest_book_entries (customer_id, id);
CREATE INDEX guest_book_entries_created ON guest_book_entries (created_at);
