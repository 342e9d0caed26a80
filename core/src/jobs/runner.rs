//! The scheduler: claims due jobs with a lease, runs them, and dispatches waiting events.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use tokio_util::sync::CancellationToken;

use super::queries;
use super::table::{JobTable, TableEntry};
use crate::clock::Clock;
use crate::db::DbError;
use crate::events::Dispatch;
use crate::services::Services;

/// A job that runs longer than this may be taken over by another instance.
const LEASE: TimeDelta = TimeDelta::minutes(10);

/// What `stoa jobs list` shows of one job.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct JobStatus {
    /// The job's name.
    pub name: String,
    /// When it ran last.
    pub last_run_at: Option<DateTime<Utc>>,
    /// When it is due.
    pub next_run_at: DateTime<Utc>,
    /// What went wrong in its last run.
    pub last_error: Option<String>,
}

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

/// Runs what is due, until it is told to stop.
pub struct Runner {
    services: Services,
    jobs: JobTable,
    owner: String,
    interval: Duration,
}

impl Runner {
    /// A runner that looks for due work every `interval` and whenever this process has emitted an
    /// event. `services.random` gives it the name that its leases carry.
    pub fn new(services: Services, jobs: JobTable, interval: Duration) -> Self {
        let owner = services.random.uuid().to_string();
        Self { services, jobs, owner, interval }
    }

    /// Runs until `stop` is cancelled, then gives its leases back.
    pub async fn run(self, stop: CancellationToken) {
        let mut first = true;
        while !stop.is_cancelled() {
            if !std::mem::take(&mut first) {
                tokio::select! {
                    () = stop.cancelled() => break,
                    () = tokio::time::sleep(self.interval) => {}
                    () = self.services.events.woken() => {}
                }
            }
            if let Err(error) = self.tick().await {
                tracing::error!(error = &error as &dyn std::error::Error, "the scheduler could not look for work");
            }
        }
        let released = self.services.db.write(async |tx| -> Result<u64, DbError> {
            tx.run(queries::RELEASE).bind(self.owner.as_str()).execute().await
        });
        if let Err(error) = released.await {
            tracing::warn!(error = &error as &dyn std::error::Error, "leases could not be given back");
        }
    }

    /// Does once what is due now.
    pub async fn tick(&self) -> Result<(), DbError> {
        Dispatch::new(&self.services).run_due().await?;
        for entry in self.jobs.enabled() {
            if self.claim(entry).await? {
                self.run_claimed(entry).await?;
            }
        }
        Ok(())
    }

    async fn claim(&self, entry: &TableEntry) -> Result<bool, DbError> {
        let now = self.services.db.now();
        let due = self.services.db.read(queries::LIST).all::<JobStatus>().await?;
        // Looking first keeps an idle shop from writing every minute.
        if due.iter().any(|job| job.name == entry.name && job.next_run_at > now) {
            return Ok(false);
        }
        self.services
            .db
            .write(async |tx| -> Result<bool, DbError> {
                tx.run(queries::ENSURE).bind(entry.name).bind(now).execute().await?;
                let claimed = tx.run(queries::CLAIM).bind(entry.name).bind(self.owner.as_str());
                Ok(claimed.bind(now + LEASE).bind(now).execute().await? == 1)
            })
            .await
    }

    async fn run_claimed(&self, entry: &TableEntry) -> Result<(), DbError> {
        let error = entry.run(&self.services).await.err();
        if let Some(error) = &error {
            tracing::error!(job = entry.name, error, "job failed");
        }
        let now = self.services.db.now();
        let next = now + TimeDelta::from_std(entry.every).unwrap_or(TimeDelta::minutes(1));
        self.services
            .db
            .write(async |tx| -> Result<(), DbError> {
                let finish = tx.run(queries::FINISH).bind(entry.name).bind(self.owner.as_str());
                finish.bind(now).bind(next).bind(error.as_deref()).execute().await?;
                Ok(())
            })
            .await
    }
}

/// Runs one job now, whether or not it is due, as of the time that `clock` shows.
pub async fn run_job(services: &Services, jobs: &JobTable, name: &str, clock: Clock) -> Result<RunOutcome, DbError> {
    let Some(entry) = jobs.find(name) else { return Ok(RunOutcome::Unknown) };
    let mut services = services.clone();
    services.db = services.db.at(clock.clone());
    services.clock = clock;
    let error = entry.run(&services).await.err();
    let now = services.db.now();
    services
        .db
        .write(async |tx| -> Result<(), DbError> {
            tx.run(queries::ENSURE).bind(name).bind(now).execute().await?;
            tx.run(queries::RECORD).bind(name).bind(now).bind(error.as_deref()).execute().await?;
            Ok(())
        })
        .await?;
    Ok(error.map_or(RunOutcome::Done, RunOutcome::Failed))
}
