//! What waits in each lane, for the doctor and `/metrics`.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::kinds::TaskKinds;
use super::lane::Lane;
use super::queries;
use crate::db::{Db, DbError};
use crate::metrics::{Measure, Sample};

/// What is in a lane.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct LaneCounts {
    /// The lane.
    pub lane: String,
    /// Tasks that wait, or are being done.
    pub waiting: i64,
    /// Those of them that are due.
    pub due: i64,
    /// Tasks that were given up.
    pub failed: i64,
    /// Since when the one is due that waits the longest; none when none is due.
    pub due_since: Option<DateTime<Utc>>,
}

/// Looks at all lanes that anything is in.
pub async fn count_lanes(db: &Db) -> Result<Vec<LaneCounts>, DbError> {
    db.read(queries::COUNT_LANES).bind(db.now()).all().await
}

/// Looks at one lane.
pub async fn count_lane(db: &Db, lane: Lane) -> Result<LaneCounts, DbError> {
    let counted = count_lanes(db).await?.into_iter().find(|counts| counts.lane == lane.name);
    Ok(counted.unwrap_or_else(|| LaneCounts {
        lane: lane.name.to_owned(),
        waiting: 0,
        due: 0,
        failed: 0,
        due_since: None,
    }))
}

/// Tasks of a lane that were given up, in `/metrics`.
pub fn failed_in(lane: Lane, count: i64) -> Sample {
    Sample::gauge("stoa_queue_tasks_failed", "Tasks that were given up.", count).label("lane", lane.name)
}

/// Each lane in `/metrics`, those included that nothing waits in.
pub(super) struct MeasureLanes;

impl Measure for MeasureLanes {
    type Uses = (Db, Arc<TaskKinds>);

    async fn measure(&self, (db, kinds): &Self::Uses) -> Result<Vec<Sample>, DbError> {
        let (now, counted) = (db.now(), count_lanes(db).await?);
        let samples = kinds.lanes().into_iter().flat_map(|lane| {
            let counts = counted.iter().find(|counts| counts.lane == lane.name);
            let age = counts.and_then(|counts| counts.due_since).map_or(0, |since| (now - since).num_seconds().max(0));
            let gauge = |name, help, value| Sample::gauge(name, help, value).label("lane", lane.name);
            let waiting = counts.map_or(0, |counts| counts.waiting);
            let done =
                Sample::counter("stoa_queue_tasks_done_total", "Tasks that this instance has done.", kinds.done(lane));
            let failed = counts.map_or(0, |counts| counts.failed);
            // Where it is written down elsewhere, whoever does so counts it.
            let failed = (!kinds.is_recorded(lane)).then(|| failed_in(lane, failed));
            [
                Some(gauge("stoa_queue_tasks_waiting", "Tasks that wait, or are being done.", waiting)),
                Some(gauge("stoa_queue_oldest_due_seconds", "How long the task is due that waits the longest.", age)),
                Some(done.label("lane", lane.name)),
                failed,
            ]
        });
        Ok(samples.flatten().collect())
    }
}
