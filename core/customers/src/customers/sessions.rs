//! The browser sessions of one customer, for the operator. Logging in and out is not here.

use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use serde_json::{Value, json};

use stoa_kernel::audit::Subject;
use stoa_kernel::db::{Db, DbError, Tx};
use stoa_kernel::events::{InTransaction, ListenerError, Preflight};
use stoa_kernel::personal_data::{CustomerAnonymizing, CustomerExporting};

use super::account::CustomerAccount;
use super::queries;

/// A session, without anything by which it could be taken over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, sqlx::FromRow)]
pub struct CustomerSession {
    /// The session's id.
    pub id: i64,
    /// What the browser calls itself.
    pub user_agent: Option<String>,
    /// When the customer logged in.
    pub created_at: DateTime<Utc>,
    /// The last request, to within a minute.
    pub last_seen_at: DateTime<Utc>,
    /// When it ends however much it is used.
    pub expires_at: DateTime<Utc>,
}

impl CustomerSession {
    /// Whether it still lets its browser in, which may be idle so long; what does not is deleted within the hour.
    pub fn is_active(&self, now: DateTime<Utc>, idle: TimeDelta) -> bool {
        self.expires_at > now && self.last_seen_at + idle > now
    }
}

/// All sessions of a user that have not been deleted, oldest first.
pub async fn list_sessions(db: &Db, user_id: i64) -> Result<Vec<CustomerSession>, DbError> {
    db.read(queries::LIST_SESSIONS).bind(user_id).all().await
}

/// Ends all sessions of a user; they are dead from the commit on. Returns how many there were.
pub async fn end_sessions(tx: &mut Tx, user_id: i64) -> Result<u64, DbError> {
    tx.run(queries::DELETE_SESSIONS).bind(user_id).execute().await
}

/// Ends all sessions of a customer for the operator, as [`end_sessions`] does.
pub async fn log_out_customer(db: &Db, account: &CustomerAccount) -> Result<u64, DbError> {
    db.write(async |tx| -> Result<u64, DbError> {
        let ended = end_sessions(tx, account.user_id).await?;
        if ended > 0 {
            let before = json!({"sessions": ended});
            tx.audit_operator("customers.log-out", Subject::customer(account.id), before, Value::Null).await?;
        }
        Ok(ended)
    })
    .await
}

/// What a new password has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndedAccess {
    /// How many sessions there were.
    pub sessions: u64,
    /// How many access tokens there were.
    pub tokens: u64,
}

/// Ends all sessions and access tokens of a user, whose row must be locked: what is begun with the old password meanwhile
/// waits for it.
pub(crate) async fn end_access(tx: &mut Tx, user_id: i64) -> Result<EndedAccess, DbError> {
    let sessions = end_sessions(tx, user_id).await?;
    let tokens = tx.run(queries::DELETE_TOKENS).bind(user_id).execute().await?;
    Ok(EndedAccess { sessions, tokens })
}

/// Ends the sessions of whoever is anonymized.
pub(super) struct EndSessions;

impl InTransaction<CustomerAnonymizing> for EndSessions {
    async fn in_transaction(&self, event: &CustomerAnonymizing, tx: &mut Tx) -> Result<(), ListenerError> {
        end_sessions(tx, event.user_id).await?;
        Ok(())
    }
}

/// Adds the part `sessions` to an export.
pub(super) struct ExportSessions;

impl Preflight<CustomerExporting> for ExportSessions {
    async fn preflight(&self, event: &mut CustomerExporting, db: &Db) -> Result<(), ListenerError> {
        let sessions = list_sessions(db, event.user_id).await?;
        event.add("sessions", &sessions)
    }
}
