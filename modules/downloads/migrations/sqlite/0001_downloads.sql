-- One row for each product with files or buyers; taken first by whoever attaches or grants, so that neither misses what
-- the other has just written.
CREATE TABLE downloads_products (
    product_id INTEGER PRIMARY KEY,
    revision INTEGER NOT NULL
);

-- A file that comes with a product, in whatever version.
CREATE TABLE downloads_assets (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    product_id INTEGER NOT NULL REFERENCES products (id),
    -- what the customer's file is called
    filename TEXT NOT NULL,
    -- what it is called in lists; none for the product's name
    label TEXT,
    -- its own, where it differs from the product's; 0 is no limit
    download_limit INTEGER CHECK (download_limit >= 0),
    -- its own, where it differs from the product's; 0 is for ever
    valid_days INTEGER CHECK (valid_days >= 0),
    -- since when new buyers do not get it any more
    detached_at TEXT,
    created_at TEXT NOT NULL,
    UNIQUE (product_id, filename)
);

CREATE TABLE downloads_versions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    asset_id INTEGER NOT NULL REFERENCES downloads_assets (id),
    -- from 1; buyers get the highest
    number INTEGER NOT NULL,
    -- where the content lies in the storage; random
    storage_key TEXT NOT NULL UNIQUE,
    -- bytes
    size INTEGER NOT NULL CHECK (size > 0),
    -- in lower-case hexadecimal
    sha256 TEXT NOT NULL,
    created_at TEXT NOT NULL,
    -- when the stored object was last looked at, and what was wrong with it
    checked_at TEXT,
    problem TEXT,
    UNIQUE (asset_id, number)
);

-- Objects on their way into the storage. What a crash leaves behind is found here and removed.
CREATE TABLE downloads_uploads (
    storage_key TEXT PRIMARY KEY,
    started_at TEXT NOT NULL
);

CREATE INDEX downloads_uploads_age ON downloads_uploads (started_at);

-- Units that were paid, or refunded, suspended or ended before they could be granted.
CREATE TABLE downloads_units (
    order_item_id INTEGER NOT NULL REFERENCES order_items (id),
    -- from 1
    unit INTEGER NOT NULL CHECK (unit > 0),
    customer_id INTEGER NOT NULL REFERENCES customers (id),
    order_id INTEGER NOT NULL REFERENCES orders (id),
    product_id INTEGER NOT NULL,
    -- what the product's settings said when it was ordered
    download_limit INTEGER,
    valid_days INTEGER,
    -- none until its payment was heard of
    paid_at TEXT,
    -- since when it must not be used for the time being
    suspended_at TEXT,
    -- when it was refunded, or has ended
    revoked_at TEXT,
    created_at TEXT NOT NULL,
    PRIMARY KEY (order_item_id, unit)
);

CREATE INDEX downloads_units_product ON downloads_units (product_id);
CREATE INDEX downloads_units_order ON downloads_units (order_id);
CREATE INDEX downloads_units_customer ON downloads_units (customer_id);

-- A buyer's right to one file.
CREATE TABLE downloads_grants (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    token TEXT NOT NULL UNIQUE,
    customer_id INTEGER NOT NULL REFERENCES customers (id),
    order_id INTEGER NOT NULL REFERENCES orders (id),
    order_item_id INTEGER NOT NULL REFERENCES order_items (id),
    unit INTEGER NOT NULL,
    asset_id INTEGER NOT NULL REFERENCES downloads_assets (id),
    -- none for any number
    download_limit INTEGER CHECK (download_limit > 0),
    -- none for ever
    expires_at TEXT,
    download_count INTEGER NOT NULL CHECK (download_count >= 0),
    -- when a download was last counted, and when the end of the file was sent after that
    counted_at TEXT,
    completed_at TEXT,
    -- as of its unit
    suspended_at TEXT,
    revoked_at TEXT,
    revoked_reason TEXT,
    granted_at TEXT NOT NULL,
    UNIQUE (order_item_id, unit, asset_id)
);

CREATE INDEX downloads_grants_customer ON downloads_grants (customer_id, id);
CREATE INDEX downloads_grants_asset ON downloads_grants (asset_id);
CREATE INDEX downloads_grants_order ON downloads_grants (order_id);

-- Transfers that were started.
CREATE TABLE downloads_log (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    grant_id INTEGER NOT NULL REFERENCES downloads_grants (id),
    version INTEGER NOT NULL,
    -- bytes from the start of the file, both included
    first_byte INTEGER NOT NULL,
    last_byte INTEGER NOT NULL,
    counted BOOLEAN NOT NULL,
    started_at TEXT NOT NULL
);

CREATE INDEX downloads_log_grant ON downloads_log (grant_id, id);
CREATE INDEX downloads_log_age ON downloads_log (started_at);
