-- Carts of guests and of customers. A guest's has no customer; a customer has one own cart.
CREATE TABLE carts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- the public half of the token; the other half is computed and stored nowhere
    handle TEXT NOT NULL UNIQUE,
    customer_id INTEGER UNIQUE REFERENCES customers (id),
    -- raised when an order is placed, so that one filling becomes at most one order
    filling INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
);

CREATE INDEX carts_updated ON carts (updated_at);

-- The same product with the same selections is one line. There are no prices: they are the catalog's.
CREATE TABLE cart_lines (
    cart_id INTEGER NOT NULL REFERENCES carts (id) ON DELETE CASCADE,
    line_key TEXT NOT NULL,
    product_id INTEGER NOT NULL REFERENCES products (id) ON DELETE CASCADE,
    quantity INTEGER NOT NULL CHECK (quantity BETWEEN 1 AND 99),
    selections TEXT NOT NULL,
    position INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (cart_id, line_key)
);

CREATE INDEX cart_lines_product ON cart_lines (product_id);
