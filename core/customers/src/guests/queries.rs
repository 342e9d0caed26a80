//! Statements about guests.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

pub(super) const INSERT_USER: Sql =
    sql!("INSERT INTO users (email, guest, created_at, updated_at) VALUES ($1, TRUE, $2, $2) RETURNING id");

/// On PostgreSQL, whoever hands over what the guest has bought waits until this transaction is over, and this one for whoever is
/// about to; SQLite has one writer.
pub(super) const CONFIRM: Sql = sql!(
    sqlite: "SELECT u.id FROM users u JOIN customers c ON c.user_id = u.id WHERE c.id = $1 AND u.anonymized_at IS NULL",
    postgres: "SELECT u.id FROM users u JOIN customers c ON c.user_id = u.id WHERE c.id = $1 AND u.anonymized_at IS NULL
               FOR SHARE OF u",
);

/// The guests who have the address of the account `$1`.
pub(super) const LOCK_OF_ADDRESS: Sql = sql!(
    sqlite: "SELECT g.id, u.id AS user_id, u.email, c.id AS customer_id
             FROM users a
             JOIN customers c ON c.user_id = a.id
             JOIN users u ON u.email = a.email AND u.guest = TRUE AND u.anonymized_at IS NULL
             JOIN customers g ON g.user_id = u.id
             WHERE a.id = $1 AND a.guest = FALSE AND a.anonymized_at IS NULL
             ORDER BY u.id",
    postgres: "SELECT g.id, u.id AS user_id, u.email, c.id AS customer_id
               FROM users a
               JOIN customers c ON c.user_id = a.id
               JOIN users u ON u.email = a.email AND u.guest = TRUE AND u.anonymized_at IS NULL
               JOIN customers g ON g.user_id = u.id
               WHERE a.id = $1 AND a.guest = FALSE AND a.anonymized_at IS NULL
               ORDER BY u.id
               FOR UPDATE OF u",
);

pub(super) const COUNT_OF_ADDRESS: Sql =
    sql!("SELECT COUNT(*) FROM users WHERE email = $1 AND guest = TRUE AND anonymized_at IS NULL");
