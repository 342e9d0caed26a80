//! Statements about users, customers and their sessions.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

pub(super) const INSERT_USER: Sql = sql!(
    "INSERT INTO users (email, password_hash, email_verified_at, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $4)
     ON CONFLICT (email) WHERE guest = FALSE DO NOTHING
     RETURNING id"
);

pub(super) const INSERT_CUSTOMER: Sql = sql!(
    "INSERT INTO customers (user_id, name, created_at, updated_at)
     VALUES ($1, $2, $3, $3)
     RETURNING id"
);

/// Unless the password was changed in between.
pub(super) const RENEW_PASSWORD_HASH: Sql =
    sql!("UPDATE users SET password_hash = $3 WHERE id = $1 AND password_hash = $2");

pub(super) const FIND_BY_EMAIL: Sql = sql!(
    "SELECT c.id, c.user_id, c.name, u.email, u.password_hash, u.email_verified_at, u.guest, c.created_at
     FROM users u JOIN customers c ON c.user_id = u.id
     WHERE u.email = $1 AND u.guest = FALSE AND u.anonymized_at IS NULL"
);

macro_rules! accounts {
    ($rest:literal) => {
        sql!(concat!(
            "SELECT c.id, c.user_id, c.name, u.email, u.password_hash IS NOT NULL AS has_password,
                    u.email_verified_at, u.guest, u.anonymized_at, c.properties, c.created_at
             FROM users u JOIN customers c ON c.user_id = u.id ",
            $rest
        ))
    };
}

pub(super) const FIND_ACCOUNT: Sql = accounts!("WHERE c.id = $1");

/// Neither guests nor those who are anonymized, whose stored address is none.
pub(super) const FIND_ACCOUNT_BY_EMAIL: Sql =
    accounts!("WHERE u.email = $1 AND u.guest = FALSE AND u.anonymized_at IS NULL");

/// The newest of the guests who share an address.
pub(super) const FIND_GUEST_BY_EMAIL: Sql =
    accounts!("WHERE u.email = $1 AND u.guest = TRUE AND u.anonymized_at IS NULL ORDER BY c.id DESC LIMIT 1");

pub(super) const LIST_ACCOUNTS: Sql = accounts!("WHERE c.id > $1 ORDER BY c.id LIMIT $2");

/// Those whose name, or address that is theirs, begins between $1 and $2; of each kind at most $3.
pub(super) const FIND_BEGINNING: Sql = sql!(
    "SELECT id FROM (SELECT n.id FROM customers n WHERE LOWER(n.name) >= $1 AND LOWER(n.name) < $2 LIMIT $3) named
     UNION SELECT id FROM (SELECT a.id FROM users au JOIN customers a ON a.user_id = au.id
                           WHERE au.email >= $1 AND au.email < $2 AND au.guest = FALSE AND au.anonymized_at IS NULL
                           LIMIT $3) addressed
     UNION SELECT id FROM (SELECT g.id FROM users gu JOIN customers g ON g.user_id = gu.id
                           WHERE gu.email >= $1 AND gu.email < $2 AND gu.guest = TRUE AND gu.anonymized_at IS NULL
                           LIMIT $3) guests"
);

/// Takes the user's row for this transaction, unless the customer is anonymized already.
pub(super) const LOCK_USER: Sql = sql!(
    "UPDATE users SET updated_at = $2
     WHERE id = (SELECT user_id FROM customers WHERE id = $1) AND anonymized_at IS NULL
     RETURNING id, email, guest"
);

pub(super) const SET_NAME: Sql = sql!("UPDATE customers SET name = $2, updated_at = $3 WHERE id = $1");

pub(super) const SET_EMAIL: Sql = sql!("UPDATE users SET email = $2, email_verified_at = NULL WHERE id = $1");

pub(super) const SET_PASSWORD: Sql = sql!("UPDATE users SET password_hash = $2 WHERE id = $1");

pub(super) const VERIFY_EMAIL: Sql =
    sql!("UPDATE users SET email_verified_at = $2 WHERE id = $1 AND email_verified_at IS NULL");

pub(super) const UNVERIFY_EMAIL: Sql =
    sql!("UPDATE users SET email_verified_at = NULL WHERE id = $1 AND email_verified_at IS NOT NULL");

pub(super) const ANONYMIZE_USER: Sql = sql!(
    "UPDATE users SET email = $2, password_hash = NULL, email_verified_at = NULL, anonymized_at = $3
     WHERE id = $1"
);

pub(super) const LIST_SESSIONS: Sql = sql!(
    "SELECT id, user_agent, created_at, last_seen_at, expires_at
     FROM sessions WHERE user_id = $1 ORDER BY id"
);

pub(super) const DELETE_SESSIONS: Sql = sql!("DELETE FROM sessions WHERE user_id = $1");

pub(super) const DELETE_TOKENS: Sql =
    sql!("DELETE FROM access_tokens WHERE customer_id = (SELECT id FROM customers WHERE user_id = $1)");

/// Whether the password is still the one that was checked. On PostgreSQL, whoever changes it waits until this transaction is
/// over, and this one for whoever is about to; SQLite has one writer.
pub(super) const CONFIRM_PASSWORD: Sql = sql!(
    sqlite: "SELECT id FROM users WHERE id = $1 AND password_hash = $2 AND anonymized_at IS NULL",
    postgres: "SELECT id FROM users WHERE id = $1 AND password_hash = $2 AND anonymized_at IS NULL FOR SHARE",
);

pub(super) const PRUNE_ENDED_SESSIONS: Sql = sql!(
    "DELETE FROM sessions
     WHERE id IN (SELECT id FROM sessions WHERE expires_at <= $1 ORDER BY id LIMIT $2)"
);

pub(super) const PRUNE_IDLE_SESSIONS: Sql = sql!(
    "DELETE FROM sessions
     WHERE id IN (SELECT id FROM sessions WHERE last_seen_at <= $1 ORDER BY id LIMIT $2)"
);

/// Those of a login that ran while its user was anonymized.
pub(super) const PRUNE_ANONYMIZED_SESSIONS: Sql = sql!(
    "DELETE FROM sessions
     WHERE id IN (
         SELECT s.id FROM users u JOIN sessions s ON s.user_id = u.id
         WHERE u.anonymized_at <= $1 ORDER BY s.id LIMIT $2
     )"
);

/// Who reads what is written to a customer. None who was anonymized. Whoever is anonymized at this moment waits until the mail is
/// written, and then deletes it too.
pub(crate) const MAIL_READER: Sql = sql!(
    sqlite: "SELECT u.email, c.name FROM customers c JOIN users u ON u.id = c.user_id
             WHERE c.id = $1 AND u.anonymized_at IS NULL",
    postgres: "SELECT u.email, c.name FROM customers c JOIN users u ON u.id = c.user_id
               WHERE c.id = $1 AND u.anonymized_at IS NULL
               FOR SHARE OF u",
);
