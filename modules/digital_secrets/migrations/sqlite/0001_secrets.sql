-- Keys that values are sealed with; each is itself sealed with the installation's key.
CREATE TABLE digital_secrets_keys (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    sealed_key BLOB NOT NULL,
    created_at TEXT NOT NULL,
    -- when a newer one took its place; nothing new is sealed with it from then on
    retired_at TEXT
);

-- Values that stand in for one another. Whoever takes from a pool or gives back to it locks its row first.
CREATE TABLE digital_secrets_pools (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    -- the operator is warned below this many; none is what the settings say
    low_water INTEGER CHECK (low_water >= 0),
    created_at TEXT NOT NULL
);

-- What is promised to a customer: one row for each unit of an order's item.
CREATE TABLE digital_secrets_units (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    order_id INTEGER NOT NULL REFERENCES orders (id),
    order_item_id INTEGER NOT NULL REFERENCES order_items (id),
    -- counted from 1 within the item
    unit INTEGER NOT NULL CHECK (unit > 0),
    customer_id INTEGER NOT NULL REFERENCES customers (id),
    product_id INTEGER NOT NULL,
    pool_id INTEGER NOT NULL REFERENCES digital_secrets_pools (id),
    -- what a value is generated from; none takes one of the pool
    pattern TEXT,
    -- whether it was sold although the pool might be empty
    backorder BOOLEAN NOT NULL,
    -- ordered; paid, and waiting for a value; delivered; refunded; cancelled
    state TEXT NOT NULL CHECK (state IN ('promised', 'waiting', 'delivered', 'revoked', 'released')),
    created_at TEXT NOT NULL,
    paid_at TEXT,
    granted_at TEXT,
    -- when it was revoked or released
    ended_at TEXT,
    UNIQUE (order_item_id, unit),
    CHECK (state <> 'delivered' OR granted_at IS NOT NULL),
    CHECK ((state IN ('revoked', 'released')) = (ended_at IS NOT NULL))
);

CREATE INDEX digital_secrets_units_order ON digital_secrets_units (order_id);
CREATE INDEX digital_secrets_units_customer ON digital_secrets_units (customer_id, granted_at, id);
CREATE INDEX digital_secrets_units_pool ON digital_secrets_units (pool_id, state, paid_at, order_id, id);

CREATE TABLE digital_secrets_values (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    pool_id INTEGER NOT NULL REFERENCES digital_secrets_pools (id),
    -- whom it is for, or was for
    unit_id INTEGER REFERENCES digital_secrets_units (id),
    state TEXT NOT NULL CHECK (state IN ('available', 'reserved', 'delivered', 'revoked', 'voided')),
    origin TEXT NOT NULL CHECK (origin IN ('added', 'generated')),
    -- keyed, so that it tells nothing: HMAC-SHA256 of pool and value, in hexadecimal
    fingerprint TEXT NOT NULL,
    -- none once the value was erased
    key_id INTEGER REFERENCES digital_secrets_keys (id),
    -- base64
    sealed_value TEXT NOT NULL,
    -- a few of its last characters
    hint TEXT NOT NULL,
    created_at TEXT NOT NULL,
    delivered_at TEXT,
    UNIQUE (pool_id, fingerprint),
    CHECK ((key_id IS NULL) = (sealed_value = '')),
    CHECK (state <> 'available' OR unit_id IS NULL),
    CHECK (state NOT IN ('reserved', 'delivered', 'revoked') OR unit_id IS NOT NULL)
);

CREATE INDEX digital_secrets_values_pool ON digital_secrets_values (pool_id, state, id);
CREATE INDEX digital_secrets_values_key ON digital_secrets_values (key_id, id);
CREATE INDEX digital_secrets_values_given ON digital_secrets_values (unit_id);
-- A unit has one value at most, and a value never two units.
CREATE UNIQUE INDEX digital_secrets_values_unit ON digital_secrets_values (unit_id)
    WHERE state IN ('reserved', 'delivered', 'revoked');

-- Each time that a value was shown to somebody.
CREATE TABLE digital_secrets_reveals (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    unit_id INTEGER NOT NULL REFERENCES digital_secrets_units (id),
    value_id INTEGER NOT NULL REFERENCES digital_secrets_values (id),
    actor TEXT NOT NULL CHECK (actor IN ('customer', 'operator')),
    -- the access token; none for a session or the command line
    token_id INTEGER,
    -- the route's name, or the command
    route TEXT NOT NULL,
    revealed_at TEXT NOT NULL
);

CREATE INDEX digital_secrets_reveals_unit ON digital_secrets_reveals (unit_id, id);
CREATE INDEX digital_secrets_reveals_age ON digital_secrets_reveals (revealed_at);

-- What an operator did to values.
CREATE TABLE digital_secrets_changes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    unit_id INTEGER REFERENCES digital_secrets_units (id),
    value_id INTEGER NOT NULL REFERENCES digital_secrets_values (id),
    replacement_id INTEGER REFERENCES digital_secrets_values (id),
    action TEXT NOT NULL CHECK (action IN ('replaced', 'voided')),
    reason TEXT,
    created_at TEXT NOT NULL
);

CREATE INDEX digital_secrets_changes_unit ON digital_secrets_changes (unit_id, id);
