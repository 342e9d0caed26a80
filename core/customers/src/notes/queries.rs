//! Statements about notes.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

/// Nobody is anonymized while something is noted about them: whoever erases takes the same row.
pub(super) const LOCK_CUSTOMER: Sql = sql!(
    "UPDATE customers SET updated_at = updated_at
     WHERE id = $1 AND EXISTS (SELECT 1 FROM users u WHERE u.id = customers.user_id AND u.anonymized_at IS NULL)"
);

pub(super) const INSERT: Sql =
    sql!("INSERT INTO customer_notes (customer_id, author, note, created_at) VALUES ($1, $2, $3, $4)");

pub(super) const LIST: Sql =
    sql!("SELECT id, author, note, created_at FROM customer_notes WHERE customer_id = $1 ORDER BY id DESC LIMIT $2");

pub(super) const ERASE: Sql = sql!("DELETE FROM customer_notes WHERE customer_id = $1");

/// Hands over what was noted about a guest.
pub(super) const CLAIM: Sql = sql!("UPDATE customer_notes SET customer_id = $2 WHERE customer_id = $1");
