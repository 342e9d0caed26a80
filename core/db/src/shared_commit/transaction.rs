//! One transaction of the write connection, with the writes that share it.

use std::time::{Duration, Instant};

use sqlx::AssertSqlSafe;
use sqlx::pool::PoolConnection;
use sqlx_sqlite::{Sqlite, SqliteConnection};
use tokio::sync::watch;

use super::MOST_WRITES;
use crate::DbError;
use crate::notifier::Notifiers;
use crate::spin_then_park::spin_then_park;

/// The first savepoint is there as long as the transaction is; see the fifth invariant of this folder.
const BEGIN: &str = "BEGIN IMMEDIATE; SAVEPOINT write_0";
const COMMIT: &str = "RELEASE write_0; COMMIT";
const ROLLBACK: &str = "ROLLBACK";

/// SQLite's code for statements that make no sense, among them a rollback without a transaction.
const SQLITE_ERROR: &str = "1";

/// What the transaction is in the middle of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// The connection has been asked for a transaction, and has not answered.
    Beginning,
    /// The connection has been asked for a write's savepoint, and has not answered.
    Entering,
    /// A write is under way.
    Writing,
    /// All writes so far are kept or undone.
    Between,
    /// Nothing of it can be kept any more.
    Broken,
}

/// Whether the writes of a transaction were committed, as soon as that is settled.
pub(super) struct Outcome(watch::Receiver<Option<Result<(), DbError>>>);

impl Outcome {
    pub(super) async fn wait(mut self) -> Result<(), DbError> {
        match self.0.wait_for(Option::is_some).await {
            Ok(settled) => settled.clone().unwrap_or(Ok(())),
            // The runtime ended before the commit.
            Err(_) => Err(sqlx::Error::WorkerCrashed.into()),
        }
    }
}

/// A transaction and the connection that it is open on.
pub(super) struct Transaction {
    connection: PoolConnection<Sqlite>,
    began: Instant,
    longest: Duration,
    stage: Stage,
    /// Why it is broken.
    failure: Option<DbError>,
    /// Writes that have asked for a savepoint, which is named after the number of those before.
    writes: u32,
    kept: u32,
    /// Rung after the commit.
    notifiers: Notifiers,
    outcome: watch::Sender<Option<Result<(), DbError>>>,
}

impl Transaction {
    pub(super) fn new(connection: PoolConnection<Sqlite>, longest: Duration) -> Self {
        Self {
            connection,
            began: Instant::now(),
            longest,
            stage: Stage::Beginning,
            failure: None,
            writes: 1,
            kept: 0,
            notifiers: Notifiers::default(),
            outcome: watch::Sender::new(None),
        }
    }

    pub(super) fn connection(&self) -> &SqliteConnection {
        &self.connection
    }

    pub(super) fn connection_mut(&mut self) -> &mut SqliteConnection {
        &mut self.connection
    }

    pub(super) fn stage(&self) -> Stage {
        self.stage
    }

    /// Whether another write may have it.
    pub(super) fn can_be_handed_on(&self) -> bool {
        self.stage == Stage::Between && self.writes < MOST_WRITES && self.began.elapsed() < self.longest
    }

    /// Begins, with the first write in it.
    pub(super) async fn begin(&mut self) -> Result<(), DbError> {
        let begun = self.run(BEGIN).await;
        self.enter(begun)
    }

    /// Begins another write in it. Savepoints are nested and not released one by one, which would be one more way to the
    /// connection's thread and back for each write.
    pub(super) async fn set_savepoint(&mut self) -> Result<(), DbError> {
        let number = self.writes;
        self.writes += 1;
        self.stage = Stage::Entering;
        let set = self.run_text(format!("SAVEPOINT write_{number}")).await;
        self.enter(set)
    }

    fn enter(&mut self, entered: Result<(), sqlx::Error>) -> Result<(), DbError> {
        match entered {
            Ok(()) => {
                self.stage = Stage::Writing;
                Ok(())
            }
            Err(error) => Err(self.break_with(error)),
        }
    }

    fn break_with(&mut self, error: sqlx::Error) -> DbError {
        let error = DbError::from(error);
        self.stage = Stage::Broken;
        self.failure = Some(error.clone());
        error
    }

    /// Counts the write among those that the commit shall take.
    pub(super) fn add_write(&mut self, notifiers: &Notifiers) -> Outcome {
        self.stage = Stage::Between;
        self.kept += 1;
        self.notifiers.add_all(notifiers);
        Outcome(self.outcome.subscribe())
    }

    /// Undoes the write that is under way. There is an outcome to wait for when others were kept before.
    pub(super) async fn undo(&mut self) -> Option<Outcome> {
        match self.run_text(format!("ROLLBACK TO write_{}", self.writes - 1)).await {
            Ok(()) => self.stage = Stage::Between,
            // Its savepoint was never set, so there is nothing to undo.
            Err(_) if self.stage == Stage::Entering => self.stage = Stage::Between,
            Err(error) => {
                let error = self.break_with(error);
                tracing::warn!(error = &error as &dyn std::error::Error, "a write could not be rolled back alone");
            }
        }
        (self.kept > 0).then(|| Outcome(self.outcome.subscribe()))
    }

    /// Commits, or rolls back when there is nothing to keep, and tells everybody who waits.
    pub(super) async fn finish(&mut self) {
        let committed = if self.stage == Stage::Between && self.kept > 0 {
            let committed = self.run(COMMIT).await;
            committed.map_err(|error| self.break_with(error)).is_ok()
        } else {
            false
        };
        if !committed && let Err(error) = self.run(ROLLBACK).await {
            let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
            // Otherwise there was no transaction any more.
            if code.as_deref() != Some(SQLITE_ERROR) {
                tracing::warn!(error = &error as &dyn std::error::Error, "rollback failed");
                self.connection.close_on_drop();
            }
        }
        if committed {
            self.notifiers.notify();
        }
        self.outcome.send_replace(Some(self.failure.take().map_or(Ok(()), Err)));
    }

    /// Closes the connection, which undoes the transaction.
    pub(super) fn abandon(self) {
        drop(self.connection.detach());
    }

    async fn run(&mut self, statements: &'static str) -> Result<(), sqlx::Error> {
        spin_then_park(sqlx::raw_sql(statements).execute(&mut *self.connection)).await.map(drop)
    }

    async fn run_text(&mut self, statement: String) -> Result<(), sqlx::Error> {
        spin_then_park(sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut *self.connection)).await.map(drop)
    }
}
