//! Writing down what became of tasks.

use std::collections::HashSet;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use super::handler::{Handled, TaskError};
use super::kinds::{Kind, Repetition};
use super::queries;
use super::record::Next;
use crate::db::{DbError, Tx};

/// A task that has ended, however it did.
pub(super) struct Ended {
    pub(super) id: i64,
    pub(super) lease: String,
    pub(super) kind: Kind,
    pub(super) order_key: Option<String>,
    pub(super) subject: Option<i64>,
    pub(super) payload: String,
    pub(super) attempts: i64,
    pub(super) finished_at: DateTime<Utc>,
    pub(super) handled: Handled,
}

/// The same, with what was written about it.
pub(crate) struct Written<'a> {
    pub(super) ended: &'a Ended,
    pub(super) next: Next,
}

impl Written<'_> {
    /// Whether nothing remains of it in the queue.
    fn is_over(&self) -> bool {
        self.next == Next::Done || (self.next == Next::Failed && self.ended.kind.is_recorded)
    }
}

impl Ended {
    /// Why it is not done.
    pub(super) fn error(&self) -> Option<&str> {
        match &self.handled.outcome {
            Ok(()) | Err(TaskError::NotYet(_)) => None,
            Err(
                TaskError::Later(text)
                | TaskError::LaterAt(text, _)
                | TaskError::Unreachable(text)
                | TaskError::Never(text),
            ) => Some(text),
        }
    }

    /// What becomes of it, as long as nobody else holds it.
    pub(super) fn next(&self) -> Next {
        match (self.kind.repetition, &self.handled.outcome) {
            (Repetition::Every(time), _) => {
                Next::Again(self.finished_at + TimeDelta::from_std(time).unwrap_or(TimeDelta::minutes(1)))
            }
            (Repetition::Once(_), Ok(())) => Next::Done,
            (Repetition::Once(_), Err(TaskError::Never(_))) => Next::Failed,
            (Repetition::Once(_), Err(TaskError::LaterAt(_, time) | TaskError::NotYet(time))) => Next::Again(*time),
            (Repetition::Once(back_off), Err(TaskError::Later(_) | TaskError::Unreachable(_))) => {
                back_off.after(self.attempts).map_or(Next::Failed, |wait| Next::Again(self.finished_at + wait))
            }
        }
    }

    /// The attempts that count when it is tried again: what says itself when that is begins anew.
    fn counted_attempts(&self) -> i64 {
        match self.handled.outcome {
            Err(TaskError::LaterAt(..) | TaskError::NotYet(_)) => 0,
            Ok(()) | Err(TaskError::Later(_) | TaskError::Unreachable(_) | TaskError::Never(_)) => self.attempts,
        }
    }

    fn log(&self, state: &str, error: &str) {
        let (lane, kind, task, attempt) = (self.kind.lane.name, self.kind.name, self.id, self.attempts);
        let (subject, error) = (self.subject, Some(error).filter(|_| !self.kind.is_recorded));
        tracing::warn!(lane, kind, task, subject, attempt, state, error, "background work failed");
    }
}

/// Writes down what became of these, and gives when the first of them is due again. What somebody else holds by now is left to
/// them.
pub(super) async fn settle(tx: &mut Tx, ended: &[Ended]) -> Result<Option<DateTime<Utc>>, DbError> {
    let mut written = ended.iter().map(|ended| Written { ended, next: ended.next() }).collect::<Vec<_>>();
    let deleted = delete_done(tx, &written).await?;
    let mut again_at = None;
    for one in written.iter_mut().filter(|one| !deleted.contains(&one.ended.id)) {
        let next = postpone(tx, one).await?;
        if let Next::Again(time) = next {
            again_at = again_at.into_iter().chain([time]).min();
        }
        // What is done is done, although there is more to do.
        if one.next != Next::Done || next == Next::Lost {
            one.next = next;
        }
    }
    record(tx, written).await?;
    Ok(again_at)
}

async fn delete_done(tx: &mut Tx, written: &[Written<'_>]) -> Result<HashSet<i64>, DbError> {
    let done = written.iter().filter(|one| one.is_over());
    let done = done.map(|one| json!({"id": one.ended.id, "lease": one.ended.lease})).collect::<Vec<_>>();
    if done.is_empty() {
        return Ok(HashSet::new());
    }
    let deleted = tx.run(queries::DELETE_DONE).bind(Value::Array(done).to_string()).scalars::<i64>().await?;
    Ok(deleted.into_iter().collect())
}

/// Writes down when one that remains is due again, or that it was given up.
async fn postpone(tx: &mut Tx, Written { ended, next }: &Written<'_>) -> Result<Next, DbError> {
    let now = tx.now();
    let (state, due_at) = match next {
        Next::Again(due_at) => ("pending", *due_at),
        // One that is done remains only where it was enqueued anew.
        Next::Failed | Next::Done | Next::Lost => ("failed", now),
    };
    let error = ended.error();
    let postpone = tx.run(queries::POSTPONE).bind(ended.id).bind(ended.lease.as_str()).bind(state);
    let postpone = postpone.bind(due_at).bind(error).bind(now).bind(ended.counted_attempts());
    let Some((state, due_at)) = postpone.optional::<(String, DateTime<Utc>)>().await? else { return Ok(Next::Lost) };
    if let Some(error) = error {
        ended.log(&state, error);
    }
    Ok(if state == "pending" { Next::Again(due_at) } else { Next::Failed })
}

/// Has each kind write down what it has to say, in the order of their names, so that no two instances wait for each other.
async fn record(tx: &mut Tx, mut written: Vec<Written<'_>>) -> Result<(), DbError> {
    let kind_of = |one: &Written<'_>| (one.ended.kind.lane.name, one.ended.kind.name);
    written.sort_by_key(|one| (kind_of(one), one.ended.id));
    for group in written.chunk_by(|one, next| kind_of(one) == kind_of(next)) {
        group[0].ended.kind.handler.record(tx, group).await?;
    }
    Ok(())
}
