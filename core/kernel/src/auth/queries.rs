//! Statements about access tokens and sessions.

use crate::db::Sql;
use crate::sql;

pub(super) const FIND_TOKEN: Sql = sql!(
    "SELECT t.id, t.customer_id, c.user_id, t.secret_hash, t.abilities, t.networks, t.expires_at, t.last_used_at,
            c.name, u.email, (u.email_verified_at IS NOT NULL) AS email_verified, u.guest
     FROM access_tokens t
     JOIN customers c ON c.id = t.customer_id
     JOIN users u ON u.id = c.user_id
     WHERE t.id = $1 AND u.anonymized_at IS NULL"
);

pub(super) const INSERT_TOKEN: Sql = sql!(
    "INSERT INTO access_tokens (customer_id, name, secret_hash, abilities, networks, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     RETURNING id"
);

pub(super) const DELETE_TOKEN: Sql = sql!("DELETE FROM access_tokens WHERE id = $1");

pub(super) const TOUCH_TOKENS: Sql = sql!(
    "UPDATE access_tokens SET last_used_at = $2
     WHERE id IN (SELECT CAST(used.value ->> 'id' AS BIGINT) FROM json_each($1) used)"
);

pub(super) const FIND_SESSION: Sql = sql!(
    "SELECT s.id, c.id AS customer_id, s.user_id, s.last_seen_at, s.expires_at,
            c.name, u.email, (u.email_verified_at IS NOT NULL) AS email_verified, u.guest
     FROM sessions s
     JOIN users u ON u.id = s.user_id
     JOIN customers c ON c.user_id = u.id
     WHERE s.secret_hash = $1 AND u.anonymized_at IS NULL"
);

pub(super) const INSERT_SESSION: Sql = sql!(
    "INSERT INTO sessions (user_id, secret_hash, user_agent, created_at, last_seen_at, expires_at)
     VALUES ($1, $2, $3, $4, $4, $5)"
);

pub(super) const DELETE_SESSION: Sql = sql!("DELETE FROM sessions WHERE secret_hash = $1");

pub(super) const TOUCH_SESSIONS: Sql = sql!(
    "UPDATE sessions SET last_seen_at = $2
     WHERE id IN (SELECT CAST(used.value ->> 'id' AS BIGINT) FROM json_each($1) used)"
);
