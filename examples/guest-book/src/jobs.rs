//! Scheduled work.

use std::time::Duration;

use stoa_core::chrono::TimeDelta;
use stoa_core::prelude::*;

use crate::config::Config;
use crate::queries;

/// Forgets entries that are older than the operator wants to keep.
pub(crate) struct ForgetOld {
    keep: TimeDelta,
}

impl ForgetOld {
    pub(crate) fn new(config: &Config) -> Self {
        Self { keep: TimeDelta::days(i64::from(config.keep_days)) }
    }
}

impl Job for ForgetOld {
    type Uses = Db;

    const NAME: &'static str = "guest_book.forget_old";
    const EVERY: Duration = Duration::from_hours(24);
    const DOES: &'static str = "deletes old entries";

    async fn run(&self, db: &Db) -> Result<(), String> {
        let done = db.write(async |tx| {
            let oldest = tx.now() - self.keep;
            tx.run(queries::DELETE_OLD).bind(oldest).execute().await
        });
        done.await.map(drop).map_err(|error: DbError| error.to_string())
    }
}
