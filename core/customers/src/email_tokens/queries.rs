//! Statements about links that were sent by mail, and what they do.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

/// A user has one link of each purpose: a new one takes the place of the old one.
pub(super) const REPLACE: Sql = sql!(
    "INSERT INTO email_tokens (purpose, user_id, secret_hash, email, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (user_id, purpose) DO UPDATE SET
         secret_hash = excluded.secret_hash,
         email = excluded.email,
         created_at = excluded.created_at,
         expires_at = excluded.expires_at"
);

/// Whom such a link was sent to, without using it.
pub(super) const FIND: Sql =
    sql!("SELECT user_id, email FROM email_tokens WHERE secret_hash = $1 AND purpose = $2 AND expires_at > $3");

pub(super) const USE: Sql = sql!(
    "DELETE FROM email_tokens WHERE secret_hash = $1 AND purpose = $2 AND expires_at > $3
     RETURNING user_id, email"
);

pub(super) const DELETE_OF_PURPOSE: Sql = sql!("DELETE FROM email_tokens WHERE user_id = $1 AND purpose = $2");

pub(super) const DELETE_OF_USER: Sql = sql!("DELETE FROM email_tokens WHERE user_id = $1");

pub(super) const PRUNE: Sql = sql!(
    "DELETE FROM email_tokens
     WHERE id IN (SELECT id FROM email_tokens WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)"
);

/// Unless the address has changed since the link was sent.
pub(super) const VERIFY_EMAIL: Sql = sql!(
    "UPDATE users SET email_verified_at = COALESCE(email_verified_at, $3), updated_at = $3
     WHERE id = $1 AND email = $2 AND anonymized_at IS NULL"
);

/// Changes nothing, and makes whoever changes the same user wait.
pub(super) const LOCK_USER: Sql = sql!("UPDATE users SET updated_at = updated_at WHERE id = $1");

/// Verifies the address too, which the link has proved.
pub(super) const SET_PASSWORD: Sql = sql!(
    "UPDATE users SET password_hash = $4, email_verified_at = COALESCE(email_verified_at, $3), updated_at = $3
     WHERE id = $1 AND email = $2 AND anonymized_at IS NULL"
);

pub(super) const FIND_ADDRESS: Sql = sql!(
    "SELECT u.id AS user_id, u.email, (u.email_verified_at IS NOT NULL) AS is_verified, u.guest
     FROM users u JOIN customers c ON c.user_id = u.id
     WHERE c.id = $1 AND u.anonymized_at IS NULL"
);
