//! Statements that find what is wrong with idempotency keys: what it is about, and what is wrong.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

pub(super) const IDEMPOTENCY: Sql = sql!(
    "SELECT 'idempotency key of customer ' || CAST(k.customer_id AS TEXT), 'it has made nothing of this customer'
     FROM idempotency_keys k LEFT JOIN orders o ON o.id = k.order_id
     WHERE o.id IS NULL OR o.customer_id <> k.customer_id
     ORDER BY k.customer_id, k.route, k.key LIMIT 100"
);
