//! Passkeys as people see them: listed and removed.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use stoa_kernel::audit::Subject;
use stoa_kernel::console::StaffSession;
use stoa_kernel::db::{Db, DbError, Tx};

use super::queries;
use crate::factor::drop_recovery_codes;

/// A passkey, without anything by which it could be used.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct StaffPasskey {
    /// Its id.
    pub id: i64,
    /// What the person calls it.
    pub name: String,
    /// Whether it is copied to other devices, as password managers do.
    pub is_backed_up: bool,
    /// When it was added.
    pub created_at: DateTime<Utc>,
    /// When it was used last; none of one that never was.
    pub last_used_at: Option<DateTime<Utc>>,
}

/// The passkeys of somebody, the oldest first.
pub async fn list_passkeys(db: &Db, staff_id: i64) -> Result<Vec<StaffPasskey>, DbError> {
    db.read(queries::LIST).bind(staff_id).all().await
}

/// Removes one of somebody's passkeys, and the recovery codes with the last second factor. Gives its name; none if there was no such one.
pub async fn remove_passkey(db: &Db, me: &StaffSession, id: i64) -> Result<Option<String>, DbError> {
    db.write(async |tx| {
        let removed = tx.run(queries::DELETE).bind(id).bind(me.staff_id).optional_scalar::<String>().await?;
        let Some(name) = removed else { return Ok(None) };
        drop_recovery_codes(tx, me.staff_id).await?;
        tx.audit("staff.remove-passkey", Subject::staff(&me.email), json!({"passkey": name}), Value::Null).await?;
        Ok(Some(name))
    })
    .await
}

/// Removes all passkeys of somebody. Gives how many there were.
pub(crate) async fn forget_passkeys(tx: &mut Tx, staff_id: i64) -> Result<u64, DbError> {
    tx.run(queries::DELETE_ALL).bind(staff_id).execute().await
}
