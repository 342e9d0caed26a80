-- Whether a product can be had, as each module sees it that has something to say about it.
CREATE TABLE product_availability (
    product_id BIGINT NOT NULL REFERENCES products (id) ON DELETE CASCADE,
    module TEXT COLLATE "C" NOT NULL,
    -- the more, the less can be had: 0 in stock, 1 low stock, 2 backorder, 3 out of stock
    shortage BIGINT NOT NULL CHECK (shortage BETWEEN 0 AND 3),
    PRIMARY KEY (product_id, module)
);

-- The version at which products or categories last changed. Availability raises the version alone, so that nobody reads
-- the whole shelf anew because something is sold out.
ALTER TABLE catalog_state ADD COLUMN shelf_version BIGINT NOT NULL DEFAULT 0;
UPDATE catalog_state SET shelf_version = version;
