-- A customer's wish: this product, in this paper, with this message on the card.
CREATE TABLE gift_wrap_wraps (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    customer_id INTEGER NOT NULL REFERENCES customers (id),
    product_id INTEGER NOT NULL REFERENCES products (id) ON DELETE CASCADE,
    paper TEXT NOT NULL,
    message TEXT,
    -- what the product asked for when the wish was saved
    surcharge_amount INTEGER NOT NULL CHECK (surcharge_amount >= 0),
    currency TEXT NOT NULL,
    card_printed_at TEXT,
    created_at TEXT NOT NULL
);

CREATE INDEX gift_wrap_wraps_customer ON gift_wrap_wraps (customer_id, id);
CREATE INDEX gift_wrap_wraps_product ON gift_wrap_wraps (product_id);
CREATE INDEX gift_wrap_wraps_created ON gift_wrap_wraps (created_at);
