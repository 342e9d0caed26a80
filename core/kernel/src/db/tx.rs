//! A running write transaction.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use uuid::Uuid;

use super::count::StatementCount;
use super::durable_reads::{Reading, UnconfirmedReads};
use super::postgres_write::PostgresWrite;
use super::query::Target;
use super::shared_commit::SharedWrite;
use super::shared_flush::FlushTicket;
use super::watched::StatementWatch;
use super::{DbError, Query, Sql};
use crate::audit::Acting;
use crate::events::{EventBus, Notifiers};
use crate::i18n::Texts;
use crate::queue::NewTask;
use crate::random::Random;

pub(super) enum Connection {
    Sqlite(SharedWrite),
    /// Behind a pooler, with nothing to wait for after the commit.
    Postgres(PostgresWrite, Option<FlushTicket>),
}

/// A write transaction, handed to the closure of [`Db::write`](super::Db::write).
pub struct Tx {
    connection: Connection,
    now: DateTime<Utc>,
    random: Random,
    pub(crate) bus: Arc<EventBus>,
    texts: Texts,
    acting: Arc<Acting>,
    /// Written down with the commit.
    tasks: Vec<NewTask>,
    /// Notified after the commit.
    notifiers: Notifiers,
    count: StatementCount,
    watch: StatementWatch,
}

impl Tx {
    pub(super) fn new(
        connection: Connection,
        now: DateTime<Utc>,
        random: Random,
        bus: Arc<EventBus>,
        texts: Texts,
        acting: Arc<Acting>,
    ) -> Self {
        let (notifiers, count, watch) = (Notifiers::default(), StatementCount::default(), StatementWatch::default());
        Self { connection, now, random, bus, texts, acting, tasks: Vec::new(), notifiers, count, watch }
    }

    /// The same transaction, whose statements are counted with others, and watched like them.
    pub(super) fn watched_by(self, count: StatementCount, watch: StatementWatch) -> Self {
        Self { count, watch, ..self }
    }

    /// The time of this transaction, the same for all its rows, in microseconds.
    pub fn now(&self) -> DateTime<Utc> {
        self.now
    }

    /// A random UUID, for rows that are known by one.
    pub fn uuid(&self) -> Uuid {
        self.random.uuid()
    }

    /// A UUID that sorts behind those of earlier transactions, for rows that are known by it and of which there are many.
    pub fn ordered_uuid(&self) -> Uuid {
        self.random.ordered_uuid(self.now)
    }

    /// The shop's texts, for what is written down in words.
    pub fn texts(&self) -> &Texts {
        &self.texts
    }

    /// Who acts in this transaction.
    pub fn acting(&self) -> &Acting {
        &self.acting
    }

    /// A statement inside this transaction.
    pub fn run(&mut self, sql: Sql) -> Query<'_> {
        self.count.add();
        let target = match &mut self.connection {
            Connection::Sqlite(tx) => Target::Sqlite(tx),
            Connection::Postgres(tx, _) => Target::Postgres(tx),
        };
        Query::new(target, sql, self.watch)
    }

    /// Adds a task, which the commit writes down.
    pub(crate) fn add_task(&mut self, task: NewTask) {
        self.tasks.push(task);
    }

    pub(crate) fn take_tasks(&mut self) -> Vec<NewTask> {
        std::mem::take(&mut self.tasks)
    }

    /// Has the commit wake this process's runner: rows were written that shall not wait.
    pub(crate) fn wake_runner(&mut self) {
        self.notifiers.add(self.bus.runner());
    }

    /// Commits. Those are woken then for whom there is something to do.
    pub(super) fn commit(self) -> BoxFuture<'static, Result<(), DbError>> {
        Box::pin(async { self.commit_and_notify().await.map_err(DbError::of_commit) })
    }

    async fn commit_and_notify(self) -> Result<(), DbError> {
        let notifiers = self.notifiers;
        match self.connection {
            // Here they are notified with the commit, even when nobody waits for that any more.
            Connection::Sqlite(write) => write.commit(&notifiers).await,
            Connection::Postgres(tx, ticket) => {
                // What was read before lies in front of this commit; where it fails, nothing is told.
                drop(UnconfirmedReads::collect());
                let slot = tx.commit().await?;
                if let Some(ticket) = ticket {
                    ticket.wait(slot).await?;
                }
                notifiers.notify();
                Ok(())
            }
        }
    }

    /// Rolls back. Fails only where the commit failed of others, on whose writes this one may have relied, or is not known to
    /// hold.
    pub(super) fn roll_back(self) -> BoxFuture<'static, Result<(), DbError>> {
        Box::pin(async {
            match self.connection {
                Connection::Sqlite(write) => write.roll_back().await,
                Connection::Postgres(tx, ticket) => match tx.roll_back().await {
                    // Why it was refused may be told.
                    Ok(()) => match ticket {
                        Some(ticket) => Reading::of(ticket).end().await,
                        None => Ok(()),
                    },
                    Err(error) => {
                        // Its connection is closed, which undoes it as well.
                        tracing::warn!(error = &error as &dyn std::error::Error, "rollback failed");
                        Ok(())
                    }
                },
            }
        })
    }
}
