//! What the storefront reads of the shop by itself.

use stoa_core::prelude::*;

/// The parts of the sitemap that have products, and how many each has: a part holds the products of `$1` successive ids.
pub(crate) const COUNT_PRODUCTS_BY_PART: Sql = sql!(
    "SELECT (id - 1) / $1 AS part, COUNT(*) AS products FROM shop_products WHERE visible = TRUE
     GROUP BY (id - 1) / $1 ORDER BY 1"
);

/// One of the products that stand in no category, and are found by no way through these.
pub(crate) const FIND_LOOSE_PRODUCT: Sql =
    sql!("SELECT id FROM shop_products WHERE category_id IS NULL AND visible = TRUE LIMIT 1");

/// The products with ids above `$1` and up to `$2`.
pub(crate) const LIST_PRODUCTS: Sql =
    sql!("SELECT slug, updated_at FROM shop_products WHERE id > $1 AND id <= $2 AND visible = TRUE ORDER BY id");
