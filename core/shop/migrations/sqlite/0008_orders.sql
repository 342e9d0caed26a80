CREATE TABLE orders (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    customer_id INTEGER NOT NULL REFERENCES customers (id),
    -- the cart it was placed from, and which filling of it: one filling becomes at most one order
    cart_id INTEGER,
    cart_filling INTEGER,
    status TEXT NOT NULL CHECK (status IN ('pending', 'paid', 'cancelled')),
    currency TEXT NOT NULL,
    subtotal_amount INTEGER NOT NULL CHECK (subtotal_amount >= 0),
    discount_amount INTEGER NOT NULL CHECK (discount_amount >= 0),
    shipping_amount INTEGER NOT NULL CHECK (shipping_amount >= 0),
    tax_amount INTEGER NOT NULL CHECK (tax_amount >= 0),
    total_amount INTEGER NOT NULL CHECK (total_amount >= 0),
    prices_include_tax BOOLEAN NOT NULL,
    discount_code TEXT,
    billing_address TEXT NOT NULL,
    -- none when nothing is shipped
    shipping_address TEXT,
    shipping_method_id TEXT,
    shipping_method_label TEXT,
    -- basis points
    shipping_tax_rate INTEGER NOT NULL,
    shipping_tax_amount INTEGER NOT NULL CHECK (shipping_tax_amount >= 0),
    -- the gateway that the customer has chosen
    payment_method TEXT NOT NULL,
    note TEXT,
    -- the language in which the customer is written to
    language TEXT NOT NULL,
    fulfillment_status TEXT NOT NULL
        CHECK (fulfillment_status IN ('not_required', 'unfulfilled', 'partially_fulfilled', 'fulfilled')),
    -- something for the operator to look at, and what
    review_reason TEXT,
    cancel_reason TEXT,
    -- when it ends unpaid; none is never
    expires_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    paid_at TEXT,
    cancelled_at TEXT,
    UNIQUE (cart_id, cart_filling),
    CHECK ((status = 'paid') = (paid_at IS NOT NULL)),
    CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL))
);

CREATE INDEX orders_customer ON orders (customer_id, id);
CREATE INDEX orders_unpaid ON orders (expires_at) WHERE status = 'pending' AND expires_at IS NOT NULL;
CREATE INDEX orders_review ON orders (id) WHERE review_reason IS NOT NULL;

-- What was sold, as it was then: nothing here follows the catalog.
CREATE TABLE order_items (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    order_id INTEGER NOT NULL REFERENCES orders (id),
    position INTEGER NOT NULL,
    product_id INTEGER NOT NULL,
    slug TEXT NOT NULL,
    sku TEXT,
    label TEXT NOT NULL,
    quantity INTEGER NOT NULL CHECK (quantity > 0),
    unit_amount INTEGER NOT NULL CHECK (unit_amount >= 0),
    -- before the discount
    line_total_amount INTEGER NOT NULL CHECK (line_total_amount >= 0),
    discount_amount INTEGER NOT NULL CHECK (discount_amount BETWEEN 0 AND line_total_amount),
    tax_class TEXT,
    -- basis points
    tax_rate INTEGER NOT NULL,
    tax_amount INTEGER NOT NULL CHECK (tax_amount >= 0),
    selections TEXT NOT NULL,
    options TEXT NOT NULL,
    -- stock keeping units of the selected choices
    choice_skus TEXT NOT NULL,
    capabilities TEXT NOT NULL,
    -- what the modules kept about the product
    module_settings TEXT NOT NULL,
    shippable BOOLEAN NOT NULL,
    shipped_quantity INTEGER NOT NULL DEFAULT 0 CHECK (shipped_quantity BETWEEN 0 AND quantity),
    -- units and money that went back or are on their way back
    refunded_quantity INTEGER NOT NULL DEFAULT 0 CHECK (refunded_quantity BETWEEN 0 AND quantity),
    refunded_amount INTEGER NOT NULL DEFAULT 0 CHECK (refunded_amount >= 0),
    refunded_tax_amount INTEGER NOT NULL DEFAULT 0 CHECK (refunded_tax_amount >= 0),
    -- units whose goods were taken back
    revoked_quantity INTEGER NOT NULL DEFAULT 0 CHECK (revoked_quantity BETWEEN 0 AND quantity),
    UNIQUE (order_id, position)
);

-- Who did what to an order, and when.
CREATE TABLE order_history (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    order_id INTEGER NOT NULL REFERENCES orders (id),
    action TEXT NOT NULL,
    -- `customer`, `operator`, `system` or `gateway:<id>`
    actor TEXT NOT NULL,
    detail TEXT,
    created_at TEXT NOT NULL
);

CREATE INDEX order_history_order ON order_history (order_id, id);

CREATE TABLE shipments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    order_id INTEGER NOT NULL REFERENCES orders (id),
    tracking TEXT,
    shipped_at TEXT NOT NULL
);

CREATE INDEX shipments_order ON shipments (order_id);

CREATE TABLE shipment_items (
    shipment_id INTEGER NOT NULL REFERENCES shipments (id),
    order_item_id INTEGER NOT NULL REFERENCES order_items (id),
    quantity INTEGER NOT NULL CHECK (quantity > 0),
    PRIMARY KEY (shipment_id, order_item_id)
);

-- What a request with an idempotency key has made, so that it is made once.
CREATE TABLE idempotency_keys (
    customer_id INTEGER NOT NULL REFERENCES customers (id),
    -- the route's name
    route TEXT NOT NULL,
    key TEXT NOT NULL,
    -- SHA-256 of what was asked for
    fingerprint BLOB NOT NULL,
    order_id INTEGER REFERENCES orders (id),
    attempt_id INTEGER,
    created_at TEXT NOT NULL,
    PRIMARY KEY (customer_id, route, key)
);

-- The last number given in each series and year; taken in the transaction of what carries the number.
CREATE TABLE number_series (
    series TEXT NOT NULL,
    year INTEGER NOT NULL,
    last INTEGER NOT NULL,
    PRIMARY KEY (series, year)
);
