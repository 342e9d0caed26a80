-- One row: the version of the whole catalog, raised by every transaction that changes it.
CREATE TABLE catalog_state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    version INTEGER NOT NULL
);

INSERT INTO catalog_state (id, version) VALUES (1, 1);

CREATE TABLE categories (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    slug TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    name_folded TEXT NOT NULL,
    parent_id INTEGER REFERENCES categories (id),
    image TEXT,
    active BOOLEAN NOT NULL,
    -- active, and so are all categories above it
    visible BOOLEAN NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
);

CREATE INDEX categories_parent ON categories (parent_id);

CREATE TABLE products (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    slug TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    name_folded TEXT NOT NULL,
    subtitle TEXT,
    sku TEXT,
    description TEXT,
    price_amount INTEGER NOT NULL CHECK (price_amount >= 0),
    tax_class TEXT,
    category_id INTEGER REFERENCES categories (id),
    images TEXT NOT NULL,
    capabilities TEXT NOT NULL,
    options TEXT NOT NULL,
    active BOOLEAN NOT NULL,
    -- active, and in no category or a visible one
    visible BOOLEAN NOT NULL,
    -- the catalog's version when this row last changed
    changed_version INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
);

CREATE INDEX products_shelf ON products (name_folded, id, category_id) WHERE visible;
CREATE INDEX products_category ON products (category_id);
CREATE INDEX products_changed ON products (changed_version);
CREATE INDEX products_sku ON products (sku) WHERE sku IS NOT NULL;

-- What a module keeps about a product, in that module's own form.
CREATE TABLE product_settings (
    product_id INTEGER NOT NULL REFERENCES products (id) ON DELETE CASCADE,
    module TEXT NOT NULL,
    settings TEXT NOT NULL,
    PRIMARY KEY (product_id, module)
);
