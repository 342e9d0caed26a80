//! What waits in each lane, for the doctor and `/metrics`.

use chrono::{DateTime, Utc};

use super::queries;
use crate::db::{Db, DbError};

/// What is in a lane.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct LaneCounts {
    /// The lane.
    pub lane: String,
    /// Tasks that wait, or are being done.
    pub waiting: i64,
    /// Tasks that were given up.
    pub failed: i64,
    /// Since when the one is due that waits the longest; none when none is due.
    pub due_since: Option<DateTime<Utc>>,
}

/// Looks at all lanes that anything is in.
pub async fn count_lanes(db: &Db) -> Result<Vec<LaneCounts>, DbError> {
    db.read(queries::COUNT_LANES).bind(db.now()).all().await
}
