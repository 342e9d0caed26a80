//! Statements that write the catalog.

use crate::db::Sql;
use crate::sql;

pub(super) const RAISE_VERSION: Sql =
    sql!("UPDATE catalog_state SET version = version + 1 WHERE id = 1 RETURNING version");

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
    sqlite: "INSERT INTO products (slug, name, name_folded, subtitle, sku, description, price_amount, tax_class,
                                   category_id, images, capabilities, options, active, visible, changed_version,
                                   created_at, updated_at)
             SELECT value ->> 'slug', value ->> 'name', value ->> 'name_folded', value ->> 'subtitle',
                    value ->> 'sku', value ->> 'description', value ->> 'price_amount', value ->> 'tax_class',
                    value ->> 'category_id', value -> 'images', value -> 'capabilities', value -> 'options',
                    value ->> 'active', value ->> 'visible', $2, $3, $3
             FROM json_each($1) WHERE TRUE
             ON CONFLICT (slug) DO UPDATE SET
                 name = excluded.name, name_folded = excluded.name_folded, subtitle = excluded.subtitle,
                 sku = excluded.sku, description = excluded.description, price_amount = excluded.price_amount,
                 tax_class = excluded.tax_class, category_id = excluded.category_id, images = excluded.images,
                 capabilities = excluded.capabilities, options = excluded.options, active = excluded.active,
                 visible = excluded.visible, changed_version = excluded.changed_version,
                 updated_at = excluded.updated_at",
    postgres: "INSERT INTO products (slug, name, name_folded, subtitle, sku, description, price_amount, tax_class,
                                     category_id, images, capabilities, options, active, visible, changed_version,
                                     created_at, updated_at)
               SELECT value ->> 'slug', value ->> 'name', value ->> 'name_folded', value ->> 'subtitle',
                      value ->> 'sku', value ->> 'description', CAST(value ->> 'price_amount' AS BIGINT),
                      value ->> 'tax_class', CAST(value ->> 'category_id' AS BIGINT), value -> 'images',
                      value -> 'capabilities', value -> 'options', CAST(value ->> 'active' AS BOOLEAN),
                      CAST(value ->> 'visible' AS BOOLEAN), $2, $3, $3
               FROM json_each($1)
               ON CONFLICT (slug) DO UPDATE SET
                   name = excluded.name, name_folded = excluded.name_folded, subtitle = excluded.subtitle,
                   sku = excluded.sku, description = excluded.description, price_amount = excluded.price_amount,
                   tax_class = excluded.tax_class, category_id = excluded.category_id, images = excluded.images,
                   capabilities = excluded.capabilities, options = excluded.options, active = excluded.active,
                   visible = excluded.visible, changed_version = excluded.changed_version,
                   updated_at = excluded.updated_at",
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
