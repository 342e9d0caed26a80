//! Statements about sessions of the console.

use crate::db::Sql;
use crate::sql;

pub(super) const FIND_SESSION: Sql = sql!(
    "SELECT s.id, s.staff_id, s.awaits_factor, s.last_seen_at, s.expires_at, m.email, m.name, m.role,
            (m.totp_confirmed_at IS NOT NULL
                OR EXISTS (SELECT 1 FROM staff_passkeys p WHERE p.staff_id = m.id)) AS has_second_factor,
            (m.password_hash IS NOT NULL) AS has_password
     FROM staff_sessions s
     JOIN staff_members m ON m.id = s.staff_id
     WHERE s.secret_hash = $1 AND m.disabled_at IS NULL"
);

pub(super) const INSERT_SESSION: Sql = sql!(
    "INSERT INTO staff_sessions
         (staff_id, secret_hash, awaits_factor, user_agent, address, created_at, last_seen_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6, $7)"
);

pub(super) const DELETE_SESSION: Sql = sql!("DELETE FROM staff_sessions WHERE secret_hash = $1");

pub(super) const TOUCH_SESSION: Sql =
    sql!("UPDATE staff_sessions SET last_seen_at = $2 WHERE id = $1 AND last_seen_at < $2");
