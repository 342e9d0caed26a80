//! The scheduled job that deletes in small transactions, so that nobody waits for it.

use std::sync::Arc;
use std::time::Duration;

use super::Expired;
use crate::config::Config;
use crate::db::{Db, DbError};
use crate::error_chain;
use crate::jobs::Job;

/// Rows that one transaction deletes.
const BATCH: u64 = 500;

/// `retention.prune` (contract 3).
pub struct Prune(Vec<Expired>);

impl Prune {
    /// A job that deletes all of this.
    pub fn new(expired: impl IntoIterator<Item = Expired>) -> Self {
        Self(expired.into_iter().collect())
    }
}

impl Job for Prune {
    type Uses = (Db, Arc<Config>);

    const NAME: &'static str = "retention.prune";
    const EVERY: Duration = Duration::from_hours(1);
    const DOES: &'static str = "deletes what is kept for a time only";

    async fn run(&self, (db, config): &Self::Uses) -> Result<(), String> {
        let mut problems = Vec::new();
        for expired in &self.0 {
            // What cannot be deleted must not keep the rest.
            match prune(expired, db, config).await {
                Ok(0) => {}
                Ok(deleted) => tracing::info!(deleted, what = expired.what, "pruned"),
                Err(error) => problems.push(format!("{}: {}", expired.what, error_chain(&error))),
            }
        }
        if problems.is_empty() { Ok(()) } else { Err(problems.join("; ")) }
    }
}

async fn prune(expired: &Expired, db: &Db, config: &Config) -> Result<u64, DbError> {
    let before = (expired.before)(config, db.now());
    let limit = i64::try_from(BATCH).unwrap_or(i64::MAX);
    let mut deleted = 0;
    loop {
        let batch = db
            .write(async |tx| -> Result<u64, DbError> {
                tx.run(expired.delete).bind(before).bind(limit).execute().await
            })
            .await?;
        deleted += batch;
        if batch < BATCH {
            return Ok(deleted);
        }
    }
}
