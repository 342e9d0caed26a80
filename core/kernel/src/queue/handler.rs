//! Kinds of tasks, and what does them.

use std::any::Any;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::back_off::BackOff;
use super::lane::Lane;
use super::settle::Written;
use crate::db::{DbError, Tx};
use crate::error_chain;
use crate::from_shop::{FromShop, ShopParts};

/// Work to be done after the commit of the transaction that it was written in. Its members are what the row carries: ids
/// rather than entities, since it may be read long after.
pub trait Task: Serialize + DeserializeOwned + Send + Sync + 'static {
    /// The name that rows carry, such as `mail.send`; it must never change.
    const KIND: &'static str;

    /// Where it waits.
    const LANE: Lane;

    /// What it belongs to, such as `order:12`: tasks of a lane with the same key are done one after the other, in the order in
    /// which they were written. None unless a kind says otherwise.
    fn order_key(&self) -> Option<String> {
        None
    }

    /// The row that it is about, if each such row has one task of this kind at most. None unless a kind says otherwise.
    fn subject(&self) -> Option<i64> {
        None
    }
}

/// What does the tasks of a kind. It must be repeatable: after a crash the same task comes again.
pub trait HandleTask<T: Task>: Send + Sync + 'static {
    /// What it works with: a database, a tuple of several things, or a struct made with [`from_shop!`](crate::from_shop!).
    type Uses: FromShop;

    /// When a task that has failed is tried again.
    const RETRY: BackOff;

    /// Does the work. Why it has failed stands in the log, so it names no customer.
    fn handle(&self, task: &T, uses: &Self::Uses) -> impl Future<Output = Result<(), TaskError>> + Send;
}

/// Why a task is not done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TaskError {
    /// It may work later.
    #[error("{0}")]
    Later(String),
    /// The same, and since whoever is needed for it cannot be reached at all, the whole lane rests for a while.
    #[error("{0}")]
    Unreachable(String),
    /// It will not work later either.
    #[error("{0}")]
    Never(String),
    /// It has failed, and is tried again at a time of its own, however often that was so before.
    #[error("{0}")]
    LaterAt(String, DateTime<Utc>),
    /// It has not failed: there will be more to do at that time.
    #[error("there is more to do at {0}")]
    NotYet(DateTime<Utc>),
}

impl From<DbError> for TaskError {
    fn from(error: DbError) -> Self {
        Self::Later(error_chain(&error))
    }
}

/// What came of a task.
pub(crate) struct Handled {
    pub(crate) outcome: Result<(), TaskError>,
    /// What is to be written down beside it.
    pub(super) report: Option<Box<dyn Any + Send + Sync>>,
}

impl From<Result<(), TaskError>> for Handled {
    fn from(outcome: Result<(), TaskError>) -> Self {
        Self { outcome, report: None }
    }
}

pub(crate) type HandlerFuture<'a> = Pin<Box<dyn Future<Output = Handled> + Send + 'a>>;
pub(crate) type RecordFuture<'a> = Pin<Box<dyn Future<Output = Result<(), DbError>> + Send + 'a>>;

/// The object-safe twin of [`HandleTask`]: takes the task as the JSON of its row.
pub(crate) trait ErasedHandler: Send + Sync {
    fn handle<'a>(&'a self, payload: &'a str, attempt: i64, parts: &'a ShopParts) -> HandlerFuture<'a>;

    /// Writes down what came of tasks, in the transaction that takes note of their ends.
    fn record<'a>(&'a self, tx: &'a mut Tx, ended: &'a [Written<'a>]) -> RecordFuture<'a> {
        let _ = (tx, ended);
        Box::pin(std::future::ready(Ok(())))
    }
}

/// The task of a row. One that cannot be read may be that of a later version, which runs beside this one.
pub(super) fn decode<T: Task>(payload: &str) -> Result<T, TaskError> {
    serde_json::from_str(payload).map_err(|error| TaskError::Later(format!("unreadable payload: {error}")))
}

struct Decoding<T, H> {
    handler: H,
    task: PhantomData<fn() -> T>,
}

/// What does the tasks of rows.
pub(crate) fn decoding<T: Task, H: HandleTask<T>>(handler: H) -> Arc<dyn ErasedHandler> {
    Arc::new(Decoding { handler, task: PhantomData::<fn() -> T> })
}

impl<T: Task, H: HandleTask<T>> ErasedHandler for Decoding<T, H> {
    fn handle<'a>(&'a self, payload: &'a str, _attempt: i64, parts: &'a ShopParts) -> HandlerFuture<'a> {
        Box::pin(async move {
            let handled = match decode::<T>(payload) {
                Ok(task) => self.handler.handle(&task, &H::Uses::from_shop(parts)).await,
                Err(error) => Err(error),
            };
            handled.into()
        })
    }
}
