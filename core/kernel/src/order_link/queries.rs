//! Statements about the order that a link opens.

use crate::db::Sql;
use crate::sql;

/// Whose order it is. Nobody reads the orders of whoever was anonymized.
pub(super) const FIND_CUSTOMER: Sql = sql!(
    "SELECT o.customer_id FROM orders o
     JOIN customers c ON c.id = o.customer_id
     JOIN users u ON u.id = c.user_id
     WHERE o.id = $1 AND u.anonymized_at IS NULL"
);
