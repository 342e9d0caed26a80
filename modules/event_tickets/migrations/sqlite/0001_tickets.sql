-- Something that takes place once: a name, a place and a time make it what it is.
CREATE TABLE event_tickets_events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    slug TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    venue TEXT NOT NULL,
    starts_at TEXT NOT NULL,
    ends_at TEXT,
    -- of the place, for times on paper
    utc_offset_minutes INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL,
    UNIQUE (name, venue, starts_at)
);

CREATE INDEX event_tickets_events_starts ON event_tickets_events (starts_at, id);

-- Places that several ticket types of an event share.
CREATE TABLE event_tickets_quotas (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id INTEGER NOT NULL REFERENCES event_tickets_events (id),
    name TEXT NOT NULL,
    capacity INTEGER NOT NULL CHECK (capacity >= 0),
    -- reserved and issued
    taken INTEGER NOT NULL DEFAULT 0 CHECK (taken >= 0),
    -- what was taken when the capacity was lowered below it; 0 otherwise
    allowance INTEGER NOT NULL DEFAULT 0,
    UNIQUE (event_id, name)
);

-- What a product sells at an event.
CREATE TABLE event_tickets_types (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id INTEGER NOT NULL REFERENCES event_tickets_events (id),
    product_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    capacity INTEGER NOT NULL CHECK (capacity >= 0),
    -- reserved and issued
    taken INTEGER NOT NULL DEFAULT 0 CHECK (taken >= 0),
    -- what was taken when the capacity was lowered below it; 0 otherwise
    allowance INTEGER NOT NULL DEFAULT 0,
    quota_id INTEGER REFERENCES event_tickets_quotas (id),
    on_sale_from TEXT,
    on_sale_until TEXT,
    created_at TEXT NOT NULL,
    UNIQUE (event_id, product_id)
);

CREATE INDEX event_tickets_types_product ON event_tickets_types (product_id);
CREATE INDEX event_tickets_types_quota ON event_tickets_types (quota_id);

-- What a product sells now, and the settings that this was made of.
CREATE TABLE event_tickets_products (
    product_id INTEGER PRIMARY KEY REFERENCES products (id) ON DELETE CASCADE,
    type_id INTEGER REFERENCES event_tickets_types (id),
    applied TEXT NOT NULL
);

CREATE INDEX event_tickets_products_type ON event_tickets_products (type_id);

-- Keys that tickets are signed with. Retired ones stay, since their tickets do.
CREATE TABLE event_tickets_keys (
    id INTEGER PRIMARY KEY,
    key_id TEXT NOT NULL UNIQUE,
    public_key BLOB NOT NULL,
    -- sealed with the installation's key
    private_key BLOB NOT NULL,
    active BOOLEAN NOT NULL,
    created_at TEXT NOT NULL,
    retired_at TEXT
);

CREATE UNIQUE INDEX event_tickets_keys_active ON event_tickets_keys (active) WHERE active = TRUE;

-- One row for each unit of an order, from the moment it is placed.
CREATE TABLE event_tickets_tickets (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    type_id INTEGER NOT NULL REFERENCES event_tickets_types (id),
    event_id INTEGER NOT NULL REFERENCES event_tickets_events (id),
    order_id INTEGER NOT NULL REFERENCES orders (id),
    order_item_id INTEGER NOT NULL REFERENCES order_items (id),
    unit INTEGER NOT NULL CHECK (unit > 0),
    customer_id INTEGER NOT NULL REFERENCES customers (id),
    status TEXT NOT NULL CHECK (status IN ('reserved', 'issued', 'checked_in', 'void')),
    holder TEXT,
    seat TEXT,
    -- the seat as it is compared
    seat_key TEXT,
    -- these come with being issued
    token TEXT UNIQUE,
    key_id TEXT REFERENCES event_tickets_keys (key_id),
    qr TEXT,
    issued_at TEXT,
    checked_in_at TEXT,
    -- where it was checked in
    gate TEXT,
    voided_at TEXT,
    -- `refunded`, or what the operator said
    void_reason TEXT,
    created_at TEXT NOT NULL,
    UNIQUE (order_item_id, unit),
    CHECK (status NOT IN ('issued', 'checked_in') OR (token IS NOT NULL AND qr IS NOT NULL AND issued_at IS NOT NULL)),
    CHECK (status <> 'checked_in' OR checked_in_at IS NOT NULL)
);

-- A seat is sold once, and again after its ticket is void.
CREATE UNIQUE INDEX event_tickets_tickets_seat ON event_tickets_tickets (event_id, seat_key)
    WHERE seat_key IS NOT NULL AND status <> 'void';
CREATE INDEX event_tickets_tickets_customer ON event_tickets_tickets (customer_id, id);
CREATE INDEX event_tickets_tickets_order ON event_tickets_tickets (order_id);
CREATE INDEX event_tickets_tickets_event ON event_tickets_tickets (event_id, status);
CREATE INDEX event_tickets_tickets_type ON event_tickets_tickets (type_id, status);
