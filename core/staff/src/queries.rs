//! Statements about staff.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

pub(super) const INSERT: Sql = sql!(
    "INSERT INTO staff_members (email, name, role, password_hash, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $5)
     ON CONFLICT (email) DO NOTHING RETURNING id"
);

/// Some columns of staff, with whether they have a second factor: an app, or a passkey.
macro_rules! select_staff {
    ($columns:literal, $which:literal) => {
        sql!(concat!(
            "SELECT m.id, m.email, ",
            $columns,
            ", (m.totp_confirmed_at IS NOT NULL
                OR EXISTS (SELECT 1 FROM staff_passkeys p WHERE p.staff_id = m.id)) AS has_second_factor
             FROM staff_members m ",
            $which
        ))
    };
}

/// What is shown of staff.
macro_rules! shown_staff {
    ($which:literal) => {
        select_staff!(
            "m.name, m.role, m.disabled_at, m.created_at, (m.password_hash IS NOT NULL) AS has_password,
             (SELECT MAX(s.last_seen_at) FROM staff_sessions s WHERE s.staff_id = m.id) AS last_seen_at,
             EXISTS (SELECT 1 FROM audit_log a WHERE a.subject = 'staff:' || m.email AND a.act = 'staff.log-in')
                 AS has_logged_in",
            $which
        )
    };
}

pub(super) const LIST: Sql = shown_staff!("ORDER BY m.email");

pub(super) const FIND: Sql = shown_staff!("WHERE m.email = $1");

/// Locks the row of somebody, by e-mail address.
pub(super) const LOCK: Sql =
    sql!("UPDATE staff_members SET updated_at = $2 WHERE email = $1 RETURNING id, role, disabled_at");

/// Locks all owners, so that two of them cannot take it from one another at the same time.
pub(super) const LOCK_OWNERS: Sql =
    sql!("UPDATE staff_members SET updated_at = $1 WHERE role = 'owner' AND disabled_at IS NULL RETURNING id");

pub(super) const SET_ROLE: Sql = sql!("UPDATE staff_members SET role = $2, updated_at = $3 WHERE id = $1");

pub(super) const DISABLE: Sql = sql!("UPDATE staff_members SET disabled_at = $2, updated_at = $2 WHERE id = $1");

pub(super) const ENABLE: Sql = sql!("UPDATE staff_members SET disabled_at = NULL, updated_at = $2 WHERE id = $1");

pub(super) const RESET: Sql = sql!(
    "UPDATE staff_members SET password_hash = NULL, totp_secret = NULL, totp_confirmed_at = NULL, totp_last_step = NULL,
            updated_at = $2
     WHERE id = $1"
);

pub(super) const SET_PASSWORD: Sql = sql!("UPDATE staff_members SET password_hash = $2, updated_at = $3 WHERE id = $1");

pub(super) const CREDENTIALS: Sql = select_staff!("m.password_hash", "WHERE m.email = $1 AND m.disabled_at IS NULL");

/// Holds the row until the commit, so that a login does not outlive a change of the password.
pub(super) const CONFIRM_PASSWORD: Sql = sql!(
    "UPDATE staff_members SET updated_at = updated_at
     WHERE id = $1 AND disabled_at IS NULL AND password_hash = $2 RETURNING id"
);

pub(super) const RENEW_HASH: Sql =
    sql!("UPDATE staff_members SET password_hash = $3 WHERE id = $1 AND password_hash = $2");

pub(super) const LIST_SESSIONS: Sql = sql!(
    "SELECT id, user_agent, address, created_at, last_seen_at, expires_at FROM staff_sessions
     WHERE staff_id = $1 AND awaits_factor = FALSE ORDER BY last_seen_at DESC, id DESC"
);

pub(super) const DELETE_SESSION: Sql = sql!("DELETE FROM staff_sessions WHERE id = $1 AND staff_id = $2");

pub(super) const DELETE_SESSIONS: Sql = sql!("DELETE FROM staff_sessions WHERE staff_id = $1 AND id <> $2");

pub(super) const DELETE_EXPIRED_SESSIONS: Sql = sql!(
    "DELETE FROM staff_sessions WHERE id IN (SELECT id FROM staff_sessions WHERE expires_at <= $1 ORDER BY id LIMIT $2)"
);

pub(super) const INSERT_LINK: Sql =
    sql!("INSERT INTO staff_login_links (secret_hash, staff_id, created_at, expires_at) VALUES ($1, $2, $3, $4)");

pub(super) const FIND_LINK: Sql = sql!(
    "SELECT m.email FROM staff_login_links l JOIN staff_members m ON m.id = l.staff_id
     WHERE l.secret_hash = $1 AND l.expires_at > $2 AND m.disabled_at IS NULL"
);

pub(super) const USE_LINK: Sql =
    sql!("DELETE FROM staff_login_links WHERE secret_hash = $1 AND expires_at > $2 RETURNING staff_id");

pub(super) const KNOWN: Sql = select_staff!("m.password_hash", "WHERE m.id = $1 AND m.disabled_at IS NULL");

pub(super) const DELETE_LINKS: Sql = sql!("DELETE FROM staff_login_links WHERE staff_id = $1");

pub(super) const DELETE_RECOVERY_CODES: Sql = sql!("DELETE FROM staff_recovery_codes WHERE staff_id = $1");

/// Recovery codes stand for a second factor, and go with the last one.
pub(super) const DROP_RECOVERY_CODES: Sql = sql!(
    "DELETE FROM staff_recovery_codes
     WHERE staff_id = $1 AND NOT EXISTS (SELECT 1 FROM staff_passkeys p WHERE p.staff_id = $1)
       AND NOT EXISTS (SELECT 1 FROM staff_members m WHERE m.id = $1 AND m.totp_confirmed_at IS NOT NULL)"
);

pub(super) const DELETE_EXPIRED_LINKS: Sql = sql!(
    "DELETE FROM staff_login_links WHERE secret_hash IN
         (SELECT secret_hash FROM staff_login_links WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)"
);

pub(super) const FACTOR: Sql =
    sql!("SELECT id, totp_secret, (totp_confirmed_at IS NOT NULL) AS is_confirmed FROM staff_members WHERE email = $1");

pub(super) const KEEP_KEY: Sql =
    sql!("UPDATE staff_members SET totp_secret = $2 WHERE id = $1 AND totp_secret IS NULL");

pub(super) const CONFIRM_FACTOR: Sql = sql!(
    "UPDATE staff_members SET totp_confirmed_at = $2, totp_last_step = $3, updated_at = $2
     WHERE id = $1 AND totp_secret IS NOT NULL AND totp_confirmed_at IS NULL"
);

pub(super) const REMOVE_FACTOR: Sql =
    sql!("UPDATE staff_members SET totp_secret = NULL, totp_confirmed_at = NULL, totp_last_step = NULL WHERE id = $1");

/// Takes a code's step, unless it or a later one was taken before.
pub(super) const TAKE_STEP: Sql = sql!(
    "UPDATE staff_members SET totp_last_step = $2
     WHERE id = $1 AND disabled_at IS NULL AND totp_confirmed_at IS NOT NULL
       AND (totp_last_step IS NULL OR totp_last_step < $2)"
);

pub(super) const INSERT_RECOVERY_CODE: Sql =
    sql!("INSERT INTO staff_recovery_codes (code_hash, staff_id) VALUES ($1, $2)");

pub(super) const TAKE_RECOVERY_CODE: Sql =
    sql!("DELETE FROM staff_recovery_codes WHERE staff_id = $1 AND code_hash = $2");
