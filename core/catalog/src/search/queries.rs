//! Statements that look for products as operators do.

use stoa_kernel::db::Sql;
use stoa_kernel::{PageSql, SearchSql, search_sql, sorted_sql, sql};

/// How many products there are, counted up to so many.
pub(super) const COUNT_ALL: Sql = sql!("SELECT COUNT(*) FROM (SELECT 1 FROM products LIMIT $1) AS counted");

/// What is shown of each product that was looked for. Of what modules say, only that of those counts that are on: their names are the
/// last value of the list.
macro_rules! list {
    ($sql:ident, $modules:literal, $from:literal, $found:literal, $($order:tt)+) => {
        $sql!(
            select: concat!(
                "p.id, p.slug, p.name, p.sku, p.price_amount, p.images, p.capabilities, p.active, p.visible,
                 c.slug AS category_slug, c.name AS category_name,
                 (SELECT MAX(a.shortage) FROM product_availability a
                  WHERE a.product_id = p.id AND a.module IN (SELECT value ->> 'name' FROM json_each(",
                $modules,
                "))) AS shortage"
            ),
            from: $from,
            join: " LEFT JOIN categories c ON c.id = p.category_id",
            where: concat!(
                $found,
                "(CAST($1 AS BOOLEAN) IS NULL OR p.active = $1)
                 AND (CAST($2 AS TEXT) IS NULL
                      OR p.category_id = (SELECT chosen.id FROM categories chosen WHERE chosen.slug = $2))
                 AND (CAST($3 AS TEXT) IS NULL OR CAST(p.capabilities AS TEXT) LIKE $3)
                 AND p.id < $4"
            ),
            limit: "$5",
            order_by: $($order)+
        )
    };
}

pub(super) const SEARCH: SearchSql = list!(search_sql, "$6", "FROM products p", "", "p.id");

/// The same of products that are inactive, and of those of one category, by the index of these.
pub(super) const SEARCH_INACTIVE: SearchSql = list!(search_sql, "$6", "FROM products p", "NOT p.active AND ", "p.id");

pub(super) const SEARCH_IN_CATEGORY: SearchSql = list!(
    search_sql,
    "$6",
    "FROM products p",
    "p.category_id = (SELECT wanted.id FROM categories wanted WHERE wanted.slug = $2) AND ",
    "p.id"
);

/// The same of products whose name, slug or SKU holds a text anywhere ($6), where there are few.
pub(super) const SEARCH_HOLDING: SearchSql = list!(
    search_sql,
    "$7",
    "FROM products p",
    "(p.name_folded LIKE $6 ESCAPE '\\' OR p.slug LIKE $6 ESCAPE '\\' OR LOWER(p.sku) LIKE $6 ESCAPE '\\') AND ",
    "p.id"
);

/// The same of products whose name or slug begins between $6 and $7, or whose SKU is $8; no more of each than are counted. They are put
/// in order before they are looked up: so PostgreSQL does not go through all products in theirs.
pub(super) const SEARCH_BEGINNING: SearchSql = list!(
    search_sql,
    "$9",
    "FROM (SELECT named.id FROM (
               SELECT n.id FROM products n WHERE n.name_folded >= $6 AND n.name_folded < $7 LIMIT 501) AS named
           UNION SELECT known.id FROM (
               SELECT s.id FROM products s WHERE s.slug >= $6 AND s.slug < $7 LIMIT 501) AS known
           UNION SELECT k.id FROM products k WHERE k.sku = $8 ORDER BY id DESC) f
     CROSS JOIN products p",
    "p.id = f.id AND ",
    "f.id"
);

/// Products in the order of a column, behind one with the value $6 and the id $7, or beyond the value $8.
macro_rules! in_order {
    ($value:literal, $type:literal) => {
        list!(
            sorted_sql,
            "$9",
            "FROM products s CROSS JOIN products p",
            "",
            $value,
            type: $type,
            row: "p.id",
            behind: "$6", "$7", "$8"
        )
    };
}

pub(super) const BY_NAME: PageSql = in_order!("s.name_folded", "TEXT");

pub(super) const BY_PRICE: PageSql = in_order!("s.price_amount", "BIGINT");
