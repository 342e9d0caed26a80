//! Statements about one customer's account.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

pub(super) const FIND: Sql = sql!(
    "SELECT c.id, c.name, u.email, (u.email_verified_at IS NOT NULL) AS email_verified, u.guest
     FROM customers c JOIN users u ON u.id = c.user_id
     WHERE c.id = $1 AND u.anonymized_at IS NULL"
);

pub(super) const FIND_BY_USER: Sql = sql!(
    "SELECT c.id, c.name, u.email, (u.email_verified_at IS NOT NULL) AS email_verified, u.guest
     FROM customers c JOIN users u ON u.id = c.user_id
     WHERE u.id = $1 AND u.anonymized_at IS NULL"
);

pub(super) const RENAME: Sql = sql!("UPDATE customers SET name = $2, updated_at = $3 WHERE id = $1");
