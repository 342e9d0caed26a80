//! A running write transaction.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use sqlx::{Postgres, Sqlite, Transaction};
use uuid::Uuid;

use super::count::StatementCount;
use super::query::Target;
use super::{DbError, Query, Sql};
use crate::events::EventBus;
use crate::random::Random;

pub(super) enum Connection {
    Sqlite(Transaction<'static, Sqlite>),
    Postgres(Transaction<'static, Postgres>),
}

/// A write transaction, handed to the closure of [`Db::write`](super::Db::write).
pub struct Tx {
    pub(super) connection: Connection,
    now: DateTime<Utc>,
    random: Random,
    pub(crate) bus: Arc<EventBus>,
    pub(crate) emitted: bool,
    count: StatementCount,
}

impl Tx {
    pub(super) fn new(connection: Connection, now: DateTime<Utc>, random: Random, bus: Arc<EventBus>) -> Self {
        Self { connection, now, random, bus, emitted: false, count: StatementCount::default() }
    }

    /// The same transaction, whose statements are counted with others.
    pub(super) fn counted_by(self, count: StatementCount) -> Self {
        Self { count, ..self }
    }

    /// The time of this transaction, the same for all its rows, in microseconds.
    pub fn now(&self) -> DateTime<Utc> {
        self.now
    }

    /// A random UUID, for rows that are known by one.
    pub fn uuid(&self) -> Uuid {
        self.random.uuid()
    }

    /// A statement inside this transaction.
    pub fn run(&mut self, sql: Sql) -> Query<'_> {
        self.count.add();
        let target = match &mut self.connection {
            Connection::Sqlite(tx) => Target::Sqlite(tx),
            Connection::Postgres(tx) => Target::Postgres(tx),
        };
        Query::new(target, sql)
    }

    /// Has the commit wake this process's runner: rows were written that shall not wait.
    pub(crate) fn wake_runner(&mut self) {
        self.emitted = true;
    }

    /// Commits, and tells whether rows were written that the runner shall look at.
    pub(super) async fn commit(self) -> Result<bool, DbError> {
        match self.connection {
            Connection::Sqlite(tx) => tx.commit().await?,
            Connection::Postgres(tx) => tx.commit().await?,
        }
        Ok(self.emitted)
    }

    pub(super) async fn rollback(self) {
        let done = match self.connection {
            Connection::Sqlite(tx) => tx.rollback().await,
            Connection::Postgres(tx) => tx.rollback().await,
        };
        if let Err(error) = done {
            // The connection is dropped with the transaction, which undoes it as well.
            tracing::warn!(error = &error as &dyn std::error::Error, "rollback failed");
        }
    }
}
