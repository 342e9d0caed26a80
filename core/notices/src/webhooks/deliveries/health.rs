//! How the queue of deliveries as a whole is, for metrics and `stoa doctor`.

use chrono::{DateTime, Utc};

use stoa_kernel::db::{Db, DbError};
use stoa_kernel::queue::{LaneCounts, count_lane};

use super::queries;
use crate::webhooks::sender::WEBHOOKS;

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

/// Looks at the queue.
pub async fn queue_state(db: &Db) -> Result<QueueState, DbError> {
    let LaneCounts { waiting, due, due_since, .. } = count_lane(db, WEBHOOKS).await?;
    let dead_letters = db.read(queries::COUNT_DEAD).scalar().await?;
    Ok(QueueState { pending: waiting, due, oldest_due_at: due_since, dead_letters })
}
