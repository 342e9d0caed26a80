//! Scheduled work.

use std::time::Duration;

use chrono::TimeDelta;
use stoa_core::prelude::*;

use crate::config::Config;
use crate::queries;

/// Forgets wishes that are older than the operator wants to keep.
pub(crate) struct Prune {
    keep: TimeDelta,
}

impl Prune {
    pub(crate) fn new(config: &Config) -> Self {
        Self { keep: TimeDelta::days(i64::from(config.keep_days)) }
    }
}

impl Job for Prune {
    type Uses = Db;

    const NAME: &'static str = "gift_wrap.prune";
    const EVERY: Duration = Duration::from_hours(24);
    const DOES: &'static str = "deletes old wraps";

    async fn run(&self, db: &Db) -> Result<(), String> {
        let pruned = db.write(async |tx| {
            let oldest = tx.now() - self.keep;
            tx.run(queries::DELETE_OLD).bind(oldest).execute().await
        });
        pruned.await.map(drop).map_err(|error: DbError| error.to_string())
    }
}
