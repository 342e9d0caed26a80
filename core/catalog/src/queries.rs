//! Statements that read the catalog for clients.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

/// The version of the answers, and the one at which products or categories last changed.
pub(super) const VERSION: Sql = sql!("SELECT version, listing_version FROM catalog_state WHERE id = 1");

/// The listing in its order, as one text `id:category,…`: a row each would cost the driver more than
/// the database needs for all of them.
pub(super) const LISTING: Sql = sql!(
    sqlite: "SELECT group_concat(entry, ',') FROM (
                 SELECT id || ':' || coalesce(category_id, 0) AS entry
                 FROM products INDEXED BY products_listing
                 WHERE visible ORDER BY name_folded, id)",
    postgres: "SELECT string_agg(id || ':' || coalesce(category_id, 0), ',' ORDER BY name_folded, id)
               FROM products WHERE visible",
);

pub(super) const CATEGORIES: Sql = sql!(
    "SELECT id, name, slug, parent_id, image FROM categories
     WHERE visible = TRUE ORDER BY name_folded, id"
);

/// Only what modules say counts that are enabled: their names are `$2`.
macro_rules! products {
    ($rest:literal) => {
        sql!(concat!(
            "SELECT p.id, p.name, p.slug, p.subtitle, p.sku, p.description, p.price_amount,
                    p.brand, p.gtin, p.weight_grams, p.compare_at_amount, p.unit_price, p.safety, p.images,
                    p.capabilities, p.options, c.id AS category_id, c.name AS category_name, c.slug AS category_slug,
                    (SELECT MAX(a.shortage) FROM product_availability a
                     WHERE a.product_id = p.id AND a.module IN (SELECT value ->> 'name' FROM json_each($2))) AS shortage",
            $rest
        ))
    };
}

pub(super) const BY_SLUG: Sql = products!(
    " FROM products p LEFT JOIN categories c ON c.id = p.category_id
     WHERE p.slug = $1 AND p.visible = TRUE"
);

pub(super) const BY_IDS: Sql = products!(
    " FROM json_each($1) wanted
     JOIN products p ON p.id = CAST(wanted.value ->> 'id' AS BIGINT)
     LEFT JOIN categories c ON c.id = p.category_id
     WHERE p.visible = TRUE"
);

/// Products that a module calls sold out.
pub(super) const SOLD_OUT: Sql = sql!(
    "SELECT DISTINCT a.product_id FROM product_availability a
     WHERE a.shortage >= 3 AND a.module IN (SELECT value ->> 'name' FROM json_each($1))"
);

/// What the modules keep about products.
pub(super) const SETTINGS_OF: Sql = sql!(
    "SELECT s.product_id, s.module, s.settings
     FROM json_each($1) wanted
     JOIN product_settings s ON s.product_id = CAST(wanted.value ->> 'id' AS BIGINT)"
);

/// The newest changes of the prices of products: enough for one each hour of the days that count.
pub(super) const PRICE_HISTORY: Sql = sql!(
    "SELECT product_id, since, price_amount, compare_at_amount
     FROM (SELECT h.product_id, h.since, h.price_amount, h.compare_at_amount,
                  ROW_NUMBER() OVER (PARTITION BY h.product_id ORDER BY h.since DESC) AS age
           FROM json_each($1) wanted
           JOIN product_prices h ON h.product_id = CAST(wanted.value ->> 'id' AS BIGINT)) AS changes
     WHERE age <= 1000
     ORDER BY product_id, since"
);

/// For operators: whether customers can see it or not.
pub(super) const DETAILS_BY_SLUG: Sql = products!(
    ", p.active, p.visible, p.tax_class
     FROM products p LEFT JOIN categories c ON c.id = p.category_id
     WHERE p.slug = $1"
);

pub(super) const DETAILS_AFTER: Sql = products!(
    ", p.active, p.visible, p.tax_class
     FROM products p LEFT JOIN categories c ON c.id = p.category_id
     WHERE p.id > $1 ORDER BY p.id LIMIT $3"
);

/// Texts of products changed after a version, in slices by id.
pub(super) const CHANGED_TEXTS: Sql = sql!(
    "SELECT id, name_folded, description, capabilities, price_amount, brand, options FROM products
     WHERE changed_version > $1 AND id > $2 AND visible = TRUE ORDER BY id LIMIT $3"
);

/// The id of a product.
pub(super) const ID_BY_SLUG: Sql = sql!("SELECT id FROM products WHERE slug = $1");

pub(super) const PRODUCT_SLUGS: Sql = sql!("SELECT slug FROM products ORDER BY slug");

pub(super) const CATEGORY_SLUGS: Sql = sql!("SELECT slug FROM categories ORDER BY slug");
