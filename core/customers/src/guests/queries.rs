//! Statements about guests.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

pub(super) const INSERT_USER: Sql =
    sql!("INSERT INTO users (email, guest, created_at, updated_at) VALUES ($1, TRUE, $2, $2) RETURNING id");

/// Takes the guest's row: whoever hands over what the guest has bought waits until this transaction is over, and this one for
/// whoever is about to.
pub(super) const CONFIRM: Sql = sql!(
    "UPDATE users SET updated_at = $2
     WHERE id = (SELECT c.user_id FROM customers c WHERE c.id = $1) AND anonymized_at IS NULL"
);

pub(super) const FIND_BY_SESSION: Sql = sql!(
    "SELECT c.id FROM sessions s
     JOIN users u ON u.id = s.user_id
     JOIN customers c ON c.user_id = u.id
     WHERE s.secret_hash = $1 AND u.guest = TRUE AND u.anonymized_at IS NULL"
);

/// Takes the rows of the guests who have the address of the account `$1`.
pub(super) const LOCK_OF_ADDRESS: Sql = sql!(
    "UPDATE users SET updated_at = $2
     WHERE guest = TRUE AND anonymized_at IS NULL
       AND email = (SELECT a.email FROM users a WHERE a.id = $1 AND a.guest = FALSE AND a.anonymized_at IS NULL)
     RETURNING id AS user_id, email, (SELECT g.id FROM customers g WHERE g.user_id = users.id) AS id,
               (SELECT c.id FROM customers c WHERE c.user_id = $1) AS customer_id"
);

pub(super) const COUNT_OF_ADDRESS: Sql =
    sql!("SELECT COUNT(*) FROM users WHERE email = $1 AND guest = TRUE AND anonymized_at IS NULL");
