//! Writing down what became of tasks.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use super::handler::TaskError;
use super::kinds::{Kind, Repetition};
use super::queries;
use crate::db::{DbError, Tx};

/// A task that has ended, however it did.
pub(super) struct Ended {
    pub(super) id: i64,
    pub(super) lease: String,
    pub(super) kind: Kind,
    pub(super) attempts: i64,
    pub(super) outcome: Result<(), TaskError>,
}

/// What is to be written about it.
enum Settlement<'a> {
    Done,
    Again { due_at: DateTime<Utc>, error: Option<&'a str> },
    Failed(&'a str),
}

impl Ended {
    fn settlement(&self, now: DateTime<Utc>) -> Settlement<'_> {
        let error = match &self.outcome {
            Ok(()) => None,
            Err(TaskError::Later(text) | TaskError::Unreachable(text) | TaskError::Never(text)) => Some(text.as_str()),
        };
        match (self.kind.repetition, error) {
            (Repetition::Every(time), error) => {
                let wait = TimeDelta::from_std(time).unwrap_or(TimeDelta::minutes(1));
                Settlement::Again { due_at: now + wait, error }
            }
            (Repetition::Once(_), None) => Settlement::Done,
            (Repetition::Once(back_off), Some(error)) => {
                let is_final = matches!(self.outcome, Err(TaskError::Never(_)));
                match back_off.after(self.attempts).filter(|_| !is_final) {
                    Some(wait) => Settlement::Again { due_at: now + wait, error: Some(error) },
                    None => Settlement::Failed(error),
                }
            }
        }
    }

    fn log(&self, state: &str, error: &str) {
        let (lane, kind, task, attempt) = (self.kind.lane.name, self.kind.name, self.id, self.attempts);
        if self.kind.logs_errors {
            tracing::warn!(lane, kind, task, attempt, state, error, "background work failed");
        } else {
            tracing::warn!(lane, kind, task, attempt, state, "background work failed");
        }
    }
}

/// Writes down what became of these. What somebody else holds by now is left to them.
pub(super) async fn settle(tx: &mut Tx, ended: &[Ended]) -> Result<(), DbError> {
    let now = tx.now();
    let mut done = Vec::new();
    for one in ended {
        let (state, due_at, error) = match one.settlement(now) {
            Settlement::Done => {
                done.push(json!({"id": one.id, "lease": one.lease}));
                continue;
            }
            Settlement::Again { due_at, error } => ("pending", due_at, error),
            Settlement::Failed(error) => ("failed", now, Some(error)),
        };
        let postpone = tx.run(queries::POSTPONE).bind(one.id).bind(one.lease.as_str()).bind(state);
        let written = postpone.bind(due_at).bind(error).bind(now).execute().await?;
        if let Some(error) = error.filter(|_| written > 0) {
            one.log(state, error);
        }
    }
    if !done.is_empty() {
        tx.run(queries::DELETE_DONE).bind(Value::Array(done).to_string()).execute().await?;
    }
    Ok(())
}
