//! The scheduler: claims due jobs with a lease, runs them, and dispatches waiting events.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use tokio_util::sync::CancellationToken;

use super::listing::JobRow;
use super::queries;
use super::table::{JobTable, TableEntry};
use crate::clock::{Clock, horizon};
use crate::db::{ChangeWatch, DbError};
use crate::events::Dispatch;
use crate::from_shop::{FromShop, ShopParts};

/// A job that runs longer than this may be taken over by another instance.
const LEASE: TimeDelta = TimeDelta::minutes(10);

/// How long a runner that follows the database lets changes gather.
const PAUSE: Duration = Duration::from_millis(100);

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

/// How long a program that serves lets changes gather.
const BESIDE_REQUESTS: Duration = Duration::from_millis(500);

/// Runs what is due, until it is told to stop.
pub struct Runner {
    parts: ShopParts,
    jobs: JobTable,
    owner: String,
    interval: Duration,
    /// How long it waits after a change of the database before it looks; none does not follow it.
    follows: Option<Duration>,
}

impl Runner {
    /// A runner that looks for due work every `interval` and whenever this process has emitted an
    /// event. `parts.random` gives it the name that its leases carry.
    pub fn new(parts: ShopParts, jobs: JobTable, interval: Duration) -> Self {
        let owner = parts.random.uuid().to_string();
        Self { parts, jobs, owner, interval, follows: None }
    }

    /// The same runner, looking for work whenever the database has changed too: what another
    /// process has emitted is noticed within a second (contract 5).
    #[must_use]
    pub fn following_the_database(mut self) -> Self {
        self.follows = Some(Duration::ZERO);
        self
    }

    /// The same, twice a second at most: in a program that serves, most changes are its own, and it is told of those anyway.
    #[must_use]
    pub fn following_the_database_beside_requests(mut self) -> Self {
        self.follows = Some(BESIDE_REQUESTS);
        self
    }

    /// Runs until `stop` is cancelled, then gives its leases back.
    pub async fn run(self, stop: CancellationToken) {
        let mut first = true;
        let mut watch = None;
        let mut committed = self.parts.events.runner().waiter();
        while !stop.is_cancelled() {
            if watch.is_none() {
                watch = self.watch().await;
            }
            if !std::mem::take(&mut first) {
                tokio::select! {
                    () = stop.cancelled() => break,
                    () = tokio::time::sleep(self.interval) => {}
                    () = committed.woken() => {}
                    changed = changed(&mut watch) => {
                        if let Err(error) = changed {
                            tracing::warn!(error = &error as &dyn std::error::Error, "the scheduler lost sight of the database");
                            watch = None;
                        }
                        tokio::select! {
                            () = stop.cancelled() => break,
                            () = tokio::time::sleep(self.follows.unwrap_or_default()) => {}
                            () = committed.woken() => {}
                        }
                    }
                }
            }
            if let Err(error) = self.tick().await {
                tracing::error!(error = &error as &dyn std::error::Error, "the scheduler could not look for work");
            }
        }
        let released = self.parts.db.write(async |tx| -> Result<u64, DbError> {
            tx.run(queries::RELEASE).bind(self.owner.as_str()).execute().await
        });
        if let Err(error) = released.await {
            tracing::warn!(error = &error as &dyn std::error::Error, "leases could not be given back");
        }
    }

    /// What tells about changes, for a runner that follows the database. Without it, looking every
    /// `interval` has to do.
    async fn watch(&self) -> Option<ChangeWatch> {
        self.follows?;
        let watched = self.parts.db.watch().await;
        watched
            .inspect_err(|error| {
                tracing::warn!(error = error as &dyn std::error::Error, "the database cannot be followed");
            })
            .ok()
    }

