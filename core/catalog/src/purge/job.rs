//! The job that stands for purges where operators look: it fails as long as a cache does not take them.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;

use stoa_kernel::db::{Db, DbError};
use stoa_kernel::doctor::counted;
use stoa_kernel::error_chain;
use stoa_kernel::jobs::Job;
use stoa_kernel::queue::Queue;

use super::PurgeTarget;
use super::queries;
use super::send::PURGES;

/// What waits for longer is not being taken.
const LATE: TimeDelta = TimeDelta::minutes(1);

pub(super) struct Purge(pub(super) Arc<[PurgeTarget]>);

#[derive(sqlx::FromRow)]
struct LateKeys {
    target: i64,
    keys: i64,
    error: Option<String>,
}

impl Job for Purge {
    type Uses = (Db, Queue);

    const NAME: &'static str = "catalog.purge";
    const EVERY: Duration = Duration::from_mins(1);
    const DOES: &'static str = "tells caches outside what of the catalog has changed";

    async fn run(&self, (db, queue): &Self::Uses) -> Result<(), String> {
        let failed = |error: DbError| error_chain(&error);
        queue.work_off(PURGES).await.map_err(failed)?;
        let late = db.read(queries::LATE).bind(db.now() - LATE).all::<LateKeys>().await.map_err(failed)?;
        let told = late.iter().filter_map(|late| {
            let target = self.0.iter().find(|target| target.id == late.target)?;
            let keys = counted(late.keys, "key waits", "keys wait");
            let reason = late.error.clone().unwrap_or_else(|| format!("{} was not told yet", target.name()));
            Some(format!("{keys}: {reason}"))
        });
        let told = told.collect::<Vec<_>>();
        if told.is_empty() { Ok(()) } else { Err(told.join("; ")) }
    }
}
