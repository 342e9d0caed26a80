-- What a customer says of a product.
CREATE TABLE reviews_reviews (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    customer_id INTEGER NOT NULL REFERENCES customers (id),
    product_id INTEGER NOT NULL REFERENCES products (id) ON DELETE CASCADE,
    stars INTEGER NOT NULL CHECK (stars BETWEEN 1 AND 5),
    text TEXT NOT NULL,
    -- the name that is shown
    name TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('waiting', 'published', 'refused')),
    -- raised by each change of its author, so that nothing is published that nobody has read
    version INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (customer_id, product_id)
);

CREATE INDEX reviews_reviews_product ON reviews_reviews (product_id, status, id);
CREATE INDEX reviews_reviews_status ON reviews_reviews (status, id);