    /// Does once what is due now.
    pub async fn tick(&self) -> Result<(), DbError> {
        Dispatch::from_shop(&self.parts).run_due().await?;
        // Looking first keeps an idle shop from writing all the time.
        let listed = self.parts.db.look(queries::LIST).all::<JobRow>().await?;
        for entry in self.jobs.enabled() {
            let now = self.parts.db.now();
            let waits = listed.iter().any(|job| job.name == entry.name && Times::of(entry, now).has_waiting(job));
            let claim = if waits { Claim::Early } else { Claim::Due };
            if (!waits || entry.is_urgent(&self.parts).await?) && self.claim(entry, claim).await? {
                self.run_claimed(entry).await?;
            }
        }
        Ok(())
    }

    async fn claim(&self, entry: &TableEntry, claim: Claim) -> Result<bool, DbError> {
        let now = self.parts.db.now();
        let times = Times::of(entry, now);
        self.parts
            .db
            .write(async |tx| -> Result<bool, DbError> {
                tx.run(queries::ENSURE).bind(entry.name).bind(now).execute().await?;
                let claimed = match claim {
                    Claim::Due => {
                        let claimed = tx.run(queries::CLAIM).bind(entry.name).bind(self.owner.as_str());
                        let claimed = claimed.bind(now + LEASE).bind(now).bind(horizon(now, LEASE));
                        claimed.bind(times.last_due).bind(times.last_run)
                    }
                    Claim::Early => {
                        let claimed = tx.run(queries::CLAIM_EARLY).bind(entry.name).bind(self.owner.as_str());
                        claimed.bind(now + LEASE).bind(now).bind(horizon(now, LEASE))
                    }
                };
                Ok(claimed.execute().await? == 1)
            })
            .await
    }

    async fn run_claimed(&self, entry: &TableEntry) -> Result<(), DbError> {
        let error = entry.run(&self.parts).await.err();
        if let Some(error) = &error {
            tracing::error!(job = entry.name, error, "job failed");
        }
        let now = self.parts.db.now();
        let next = now + interval(entry);
        self.parts
            .db
            .write(async |tx| -> Result<(), DbError> {
                let finish = tx.run(queries::FINISH).bind(entry.name).bind(self.owner.as_str());
                finish.bind(now).bind(next).bind(error.as_deref()).execute().await?;
                Ok(())
            })
            .await
    }
}

/// How a job is taken.
#[derive(Debug, Clone, Copy)]
enum Claim {
    /// Because it is due.
    Due,
    /// Because it has work that shall not wait.
    Early,
}

/// The latest times that a job can have.
#[derive(Debug, Clone, Copy)]
struct Times {
    now: DateTime<Utc>,
    last_due: DateTime<Utc>,
    last_run: DateTime<Utc>,
}

impl Times {
    fn of(entry: &TableEntry, now: DateTime<Utc>) -> Self {
        Self { now, last_due: horizon(now, interval(entry)), last_run: horizon(now, TimeDelta::zero()) }
    }

    /// Whether a job is due later only. Times that it cannot have were written while a clock was ahead.
    fn has_waiting(self, job: &JobRow) -> bool {
        let is_later = job.next_run_at > self.now && job.next_run_at <= self.last_due;
        is_later && job.last_run_at.is_none_or(|run| run <= self.last_run)
    }
}

fn interval(entry: &TableEntry) -> TimeDelta {
    TimeDelta::from_std(entry.every).unwrap_or(TimeDelta::minutes(1))
}

/// Waits for a change, or forever where nothing tells about changes.
async fn changed(watch: &mut Option<ChangeWatch>) -> Result<(), DbError> {
    match watch {
        Some(watch) => {
            watch.changed().await?;
            // Many changes in a row are one reason to look.
            tokio::time::sleep(PAUSE).await;
            Ok(())
        }
        None => std::future::pending().await,
    }
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
            tx.run(queries::ENSURE).bind(name).bind(now).execute().await?;
            tx.run(queries::RECORD).bind(name).bind(now).bind(error.as_deref()).execute().await?;
            Ok(())
        })
        .await?;
    Ok(error.map_or(RunOutcome::Done, RunOutcome::Failed))
}
