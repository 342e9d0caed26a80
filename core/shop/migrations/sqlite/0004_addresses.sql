-- What else is known about a customer: parts of an address under the names of S4.4 (`phone`, `company_name`, `address`,
-- `address2`, `city`, `state`, `zip`, `country`), of which one is shown while no address is saved.
ALTER TABLE customers ADD COLUMN properties TEXT NOT NULL DEFAULT '{}';

CREATE TABLE addresses (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    customer_id INTEGER NOT NULL REFERENCES customers (id),
    label TEXT,
    name TEXT NOT NULL,
    company TEXT,
    line1 TEXT NOT NULL,
    line2 TEXT,
    city TEXT NOT NULL,
    postal_code TEXT NOT NULL,
    region TEXT,
    -- two capital letters
    country TEXT NOT NULL,
    phone TEXT,
    is_default_billing BOOLEAN NOT NULL,
    is_default_shipping BOOLEAN NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
);

CREATE INDEX addresses_customer ON addresses (customer_id);

-- At most one default of each kind, whatever runs at once.
CREATE UNIQUE INDEX addresses_default_billing ON addresses (customer_id) WHERE is_default_billing;
CREATE UNIQUE INDEX addresses_default_shipping ON addresses (customer_id) WHERE is_default_shipping;
