//! A running write transaction.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use stoa_db::{DbError, Notifiers, Query, Sql, Write};
use uuid::Uuid;

use crate::audit::Acting;
use crate::events::EventBus;
use crate::i18n::Texts;
use crate::queue::NewTask;
use crate::random::Random;

/// A write transaction, handed to the closure of [`Db::write`](super::Db::write).
pub struct Tx {
    write: Write,
    now: DateTime<Utc>,
    random: Random,
    pub(crate) bus: Arc<EventBus>,
    texts: Texts,
    acting: Arc<Acting>,
    /// Written down with the commit.
    tasks: Vec<NewTask>,
    /// Notified after the commit.
    notifiers: Notifiers,
}

impl Tx {
    pub(super) fn new(
        write: Write,
        now: DateTime<Utc>,
        random: Random,
        bus: Arc<EventBus>,
        texts: Texts,
        acting: Arc<Acting>,
    ) -> Self {
        Self { write, now, random, bus, texts, acting, tasks: Vec::new(), notifiers: Notifiers::default() }
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
        self.write.run(sql)
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
        self.write.commit(self.notifiers)
    }

    /// Rolls back. Fails only where the commit failed of others, on whose writes this one may have relied, or is not known to
    /// hold.
    pub(super) fn roll_back(self) -> BoxFuture<'static, Result<(), DbError>> {
        self.write.roll_back()
    }
}
