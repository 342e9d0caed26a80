//! Sessions as people see them: listed and ended.

use chrono::{DateTime, Utc};
use serde::Serialize;

use stoa_kernel::db::{Db, DbError, Tx};

use super::queries;

/// A session, without anything by which it could be taken over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, sqlx::FromRow)]
pub struct StaffBrowser {
    /// The session's id.
    pub id: i64,
    /// What the browser calls itself.
    pub user_agent: Option<String>,
    /// Where it was when it logged in.
    pub address: Option<String>,
    /// When it logged in.
    pub created_at: DateTime<Utc>,
    /// The last request, to within a minute.
    pub last_seen_at: DateTime<Utc>,
    /// When it ends however much it is used.
    pub expires_at: DateTime<Utc>,
}

/// The sessions of somebody, the one that was used last first.
pub async fn list_staff_sessions(db: &Db, staff_id: i64) -> Result<Vec<StaffBrowser>, DbError> {
    db.read(queries::LIST_SESSIONS).bind(staff_id).all().await
}

/// Ends one of somebody's sessions. Says whether it was there.
pub async fn end_session_of(tx: &mut Tx, staff_id: i64, session_id: i64) -> Result<bool, DbError> {
    Ok(tx.run(queries::DELETE_SESSION).bind(session_id).bind(staff_id).execute().await? > 0)
}

/// Ends all sessions of somebody but one. Gives how many there were.
pub async fn end_sessions_of(tx: &mut Tx, staff_id: i64, but: Option<i64>) -> Result<u64, DbError> {
    tx.run(queries::DELETE_SESSIONS).bind(staff_id).bind(but.unwrap_or_default()).execute().await
}
