//! The jobs that features and modules register.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::join_all;

use crate::db::DbError;
use crate::error_chain;
use crate::from_shop::{FromShop, ShopParts};
use crate::panics::panic_text;
use crate::queue::{ErasedHandler, HandlerFuture, JOBS, Kind, Lane, Queue, Repetition, TaskError};

/// A piece of scheduled work. It must be repeatable: after a crash it runs again.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no job",
    note = "a job has a `NAME`, `EVERY`, `Uses` and `run`, in an `impl Job`"
)]
pub trait Job: Send + Sync + 'static {
    /// The name that `stoa jobs` shows, such as `orders.expire`.
    const NAME: &'static str;

    /// How often the job runs.
    const EVERY: Duration;

    /// What it does, as the end of a sentence that begins with its name: `cancels orders that were not paid in time`. The
    /// operator reads it before it is run as of a time to come.
    const DOES: &'static str = "does its work";

    /// What it works with: a database, a tuple of several things, or a struct made with [`from_shop!`](crate::from_shop!).
    type Uses: FromShop;

    /// Does the work as of the time that the database and a [`Clock`](crate::clock::Clock) show. The text of an error is
    /// logged and shown by `stoa jobs list`.
    fn run(&self, uses: &Self::Uses) -> impl Future<Output = Result<(), String>> + Send;
}

type JobFuture<'a> = Pin<Box<dyn Future<Output = Result<(), String>> + Send + 'a>>;

/// The object-safe twin of [`Job`].
trait ErasedJob: Send + Sync {
    fn run<'a>(&'a self, parts: &'a ShopParts) -> JobFuture<'a>;
}

impl<J: Job> ErasedJob for J {
    fn run<'a>(&'a self, parts: &'a ShopParts) -> JobFuture<'a> {
        Box::pin(async move { Job::run(self, &J::Uses::from_shop(parts)).await })
    }
}

/// A job that does what is due in lanes, unless a runner of this process does so anyway.
struct WorkOff(&'static [Lane]);

impl ErasedJob for WorkOff {
    fn run<'a>(&'a self, parts: &'a ShopParts) -> JobFuture<'a> {
        Box::pin(async move {
            let queue = Queue::from_shop(parts);
            let worked_off = join_all(self.0.iter().map(|lane| queue.work_off(*lane))).await;
            let worked_off = worked_off.into_iter().collect::<Result<(), DbError>>();
            worked_off.map_err(|error| error_chain(&error))
        })
    }
}

/// How often lanes are worked off by a job.
const WORKED_OFF_EVERY: Duration = Duration::from_mins(1);

#[derive(Clone)]
pub(super) struct TableEntry {
    pub(super) name: &'static str,
    pub(super) owner: &'static str,
    /// A disabled module's job is known by name but never run.
    pub(super) enabled: bool,
    pub(super) every: Duration,
    does: &'static str,
    job: Arc<dyn ErasedJob>,
}

impl TableEntry {
    /// Runs the job; a panic is a failure like any other, and does not end the worker.
    pub(super) async fn run(&self, parts: &ShopParts) -> Result<(), String> {
        let run = AssertUnwindSafe(self.job.run(parts)).catch_unwind().await;
        run.unwrap_or_else(|panic| Err(format!("the job {}", panic_text(panic.as_ref()))))
    }
}

impl ErasedHandler for TableEntry {
    fn handle<'a>(&'a self, _: &'a str, _: i64, parts: &'a ShopParts) -> HandlerFuture<'a> {
        Box::pin(async move { self.run(parts).await.map_err(TaskError::Later).into() })
    }
}

/// All jobs of the program, sorted by name.
#[derive(Clone, Default)]
pub struct JobTable {
    entries: Vec<TableEntry>,
}

impl JobTable {
    pub(crate) fn add<J: Job>(&mut self, owner: &'static str, enabled: bool, job: J) -> Result<(), String> {
        let (name, every, does) = (J::NAME, J::EVERY, J::DOES);
        self.push(TableEntry { name, owner, enabled, every, does, job: Arc::new(job) })
    }

    /// Adds a job that stands for lanes.
    pub(crate) fn add_lanes(
        &mut self,
        owner: &'static str,
        enabled: bool,
        name: &'static str,
        does: &'static str,
        lanes: &'static [Lane],
    ) -> Result<(), String> {
        let job = Arc::new(WorkOff(lanes));
        self.push(TableEntry { name, owner, enabled, every: WORKED_OFF_EVERY, does, job })
    }

    fn push(&mut self, entry: TableEntry) -> Result<(), String> {
        if let Some(other) = self.entries.iter().find(|other| other.name == entry.name) {
            let (name, owner) = (entry.name, entry.owner);
            return Err(format!("the job `{name}` is registered by both `{}` and `{owner}`", other.owner));
        }
        self.entries.push(entry);
        self.entries.sort_by_key(|entry| entry.name);
        Ok(())
    }

    /// Takes over another table's jobs; mistakes name both owners.
    pub(crate) fn merge(&mut self, other: Self) -> Vec<String> {
        other.entries.into_iter().filter_map(|entry| self.push(entry).err()).collect()
    }

    /// The names of all jobs.
    pub fn names(&self) -> Vec<&'static str> {
        self.entries.iter().map(|entry| entry.name).collect()
    }

    /// What the job of this name does, if it would be run.
    pub fn describe(&self, name: &str) -> Option<&'static str> {
        self.find(name).map(|entry| entry.does)
    }

    /// The jobs as kinds of tasks.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = Kind> {
        self.entries.iter().map(|entry| Kind {
            name: entry.name,
            lane: JOBS,
            enabled: entry.enabled,
            repetition: Repetition::Every(entry.every),
            is_recorded: false,
            handler: Arc::new(entry.clone()),
        })
    }

    pub(super) fn entries(&self) -> &[TableEntry] {
        &self.entries
    }

    pub(super) fn enabled(&self) -> impl Iterator<Item = &TableEntry> {
        self.entries.iter().filter(|entry| entry.enabled)
    }

    pub(super) fn find(&self, name: &str) -> Option<&TableEntry> {
        self.enabled().find(|entry| entry.name == name)
    }
}
