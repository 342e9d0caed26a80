//! Statements that look for orders.

use stoa_kernel::db::Sql;
use stoa_kernel::{PageSql, SearchSql, search_sql, sorted_sql, sql};

/// What is shown of each order that was looked for; $5 and $6 are the ids between which it was placed, which stand at `$id`. Where ids were
/// found first, they are a `CROSS JOIN`, which SQLite takes in the order in which it stands.
macro_rules! list {
    ($sql:ident, $from:expr, $found:literal, $id:literal, $($order:tt)+) => {
        $sql!(
            select: "o.id, o.status, p.status AS payment_status, o.fulfillment_status, o.total_amount, o.currency,
                     o.customer_id, c.name AS customer_name,
                     CASE WHEN u.anonymized_at IS NULL THEN u.email END AS customer_email, o.review_reason, o.created_at,
                     EXISTS (SELECT 1 FROM withdrawals w WHERE w.order_id = o.id AND w.status IN ('declared', 'accepted'))
                         AS is_withdrawn",
            from: $from,
            join: " JOIN customers c ON c.id = o.customer_id JOIN users u ON u.id = c.user_id",
            where: concat!(
                $found,
                "(CAST($1 AS TEXT) IS NULL OR o.status = $1) AND (CAST($2 AS TEXT) IS NULL OR p.status = $2)
                 AND (CAST($3 AS BOOLEAN) IS NULL
                      OR (o.status = 'paid' AND o.fulfillment_status IN ('unfulfilled', 'partially_fulfilled')))
                 AND (CAST($4 AS BOOLEAN) IS NULL OR o.review_reason IS NOT NULL)
                 AND (CAST($5 AS BIGINT) IS NULL OR ",
                $id,
                " >= $5) AND (CAST($6 AS BIGINT) IS NULL OR ",
                $id,
                " < $6) AND (CAST($7 AS BIGINT) IS NULL OR o.customer_id = $7)"
            ),
            limit: "$8",
            order_by: $($order)+
        )
    };
}

pub(super) const SEARCH: SearchSql =
    list!(search_sql, "FROM orders o LEFT JOIN payments p ON p.order_id = o.id", "", "o.id", "o.id");

/// The same from what is known of payments, of which an index has the state.
pub(super) const SEARCH_BY_PAYMENT: SearchSql =
    list!(search_sql, "FROM payments p LEFT JOIN orders o ON o.id = p.order_id", "", "p.order_id", "p.order_id");

/// The same of cancelled orders, which have an index of their own: money hardly ever comes for them.
pub(super) const SEARCH_CANCELLED: SearchSql = list!(
    search_sql,
    "FROM payments p LEFT JOIN orders o ON o.id = p.order_id",
    "p.order_cancelled = TRUE AND ",
    "p.order_id",
    "p.order_id"
);

/// The newest order, which tells about how many there are without a count.
pub(super) const NEWEST: Sql = sql!("SELECT COALESCE(MAX(id), 0) FROM orders");

/// The same of orders that have this number ($9), tracking number or invoice ($10), or hold a text ($11) anywhere in a name or in the
/// e-mail address, where there are few.
pub(super) const SEARCH_HOLDING: SearchSql = list!(
    search_sql,
    "FROM (SELECT CAST($9 AS BIGINT) AS id
           UNION SELECT s.order_id FROM shipments s WHERE s.tracking = $10
           UNION SELECT i.order_id FROM invoices i WHERE i.number = UPPER(CAST($10 AS TEXT))
           UNION SELECT n.id FROM orders n JOIN customers nc ON nc.id = n.customer_id JOIN users nu ON nu.id = nc.user_id
                 WHERE LOWER(nc.name) LIKE $11 ESCAPE '\\' OR LOWER(n.billing_address ->> 'name') LIKE $11 ESCAPE '\\'
                    OR LOWER(n.shipping_address ->> 'name') LIKE $11 ESCAPE '\\'
                    OR (nu.email LIKE $11 ESCAPE '\\' AND nu.anonymized_at IS NULL)) f
     CROSS JOIN orders o LEFT JOIN payments p ON p.order_id = o.id",
    "o.id = f.id AND ",
    "f.id",
    "f.id"
);

/// The same of orders that have this number ($9), tracking number or invoice ($10), or are of these customers ($11): they are put in order
/// first, so that PostgreSQL looks up no more than a page of them.
pub(super) const SEARCH_BEGINNING: SearchSql = list!(
    search_sql,
    "FROM (SELECT CAST($9 AS BIGINT) AS id
           UNION SELECT s.order_id FROM shipments s WHERE s.tracking = $10
           UNION SELECT i.order_id FROM invoices i WHERE i.number = UPPER(CAST($10 AS TEXT))
           UNION SELECT n.id FROM json_each($11) named
                 CROSS JOIN orders n WHERE n.customer_id = CAST(named.value ->> 'id' AS BIGINT)
           ORDER BY id DESC) f
     CROSS JOIN orders o LEFT JOIN payments p ON p.order_id = o.id",
    "o.id = f.id AND ",
    "f.id",
    "f.id"
);

/// Orders in the order of their totals, behind one with the total $9 and the id $10, or beyond the total $11.
pub(super) const BY_TOTAL: PageSql = list!(
    sorted_sql,
    "FROM orders s CROSS JOIN orders o LEFT JOIN payments p ON p.order_id = o.id",
    "",
    "o.id",
    "s.total_amount",
    type: "BIGINT",
    row: "o.id",
    behind: "$9", "$10", "$11"
);

/// The first order that was placed at a time or later.
pub(super) const FIRST_SINCE: Sql =
    sql!("SELECT id FROM orders WHERE created_at >= $1 ORDER BY created_at, id LIMIT 1");
