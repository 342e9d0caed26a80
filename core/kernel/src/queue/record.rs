//! Tasks whose results are written down together, in the transaction that takes note of their ends.

use std::any::Any;
use std::future::Future;
use std::marker::PhantomData;

use chrono::{DateTime, Utc};

use super::back_off::BackOff;
use super::handler::{ErasedHandler, Handled, HandlerFuture, RecordFuture, Task, TaskError, decode};
use super::settle::Written;
use crate::db::{DbError, Tx};
use crate::from_shop::{FromShop, ShopParts};

/// What does the tasks of a kind, and writes down what came of many of them with one commit; of a task that was given up nothing
/// else remains. It must be repeatable, as
/// [`HandleTask`](super::HandleTask) must.
pub trait RecordTask<T: Task>: Send + Sync + 'static {
    /// What it works with.
    type Uses: FromShop;

    /// What it has to write down about a task.
    type Report: Send + Sync + 'static;

    /// When a task that has failed is tried again.
    const RETRY: BackOff;

    /// Does the work, for the `attempt`-th time.
    fn handle(
        &self,
        task: &T,
        attempt: i64,
        uses: &Self::Uses,
    ) -> impl Future<Output = (Result<(), TaskError>, Self::Report)> + Send;

    /// Writes down what came of these. Nothing of what is written holds unless the transaction commits.
    fn record(
        &self,
        tx: &mut Tx,
        ended: &[EndedTask<'_, T, Self::Report>],
    ) -> impl Future<Output = Result<(), DbError>> + Send;
}

/// A task that has ended.
#[derive(Debug)]
pub struct EndedTask<'a, T, R> {
    /// The task.
    pub task: T,
    /// Which attempt it was, from 1.
    pub attempt: i64,
    /// What the handler has said; none where it panicked, or was not called because whoever tried the task died over it.
    pub report: Option<&'a R>,
    /// Why it is not done.
    pub error: Option<&'a str>,
    /// What becomes of it.
    pub next: Next,
}

/// What becomes of a task that has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Nothing: it is done.
    Done,
    /// It is tried again then.
    Again(DateTime<Utc>),
    /// It is given up.
    Failed,
    /// Nobody knows: its lease has passed to somebody else before it ended.
    Lost,
}

pub(super) struct Recording<T, H> {
    pub(super) handler: H,
    pub(super) task: PhantomData<fn() -> T>,
}

impl<T: Task, H: RecordTask<T>> ErasedHandler for Recording<T, H> {
    fn handle<'a>(&'a self, payload: &'a str, attempt: i64, parts: &'a ShopParts) -> HandlerFuture<'a> {
        Box::pin(async move {
            let task = match decode::<T>(payload) {
                Ok(task) => task,
                Err(error) => return Err(error).into(),
            };
            let (outcome, report) = self.handler.handle(&task, attempt, &H::Uses::from_shop(parts)).await;
            Handled { outcome, report: Some(Box::new(report) as Box<dyn Any + Send + Sync>) }
        })
    }

    fn record<'a>(&'a self, tx: &'a mut Tx, ended: &'a [Written<'a>]) -> RecordFuture<'a> {
        let ended = ended.iter().filter_map(|written| {
            // What cannot be read was not done, and is nothing that could be written about.
            let task = decode::<T>(&written.ended.payload).ok()?;
            let report = written.ended.handled.report.as_deref().and_then(|report| report.downcast_ref());
            let (attempt, error) = (written.ended.attempts, written.ended.error());
            Some(EndedTask { task, attempt, report, error, next: written.next })
        });
        let ended = ended.collect::<Vec<_>>();
        Box::pin(async move { self.handler.record(tx, &ended).await })
    }
}
