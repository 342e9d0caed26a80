//! What a password must be, and choosing one.

use std::ops::RangeInclusive;

use serde_json::{Value, json};

use stoa_kernel::audit::Subject;
use stoa_kernel::auth::{WeakPassword, check_password};
use stoa_kernel::db::Db;

use super::members::{StaffError, lock, stored};
use super::queries;
use super::sessions::end_sessions_of;

/// Characters of a password.
pub const STAFF_PASSWORD_LENGTH: RangeInclusive<usize> = 12..=200;

/// Refuses a password that is too short or tried first.
pub fn check_staff_password(password: &str, email: &str, shop_name: &str) -> Result<(), WeakPassword> {
    check_password(password, &STAFF_PASSWORD_LENGTH, email, shop_name)
}

/// Sets somebody's password, whose other sessions end.
pub async fn set_staff_password(db: &Db, email: &str, hash: &str, but: Option<i64>) -> Result<(), StaffError> {
    let email = stored(email);
    db.write(async |tx| -> Result<(), StaffError> {
        let found = lock(tx, &email).await?;
        let now = tx.now();
        tx.run(queries::SET_PASSWORD).bind(found.id).bind(hash).bind(now).execute().await?;
        tx.run(queries::DELETE_LINKS).bind(found.id).execute().await?;
        let ended = end_sessions_of(tx, found.id, but).await?;
        Ok(tx
            .audit("staff.set-password", Subject::staff(&email), Value::Null, json!({"sessions_ended": ended}))
            .await?)
    })
    .await
}
