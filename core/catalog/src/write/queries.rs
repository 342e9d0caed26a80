//! Statements that write the catalog.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

pub(super) const RAISE_VERSION: Sql = sql!(
    "UPDATE catalog_state SET version = version + 1, listing_version = version + 1 WHERE id = 1 RETURNING version"
);

/// What the answers say has changed, but not which products there are.
pub(super) const RAISE_ANSWERS_VERSION: Sql = sql!("UPDATE catalog_state SET version = version + 1 WHERE id = 1");

/// Changes nothing, but makes whoever changes the catalog wait, on both databases.
pub(super) const LOCK: Sql = sql!("UPDATE catalog_state SET version = version WHERE id = 1");

pub(super) const AVAILABILITY: Sql = sql!(
    "SELECT product_id, shortage FROM product_availability
     WHERE module = $1 AND product_id IN (SELECT CAST(value ->> 'id' AS BIGINT) FROM json_each($2))"
);

/// Only what modules say counts that are enabled: their names are `$2`.
pub(super) const AVAILABILITY_OF: Sql = sql!(
    "SELECT p.id, (SELECT MAX(a.shortage) FROM product_availability a
                   WHERE a.product_id = p.id AND a.module IN (SELECT value ->> 'name' FROM json_each($2)))
     FROM json_each($1) wanted JOIN products p ON p.id = CAST(wanted.value ->> 'id' AS BIGINT)
     WHERE p.visible = TRUE"
);

pub(super) const TELL_AVAILABILITY: Sql = sql!(
    "INSERT INTO product_availability (product_id, module, shortage)
     SELECT p.id, CAST($1 AS TEXT), CAST(told.value ->> 'shortage' AS BIGINT)
     FROM json_each($2) told JOIN products p ON p.id = CAST(told.value ->> 'id' AS BIGINT)
     WHERE TRUE
     ON CONFLICT (product_id, module) DO UPDATE SET shortage = excluded.shortage"
);

pub(super) const TAKE_AVAILABILITY_BACK: Sql = sql!(
    "DELETE FROM product_availability
     WHERE module = $1 AND product_id IN (SELECT CAST(value ->> 'id' AS BIGINT) FROM json_each($2))"
);

pub(super) const IDS: Sql =
    sql!("SELECT p.slug, p.id FROM json_each($1) wanted JOIN products p ON p.slug = wanted.value ->> 'slug'");

pub(super) const ALL_CATEGORIES: Sql = sql!(
    "SELECT c.id, c.slug, c.name, p.slug AS parent, c.image, c.active, c.visible
     FROM categories c LEFT JOIN categories p ON p.id = c.parent_id ORDER BY c.id"
);

pub(super) const UPSERT_CATEGORY: Sql = sql!(
    "INSERT INTO categories (slug, name, name_folded, parent_id, image, active, visible, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)
     ON CONFLICT (slug) DO UPDATE SET
         name = excluded.name, name_folded = excluded.name_folded, parent_id = excluded.parent_id,
         image = excluded.image, active = excluded.active, visible = excluded.visible,
         updated_at = excluded.updated_at
     RETURNING id"
);

pub(super) const SET_CATEGORY_VISIBLE: Sql = sql!("UPDATE categories SET visible = $2 WHERE id = $1");

/// Products of a category follow its visibility.
pub(super) const SET_PRODUCTS_VISIBLE: Sql = sql!(
    "UPDATE products SET visible = (active AND $2), changed_version = $3
     WHERE category_id = $1 AND visible <> (active AND $2)"
);

pub(super) const STORED_PRODUCTS: Sql = sql!(
    "SELECT p.id, p.slug, p.name, p.subtitle, p.sku, p.description, p.price_amount, p.tax_class,
            p.brand, p.gtin, p.weight_grams, p.compare_at_amount, p.unit_price, p.safety,
            c.slug AS category, p.images, p.active, p.capabilities, p.options
     FROM json_each($1) wanted
     JOIN products p ON p.slug = wanted.value ->> 'slug'
     LEFT JOIN categories c ON c.id = p.category_id"
);

pub(super) const STORED_SETTINGS: Sql = sql!(
    "SELECT p.slug, s.module, s.settings
     FROM json_each($1) wanted
     JOIN products p ON p.slug = wanted.value ->> 'slug'
     JOIN product_settings s ON s.product_id = p.id"
);

