//! Running one job now.

use serde_json::{Value, json};

use super::table::JobTable;
use crate::audit::Subject;
use crate::clock::Clock;
use crate::db::DbError;
use crate::from_shop::ShopParts;
use crate::queue;

/// How a job's run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunOutcome {
    /// It did its work.
    Done,
    /// It failed with this text and will run again when it is due.
    Failed(String),
    /// There is no such job among the enabled ones.
    Unknown,
}

/// Runs one job now, whether or not it is due, as of the time that `clock` shows. When it is due
/// next stays as it was.
pub async fn run_job(parts: &ShopParts, jobs: &JobTable, name: &str, clock: Clock) -> Result<RunOutcome, DbError> {
    let Some(entry) = jobs.find(name) else { return Ok(RunOutcome::Unknown) };
    let mut moved = parts.clone();
    moved.db = moved.db.at(clock.clone());
    moved.clock = clock;
    let error = entry.run(&moved).await.err();
    // Noted with the real time: else a job that was run as of next year would be due only then.
    let now = parts.db.now();
    parts
        .db
        .write(async |tx| -> Result<(), DbError> {
            queue::ensure_job(tx, name).await?;
            tx.run(queue::RECORD_JOB).bind(name).bind(now).bind(error.as_deref()).execute().await?;
            tx.audit_operator("jobs.run", Subject::new("job", name), Value::Null, json!({"error": error})).await
        })
        .await?;
    Ok(error.map_or(RunOutcome::Done, RunOutcome::Failed))
}
