//! Statements that find what customers cannot see or use.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

/// Active products that nobody sees, by the category that hides them.
pub(super) const HIDDEN_PRODUCTS: Sql = sql!(
    "SELECT c.slug, COUNT(*) AS count FROM products p JOIN categories c ON c.id = p.category_id
     WHERE p.active = TRUE AND c.visible = FALSE GROUP BY c.slug ORDER BY c.slug"
);

/// The combinations of capabilities that visible products have.
pub(super) const CAPABILITIES: Sql =
    sql!("SELECT capabilities, COUNT(*) AS count FROM products WHERE visible = TRUE GROUP BY capabilities");

/// Pictures of active products that have some, in slices by id.
pub(super) const PRODUCT_IMAGES: Sql = sql!(
    "SELECT id, slug, images FROM products WHERE active = TRUE AND images <> '[]' AND id > $1 ORDER BY id LIMIT $2"
);

pub(super) const CATEGORY_IMAGES: Sql =
    sql!("SELECT slug, image FROM categories WHERE active = TRUE AND image IS NOT NULL ORDER BY id");
