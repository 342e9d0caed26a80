//! The jobs that features and modules register.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;

use crate::db::DbError;
use crate::from_shop::{FromShop, ShopParts};
use crate::queue::{ErasedHandler, HandlerFuture, JOBS, Kind, Repetition, TaskError};

/// A piece of scheduled work. It must be repeatable: after a crash it runs again.
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

    /// Whether there is work that shall not wait until the job is due again. Asked whenever the
    /// runner looks, so it must cost next to nothing; no unless a job says otherwise.
    fn is_urgent(&self, uses: &Self::Uses) -> impl Future<Output = Result<bool, DbError>> + Send {
        let _ = uses;
        std::future::ready(Ok(false))
    }
}

type JobFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The object-safe twin of [`Job`].
trait ErasedJob: Send + Sync {
    fn run<'a>(&'a self, parts: &'a ShopParts) -> JobFuture<'a, Result<(), String>>;
    fn is_urgent<'a>(&'a self, parts: &'a ShopParts) -> JobFuture<'a, Result<bool, DbError>>;
}

impl<J: Job> ErasedJob for J {
    fn run<'a>(&'a self, parts: &'a ShopParts) -> JobFuture<'a, Result<(), String>> {
        Box::pin(async move { Job::run(self, &J::Uses::from_shop(parts)).await })
    }

    fn is_urgent<'a>(&'a self, parts: &'a ShopParts) -> JobFuture<'a, Result<bool, DbError>> {
        Box::pin(async move { Job::is_urgent(self, &J::Uses::from_shop(parts)).await })
    }
}

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
        run.unwrap_or_else(|_| Err(String::from("the job panicked")))
    }

    /// Whether the job has work that shall not wait.
    pub(super) async fn is_urgent(&self, parts: &ShopParts) -> Result<bool, DbError> {
        self.job.is_urgent(parts).await
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
        if let Some(other) = self.entries.iter().find(|entry| entry.name == J::NAME) {
            return Err(format!("the job `{}` is registered by both `{}` and `{owner}`", J::NAME, other.owner));
        }
        self.entries.push(TableEntry {
            name: J::NAME,
            owner,
            enabled,
            every: J::EVERY,
            does: J::DOES,
            job: Arc::new(job),
        });
        self.entries.sort_by_key(|entry| entry.name);
        Ok(())
    }

    /// Takes over another table's jobs; mistakes name both owners.
    pub(crate) fn merge(&mut self, other: Self) -> Vec<String> {
        let mut mistakes = Vec::new();
        for entry in other.entries {
            if let Some(known) = self.entries.iter().find(|known| known.name == entry.name) {
                mistakes.push(format!(
                    "the job `{}` is registered by both `{}` and `{}`",
                    entry.name, known.owner, entry.owner
                ));
            } else {
                self.entries.push(entry);
            }
        }
        self.entries.sort_by_key(|entry| entry.name);
        mistakes
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
            logs_errors: true,
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
