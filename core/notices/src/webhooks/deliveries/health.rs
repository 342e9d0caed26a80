//! How the queue as a whole is, for metrics and `stoa doctor`.

use chrono::{DateTime, TimeDelta, Utc};

use stoa_kernel::clock::horizon;
use stoa_kernel::db::{Db, DbError};

use super::queries;

/// No delivery waits so long for its next attempt.
const FARTHEST: TimeDelta = TimeDelta::days(1);

/// The queue at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueState {
    /// Deliveries that have not come to an end.
    pub pending: i64,
    /// Those of them that are due.
    pub due: i64,
    /// Since when the one is due that waits the longest.
    pub oldest_due_at: Option<DateTime<Utc>>,
    /// Deliveries that were given up and are still kept.
    pub dead_letters: i64,
}

#[derive(sqlx::FromRow)]
struct Waiting {
    pending: i64,
    due: i64,
    oldest_due_at: Option<DateTime<Utc>>,
}

/// Looks at the queue.
pub async fn queue_state(db: &Db) -> Result<QueueState, DbError> {
    let now = db.now();
    let Waiting { pending, due, oldest_due_at } =
        db.read(queries::QUEUE_STATE).bind(now).bind(horizon(now, FARTHEST)).one().await?;
    let dead_letters = db.read(queries::COUNT_DEAD).scalar().await?;
    Ok(QueueState { pending, due, oldest_due_at, dead_letters })
}
