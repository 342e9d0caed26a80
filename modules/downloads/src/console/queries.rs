//! Statements of the console's pages.

use stoa_core::prelude::*;

pub(super) const COUNT_GRANTS: Sql = sql!(
    "SELECT COUNT(*) FROM (
         SELECT 1 FROM downloads_grants g
         JOIN downloads_assets a ON a.id = g.asset_id
         JOIN shop_products p ON p.id = a.product_id
         JOIN shop_customers c ON c.id = g.customer_id
         WHERE (CAST($1 AS BIGINT) IS NULL OR g.order_id = $1) AND (CAST($2 AS TEXT) IS NULL OR c.email = $2)
           AND (CAST($3 AS TEXT) IS NULL OR p.slug = $3)
         LIMIT $4) AS counted"
);

/// Files with the newest version of each.
macro_rules! files {
    ($which:literal) => {
        sql!(concat!(
            "SELECT a.id, p.slug AS product, a.filename, v.number AS version, v.size, a.detached_at,
                    v.created_at AS attached_at, v.problem
             FROM downloads_assets a
             JOIN shop_products p ON p.id = a.product_id
             JOIN downloads_versions v ON v.asset_id = a.id
              AND v.number = (SELECT MAX(newest.number) FROM downloads_versions newest WHERE newest.asset_id = a.id) ",
            $which
        ))
    };
}

/// A page of files, the newest first.
pub(super) const PAGE_ASSETS: Sql = files!(
    "WHERE (CAST($1 AS TEXT) IS NULL OR p.slug = $1) AND (CAST($2 AS BIGINT) IS NULL OR a.id < $2)
     ORDER BY a.id DESC LIMIT $3"
);

pub(super) const FILES_OF_PRODUCT: Sql = files!("WHERE a.product_id = $1 ORDER BY a.id DESC LIMIT 50");

pub(super) const COUNT_ASSETS: Sql = sql!(
    "SELECT COUNT(*) FROM (
         SELECT 1 FROM downloads_assets a JOIN shop_products p ON p.id = a.product_id
         WHERE CAST($1 AS TEXT) IS NULL OR p.slug = $1 LIMIT $2) AS counted"
);
