//! Statements about passkeys.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

/// Uses a challenge up, unless it was.
pub(super) const TAKE_CHALLENGE: Sql =
    sql!("INSERT INTO staff_used_challenges (nonce, expires_at) VALUES ($1, $2) ON CONFLICT (nonce) DO NOTHING");

pub(crate) const DELETE_USED_CHALLENGES: Sql = sql!(
    "DELETE FROM staff_used_challenges WHERE nonce IN
         (SELECT nonce FROM staff_used_challenges WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)"
);

/// By what authenticators know somebody, from now on at the latest.
pub(super) const HANDLE: Sql = sql!(
    "UPDATE staff_members SET passkey_handle = COALESCE(passkey_handle, $2) WHERE id = $1 RETURNING passkey_handle"
);

pub(super) const CREDENTIAL_IDS: Sql = sql!("SELECT credential_id FROM staff_passkeys WHERE staff_id = $1 ORDER BY id");

pub(super) const LIST: Sql =
    sql!("SELECT id, name, is_backed_up, created_at, last_used_at FROM staff_passkeys WHERE staff_id = $1 ORDER BY id");

/// How many passkeys somebody has, and whether any second factor.
pub(super) const COUNT: Sql = sql!(
    "SELECT (SELECT COUNT(*) FROM staff_passkeys p WHERE p.staff_id = m.id) AS passkeys,
            (m.totp_confirmed_at IS NOT NULL) AS has_app
     FROM staff_members m WHERE m.id = $1"
);

pub(super) const INSERT: Sql = sql!(
    "INSERT INTO staff_passkeys
         (staff_id, credential_id, public_key, sign_count, may_be_backed_up, is_backed_up, name, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (credential_id) DO NOTHING"
);

/// Whose passkey it is, who may log in.
pub(super) const OWNER: Sql = sql!(
    "SELECT m.email FROM staff_passkeys p JOIN staff_members m ON m.id = p.staff_id
     WHERE p.credential_id = $1 AND m.disabled_at IS NULL"
);

/// Holds the row of who has a passkey until the commit, so that a login does not outlive what is taken from them.
pub(super) const LOCK_OWNER: Sql = sql!(
    "UPDATE staff_members SET updated_at = updated_at
     WHERE disabled_at IS NULL AND id = (SELECT staff_id FROM staff_passkeys WHERE credential_id = $1)
     RETURNING id"
);

pub(super) const FIND: Sql = sql!(
    "SELECT p.id, p.name, p.public_key, p.sign_count, p.may_be_backed_up, m.passkey_handle
     FROM staff_passkeys p JOIN staff_members m ON m.id = p.staff_id
     WHERE p.credential_id = $1"
);

/// Notes that a passkey was used, unless its authenticator counts less than it did.
pub(super) const USE: Sql = sql!(
    "UPDATE staff_passkeys SET sign_count = $2, is_backed_up = $3, last_used_at = $4
     WHERE id = $1 AND (sign_count < $2 OR (sign_count = 0 AND $2 = 0))"
);

pub(super) const DELETE: Sql = sql!("DELETE FROM staff_passkeys WHERE id = $1 AND staff_id = $2 RETURNING name");

pub(super) const DELETE_ALL: Sql = sql!("DELETE FROM staff_passkeys WHERE staff_id = $1");
