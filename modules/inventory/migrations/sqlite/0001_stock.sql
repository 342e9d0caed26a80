-- What is in the house of each stock keeping unit, and what of it is promised.
CREATE TABLE inventory_stock (
    -- a product's or choice's own, else the product's slug
    sku TEXT PRIMARY KEY NOT NULL,
    -- below zero when more was sent than was counted
    on_hand INTEGER NOT NULL,
    -- the sum of what open holds hold
    reserved INTEGER NOT NULL CHECK (reserved >= 0),
    -- whether more can be ordered than there is
    backorder BOOLEAN NOT NULL,
    -- whether it is counted at all; what is not can be ordered without end
    tracked BOOLEAN NOT NULL,
    -- what the product's settings said last: only when they say something else does the stock follow
    imported_quantity INTEGER,
    imported_backorder BOOLEAN,
    -- since when the operator knows that it runs low
    low_since TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
);

-- What an item of an order holds, from placing until it is cancelled, refunded, shipped or sold.
CREATE TABLE inventory_holds (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    order_id INTEGER NOT NULL REFERENCES orders (id),
    order_item_id INTEGER NOT NULL REFERENCES order_items (id),
    sku TEXT NOT NULL REFERENCES inventory_stock (sku),
    -- pieces of this stock keeping unit that one unit of the item takes
    per_unit INTEGER NOT NULL CHECK (per_unit > 0),
    -- units of the item
    units INTEGER NOT NULL CHECK (units > 0),
    -- units that have left the house
    gone_units INTEGER NOT NULL DEFAULT 0 CHECK (gone_units >= 0),
    -- units that are not held any more without having left
    freed_units INTEGER NOT NULL DEFAULT 0 CHECK (freed_units >= 0),
    -- units that had left and came back by a refund
    returned_units INTEGER NOT NULL DEFAULT 0 CHECK (returned_units BETWEEN 0 AND gone_units),
    -- refunded units that were looked at
    refunded_units INTEGER NOT NULL DEFAULT 0 CHECK (refunded_units BETWEEN 0 AND units),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK (gone_units + freed_units <= units),
    UNIQUE (order_item_id, sku)
);

CREATE INDEX inventory_holds_order ON inventory_holds (order_id);
CREATE INDEX inventory_holds_open ON inventory_holds (sku) WHERE gone_units + freed_units < units;

-- Everything that ever happened to the stock. Rows are added, never changed.
CREATE TABLE inventory_movements (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    sku TEXT NOT NULL REFERENCES inventory_stock (sku),
    kind TEXT NOT NULL CHECK (kind IN (
        'count', 'adjust', 'import', 'reserve', 'release', 'ship', 'sell', 'restock', 'backorder', 'track')),
    on_hand_change INTEGER NOT NULL,
    reserved_change INTEGER NOT NULL,
    -- as they were afterwards
    on_hand INTEGER NOT NULL,
    reserved INTEGER NOT NULL,
    -- whether more could be ordered than there was
    backorder BOOLEAN NOT NULL,
    reason TEXT,
    -- `customer`, `operator`, `import` or `system`
    actor TEXT NOT NULL,
    order_id INTEGER REFERENCES orders (id),
    created_at TEXT NOT NULL
);

CREATE INDEX inventory_movements_sku ON inventory_movements (sku, id);

CREATE TRIGGER inventory_movements_are_not_changed BEFORE UPDATE ON inventory_movements
BEGIN
    SELECT RAISE(ABORT, 'rows of inventory_movements are added, never changed');
END;

CREATE TRIGGER inventory_movements_are_not_deleted BEFORE DELETE ON inventory_movements
BEGIN
    SELECT RAISE(ABORT, 'rows of inventory_movements are added, never deleted');
END;

-- By which stock keeping units a product is sold, so that its availability can be told.
CREATE TABLE inventory_parts (
    product_id INTEGER NOT NULL REFERENCES products (id) ON DELETE CASCADE,
    -- the key of the option whose choice it is; empty for the product itself
    part TEXT NOT NULL,
    sku TEXT NOT NULL,
    -- whether the product cannot be had without one of this part
    needed BOOLEAN NOT NULL,
    -- whether the product's settings or capabilities have it counted
    declared BOOLEAN NOT NULL,
    -- the catalog's version in which the product was looked at
    taken_version INTEGER NOT NULL,
    PRIMARY KEY (product_id, part, sku)
);

CREATE INDEX inventory_parts_sku ON inventory_parts (sku);

-- One row: up to which version of the catalog the products were looked at.
CREATE TABLE inventory_state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    catalog_version INTEGER NOT NULL
);

INSERT INTO inventory_state (id, catalog_version) VALUES (1, 0);
