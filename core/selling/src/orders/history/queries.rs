//! Statements about the history of orders.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

pub(super) const INSERT: Sql =
    sql!("INSERT INTO order_history (order_id, action, actor, detail, created_at) VALUES ($1, $2, $3, $4, $5)");

/// Two lines by the same actor, in this order.
pub(super) const INSERT_TWO: Sql = sql!(
    "INSERT INTO order_history (order_id, action, actor, detail, created_at)
     VALUES ($1, $2, $3, $4, $5), ($1, $6, $3, $7, $5)"
);

pub(super) const LIST: Sql =
    sql!("SELECT action, actor, detail, created_at FROM order_history WHERE order_id = $1 ORDER BY id");
