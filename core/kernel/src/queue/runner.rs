//! The runner: does what the queue holds, until it is told to stop.

use std::time::Duration;

use tokio::time::{Instant, sleep, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

use super::drain::Queue;
use super::engine::Engine;
use super::lane::{EVENTS, JOBS, Lane};
use crate::db::{ChangeWatch, DbError};
use crate::from_shop::{FromShop, ShopParts};

/// How long a runner that follows the database lets changes gather.
const PAUSE: Duration = Duration::from_millis(100);

/// How long a program that serves lets changes gather.
const BESIDE_REQUESTS: Duration = Duration::from_millis(500);

/// How long what has ended is gathered while more is being done, so that one commit is enough for all of it.
const GATHERING: Duration = Duration::from_millis(5);

/// How often a runner that follows the database looks for itself.
const LOOKS: Duration = Duration::from_millis(250);

/// How long to wait after the database has failed.
const RECOVERY: Duration = Duration::from_secs(1);

/// How long what is being done may take when the process stops.
const STOP_PATIENCE: Duration = Duration::from_millis(800);

/// Does what is due, until it is told to stop.
pub struct Runner {
    parts: ShopParts,
    interval: Duration,
    /// How long it waits after a change of the database before it looks; none does not follow it.
    follows: Option<Duration>,
    /// The lanes that it works on.
    lanes: Vec<Lane>,
}

impl Runner {
    /// A runner that looks for due work every `interval`, and whenever this process has written some.
    pub fn new(parts: ShopParts, interval: Duration) -> Self {
        let lanes = parts.tasks.lanes();
        Self { parts, interval, follows: None, lanes }
    }

    /// The same runner for some lanes alone, if any are named; somebody else has to work on the others.
    #[must_use]
    pub fn only(self, lanes: Option<Vec<Lane>>) -> Self {
        Self { lanes: lanes.unwrap_or(self.lanes), ..self }
    }

    /// The same runner, looking for work whenever the database has changed too: what another
    /// process has written is noticed within a second (contract 5).
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
        self.parts.tasks.set_worked_off(true);
        let mut engine = Engine::new(self.parts.clone(), &self.lanes, None);
        let mut rounds = Rounds::new(self.interval, engine.renewal());
        let mut watch = None;
        let mut committed = self.parts.events.runner().subscribe();
        while !stop.is_cancelled() {
            if watch.is_none() {
                watch = self.watch().await;
            }
            if let Err(error) = self.look(&mut engine, &mut rounds).await {
                tracing::error!(error = &error as &dyn std::error::Error, "the queue could not be worked on");
                tokio::select! {
                    () = stop.cancelled() => break,
                    () = sleep(RECOVERY) => continue,
                }
            }
            let next_round = rounds.next(engine.is_running());
            tokio::select! {
                () = stop.cancelled() => break,
                () = engine.wait() => {
                    // More may end with the same commit.
                    if engine.is_running() {
                        sleep(GATHERING).await;
                    }
                }
                () = sleep_until(next_round) => {}
                () = committed.notified() => {}
                changed = changed(&mut watch) => {
                    if let Err(error) = changed {
                        tracing::warn!(error = &error as &dyn std::error::Error, "the queue lost sight of the database");
                        watch = None;
                    }
                    tokio::select! {
                        () = stop.cancelled() => break,
                        () = sleep(self.follows.unwrap_or_default()) => {}
                        () = committed.notified() => {}
                        () = engine.wait() => {}
                    }
                }
            }
        }
        self.parts.tasks.set_worked_off(false);
        if let Err(error) = engine.land(STOP_PATIENCE).await {
            tracing::warn!(error = &error as &dyn std::error::Error, "leases could not be given back");
        }
    }

    async fn look(&self, engine: &mut Engine, rounds: &mut Rounds) -> Result<(), DbError> {
        let is_whole = rounds.is_whole();
        if is_whole {
            engine.prepare().await?;
        }
        if rounds.is_renewal() {
            engine.renew().await?;
        }
        engine.turn().await?;
        if rounds.is_due() || is_whole {
            rounds.wait_for(engine.until_due().await?);
        }
        rounds.wait_for(engine.until_again());
        Ok(())
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

    /// Does once what is due now, one task after the other: events, then jobs, then the other lanes.
    pub async fn tick(&self) -> Result<(), DbError> {
        let queue = Queue::from_shop(&self.parts);
        queue.drain_one_by_one(EVENTS).await?;
        queue.drain_one_by_one(JOBS).await?;
        for lane in self.parts.tasks.lanes().into_iter().filter(|lane: &Lane| ![EVENTS, JOBS].contains(lane)) {
            queue.drain_one_by_one(lane).await?;
        }
        Ok(())
    }
}

/// When a runner does what it need not do each time that it looks.
struct Rounds {
    interval: Duration,
    renewals: Duration,
    whole: Instant,
    renewal: Instant,
    /// When something is due that has waited for its time.
    due: Option<Instant>,
}

impl Rounds {
    fn new(interval: Duration, renewals: Duration) -> Self {
        let now = Instant::now();
        Self { interval, renewals, whole: now, renewal: now + renewals, due: None }
    }

    /// The latest time at which to look again.
    fn next(&self, is_running: bool) -> Instant {
        let renewal = if is_running { self.renewal } else { self.whole };
        let due = self.due.unwrap_or(self.whole);
        self.whole.min(renewal).min(due)
    }

    /// Looks after this time at the latest, if there is one.
    fn wait_for(&mut self, time: Option<Duration>) {
        let Some(time) = time.filter(|time| *time < self.interval) else { return };
        let time = Instant::now() + time;
        self.due = Some(self.due.map_or(time, |due| due.min(time)));
    }

    /// Whether the time has come that something has waited for.
    fn is_due(&mut self) -> bool {
        self.due.take_if(|due| Instant::now() >= *due).is_some()
    }

    /// Whether the time has come to look at everything.
    fn is_whole(&mut self) -> bool {
        let now = Instant::now();
        let is_due = now >= self.whole;
        if is_due {
            self.whole = now + self.interval;
        }
        is_due
    }

    fn is_renewal(&mut self) -> bool {
        let now = Instant::now();
        let is_due = now >= self.renewal;
        if is_due {
            self.renewal = now + self.renewals;
        }
        is_due
    }
}

/// Waits for a change, or forever where nothing tells about changes.
async fn changed(watch: &mut Option<ChangeWatch>) -> Result<(), DbError> {
    match watch {
        Some(watch) => {
            // PostgreSQL tells of changes of the catalog alone: whoever commits a notification holds up all others who do.
            timeout(LOOKS, watch.changed()).await.unwrap_or(Ok(()))?;
            // Many changes in a row are one reason to look.
            sleep(PAUSE).await;
            Ok(())
        }
        None => std::future::pending().await,
    }
}