pub(super) const UPSERT_PRODUCTS: Sql = sql!(
    sqlite: "INSERT INTO products (slug, name, name_folded, subtitle, sku, description, price_amount, brand, gtin,
                                   weight_grams, compare_at_amount, unit_price, safety, tax_class, category_id, images,
                                   capabilities, options, active, visible, changed_version, created_at, updated_at)
             SELECT value ->> 'slug', value ->> 'name', value ->> 'name_folded', value ->> 'subtitle',
                    value ->> 'sku', value ->> 'description', value ->> 'price_amount', value ->> 'brand',
                    value ->> 'gtin', value ->> 'weight_grams', value ->> 'compare_at_amount',
                    value ->> 'unit_price', value ->> 'safety', value ->> 'tax_class',
                    value ->> 'category_id', value -> 'images', value -> 'capabilities', value -> 'options',
                    value ->> 'active', value ->> 'visible', $2, $3, $3
             FROM json_each($1) WHERE TRUE
             ON CONFLICT (slug) DO UPDATE SET
                 name = excluded.name, name_folded = excluded.name_folded, subtitle = excluded.subtitle,
                 sku = excluded.sku, description = excluded.description, price_amount = excluded.price_amount,
                 brand = excluded.brand, gtin = excluded.gtin, weight_grams = excluded.weight_grams,
                 compare_at_amount = excluded.compare_at_amount, unit_price = excluded.unit_price,
                 safety = excluded.safety, tax_class = excluded.tax_class,
                 category_id = excluded.category_id, images = excluded.images, capabilities = excluded.capabilities,
                 options = excluded.options, active = excluded.active,
                 visible = excluded.visible, changed_version = excluded.changed_version,
                 updated_at = excluded.updated_at",
    postgres: "INSERT INTO products (slug, name, name_folded, subtitle, sku, description, price_amount, brand, gtin,
                                     weight_grams, compare_at_amount, unit_price, safety, tax_class, category_id, images,
                                     capabilities, options, active, visible, changed_version, created_at, updated_at)
               SELECT value ->> 'slug', value ->> 'name', value ->> 'name_folded', value ->> 'subtitle',
                      value ->> 'sku', value ->> 'description', CAST(value ->> 'price_amount' AS BIGINT),
                      value ->> 'brand', value ->> 'gtin', CAST(value ->> 'weight_grams' AS BIGINT),
                      CAST(value ->> 'compare_at_amount' AS BIGINT), CAST(value ->> 'unit_price' AS JSONB),
                      CAST(value ->> 'safety' AS JSONB), value ->> 'tax_class',
                      CAST(value ->> 'category_id' AS BIGINT), value -> 'images', value -> 'capabilities',
                      value -> 'options', CAST(value ->> 'active' AS BOOLEAN),
                      CAST(value ->> 'visible' AS BOOLEAN), $2, $3, $3
               FROM json_each($1)
               ON CONFLICT (slug) DO UPDATE SET
                   name = excluded.name, name_folded = excluded.name_folded, subtitle = excluded.subtitle,
                   sku = excluded.sku, description = excluded.description, price_amount = excluded.price_amount,
                   brand = excluded.brand, gtin = excluded.gtin, weight_grams = excluded.weight_grams,
                   compare_at_amount = excluded.compare_at_amount, unit_price = excluded.unit_price,
                 safety = excluded.safety, tax_class = excluded.tax_class,
                   category_id = excluded.category_id, images = excluded.images, capabilities = excluded.capabilities,
                   options = excluded.options, active = excluded.active,
                   visible = excluded.visible, changed_version = excluded.changed_version,
                   updated_at = excluded.updated_at",
);

/// Notes what the written products cost from now on, where that differs from what was noted last.
pub(super) const NOTE_PRICES: Sql = sql!(
    "INSERT INTO product_prices (product_id, since, price_amount, compare_at_amount)
     SELECT p.id, $2, p.price_amount, p.compare_at_amount
     FROM json_each($1) wanted JOIN products p ON p.slug = wanted.value ->> 'slug'
     WHERE NOT EXISTS (
         SELECT 1 FROM product_prices h
         WHERE h.product_id = p.id AND h.price_amount = p.price_amount
           AND h.compare_at_amount IS NOT DISTINCT FROM p.compare_at_amount
           AND h.since = (SELECT MAX(newest.since) FROM product_prices newest WHERE newest.product_id = p.id))
     ON CONFLICT (product_id, since) DO UPDATE SET
         price_amount = excluded.price_amount, compare_at_amount = excluded.compare_at_amount"
);

/// Settings of the written products are written anew.
pub(super) const CLEAR_SETTINGS: Sql = sql!(
    "DELETE FROM product_settings WHERE product_id IN (
         SELECT p.id FROM json_each($1) wanted JOIN products p ON p.slug = wanted.value ->> 'slug')"
);

pub(super) const INSERT_SETTINGS: Sql = sql!(
    "INSERT INTO product_settings (product_id, module, settings)
     SELECT p.id, wanted.value ->> 'module', wanted.value -> 'settings'
     FROM json_each($1) wanted JOIN products p ON p.slug = wanted.value ->> 'slug'"
);

/// Keeps a product out of carts while it is being deleted: PostgreSQL's foreign keys wait for this lock.
pub(super) const LOCK_PRODUCT: Sql = sql!(
    sqlite: "SELECT id FROM products WHERE slug = $1",
    postgres: "SELECT id FROM products WHERE slug = $1 FOR UPDATE",
);

/// The carts with a product, which nobody changes or places meanwhile.
pub(super) const LOCK_CARTS_WITH: Sql = sql!(
    sqlite: "SELECT id FROM carts WHERE id IN (SELECT cart_id FROM cart_lines WHERE product_id = $1) ORDER BY id",
    postgres: "SELECT id FROM carts WHERE id IN (SELECT cart_id FROM cart_lines WHERE product_id = $1) ORDER BY id
               FOR UPDATE",
);

pub(super) const COUNT_ORDERS_WITH: Sql =
    sql!("SELECT COUNT(DISTINCT order_id) FROM order_lines WHERE product_id = $1");

pub(super) const DELETE_PRODUCT: Sql = sql!("DELETE FROM products WHERE id = $1");

pub(super) const CATEGORY_FILLING: Sql = sql!(
    "SELECT c.id, (SELECT COUNT(*) FROM products p WHERE p.category_id = c.id),
            (SELECT COUNT(*) FROM categories b WHERE b.parent_id = c.id)
     FROM categories c WHERE c.slug = $1"
);

pub(super) const DELETE_CATEGORY: Sql = sql!("DELETE FROM categories WHERE id = $1");
