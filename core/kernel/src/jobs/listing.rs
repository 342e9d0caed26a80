//! The jobs as the operator sees them.

use std::time::Duration;

use chrono::{DateTime, Utc};

use super::table::JobTable;
use crate::db::{Db, DbError};
use crate::queue;

/// What the database knows about one job.
#[derive(Debug, Clone, sqlx::FromRow)]
struct JobRow {
    kind: String,
    attempted_at: Option<DateTime<Utc>>,
    due_at: DateTime<Utc>,
    created_at: DateTime<Utc>,
    last_error: Option<String>,
}

/// What `stoa jobs list` shows of one job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobStatus {
    /// The job's name.
    pub name: &'static str,
    /// `core` or the name of the module that the job belongs to.
    pub owner: &'static str,
    /// Whether it runs: the jobs of a disabled module do not.
    pub enabled: bool,
    /// How often it runs.
    pub every: Duration,
    /// When it ran last; none when it never did.
    pub last_run_at: Option<DateTime<Utc>>,
    /// When it is due; none when it is disabled, or due as soon as a worker runs.
    pub next_run_at: Option<DateTime<Utc>>,
    /// What went wrong in its last run.
    pub last_error: Option<String>,
}

impl JobStatus {
    /// How often it runs, in words: `every 5 minutes`.
    pub fn schedule(&self) -> String {
        let seconds = self.every.as_secs().max(1);
        let (count, unit) = match seconds {
            _ if seconds.is_multiple_of(86_400) => (seconds / 86_400, "day"),
            _ if seconds.is_multiple_of(3_600) => (seconds / 3_600, "hour"),
            _ if seconds.is_multiple_of(60) => (seconds / 60, "minute"),
            _ => (seconds, "second"),
        };
        match count {
            1 => format!("every {unit}"),
            _ => format!("every {count} {unit}s"),
        }
    }
}

/// All jobs of the program, sorted by name, with what the database knows about them.
pub async fn list_jobs(db: &Db, jobs: &JobTable) -> Result<Vec<JobStatus>, DbError> {
    let rows = db.read(queue::LIST_JOBS).all::<JobRow>().await?;
    let statuses = jobs.entries().iter().map(|entry| {
        let row = rows.iter().find(|row| row.kind == entry.name);
        JobStatus {
            name: entry.name,
            owner: entry.owner,
            enabled: entry.enabled,
            every: entry.every,
            last_run_at: row.and_then(|row| row.attempted_at),
            next_run_at: row.filter(|_| entry.enabled).map(|row| row.due_at.max(row.created_at)),
            last_error: row.and_then(|row| row.last_error.clone()),
        }
    });
    Ok(statuses.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schedule_is_told_in_the_largest_unit_that_fits() {
        let schedule = |seconds| {
            let every = Duration::from_secs(seconds);
            let never = JobStatus {
                name: "a.job",
                owner: "core",
                enabled: true,
                every,
                last_run_at: None,
                next_run_at: None,
                last_error: None,
            };
            never.schedule()
        };
        assert_eq!(schedule(1), "every second");
        assert_eq!(schedule(60), "every minute");
        assert_eq!(schedule(90), "every 90 seconds");
        assert_eq!(schedule(300), "every 5 minutes");
        assert_eq!(schedule(3_600), "every hour");
        assert_eq!(schedule(86_400), "every day");
        assert_eq!(schedule(172_800), "every 2 days");
    }
}
