//! Writing down what became of attempts: many of them in one transaction.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use chrono::TimeDelta;
use serde_json::{Value, json};

use stoa_kernel::db::{DbError, Tx};
use stoa_kernel::queue::{EndedTask, Next, TaskError};

use super::DeliverWebhook;
use super::counters::Counters;
use crate::webhooks::attempt::{Attempt, MAX_ATTEMPTS, Outcome};
use crate::webhooks::queries;

/// How exactly the time of the last success is kept while all goes well: a row that every batch writes would be
/// waited for by all workers.
const SUCCESS_PRECISION: TimeDelta = TimeDelta::seconds(5);

/// Why a delivery was given up whose last sender never told.
const LEASE_EXPIRED: &str = "the last attempt was claimed, and its result never recorded";

/// Why a delivery was skipped.
pub(in crate::webhooks) const DISABLED: &str = "the endpoint was disabled";

/// What came of a task.
#[derive(Debug, Clone)]
pub(in crate::webhooks) enum Report {
    /// Nothing was sent.
    NotAttempted,
    /// The endpoint was off before anything was sent, or when it had failed.
    Skipped(Option<Attempt>),
    /// It was sent.
    Attempted(Attempt),
}

impl Report {
    fn attempt(&self) -> Option<&Attempt> {
        match self {
            Self::NotAttempted | Self::Skipped(None) => None,
            Self::Skipped(Some(attempt)) | Self::Attempted(attempt) => Some(attempt),
        }
    }

    /// What the queue is to do about the task.
    pub(super) fn outcome(&self) -> Result<(), TaskError> {
        match self {
            Self::NotAttempted | Self::Skipped(_) => Ok(()),
            Self::Attempted(attempt) => match &attempt.outcome {
                Outcome::Delivered { .. } => Ok(()),
                Outcome::Retryable { error, .. } => Err(TaskError::Later(error.clone())),
                Outcome::Final { error, .. } => Err(TaskError::Never(error.clone())),
            },
        }
    }
}

type Ended<'a> = EndedTask<'a, DeliverWebhook, Report>;

/// Why an attempt was no success.
fn error_of(attempt: &Attempt) -> Option<&str> {
    match &attempt.outcome {
        Outcome::Delivered { .. } => None,
        Outcome::Retryable { error, .. } | Outcome::Final { error, .. } => Some(error),
    }
}

fn status_of(attempt: &Attempt) -> Option<u16> {
    match attempt.outcome {
        Outcome::Delivered { status } => Some(status),
        Outcome::Retryable { status, .. } | Outcome::Final { status, .. } => status,
    }
}

/// Writes what endpoints are like, then what became of deliveries: whoever changes both locks the endpoint first.
pub(super) async fn record(tx: &mut Tx, ended: &[Ended<'_>], counters: &Counters) -> Result<(), DbError> {
    let count = |counter: &AtomicU64, times: usize| counter.fetch_add(times as u64, Ordering::Relaxed);
    let lost = ended.iter().filter(|one| one.next == Next::Lost).count();
    if lost > 0 {
        count(&counters.lost_leases, lost);
        tracing::warn!(attempts = lost, "leases ended before the attempts did; the results are not recorded");
    }
    record_health(tx, ended).await?;
    let held = ended.iter().filter(|one| one.next != Next::Lost).collect::<Vec<_>>();
    let (delivered, others) = held.iter().copied().partition::<Vec<_>, _>(|one| {
        matches!(one.report, Some(Report::Attempted(Attempt { outcome: Outcome::Delivered { .. }, .. })))
    });
    count(&counters.delivered, delivered.len());
    set_delivered(tx, &delivered).await?;
    for one in others {
        let state = set_undelivered(tx, one).await?;
        count(&counters.retried, usize::from(state == Some("pending")));
        count(&counters.given_up, usize::from(state == Some("dead_letter")));
    }
    insert_attempts(tx, &held).await
}

async fn record_health(tx: &mut Tx, ended: &[Ended<'_>]) -> Result<(), DbError> {
    let now = tx.now();
    let mut by_endpoint = BTreeMap::<i64, Vec<&Attempt>>::new();
    for one in ended {
        let attempt = one.report.and_then(Report::attempt);
        by_endpoint.entry(one.task.endpoint).or_default().extend(attempt);
    }
    for (endpoint, attempts) in by_endpoint.into_iter().filter(|(_, attempts)| !attempts.is_empty()) {
        let since_success = attempts.iter().rev().take_while(|attempt| error_of(attempt).is_some()).count();
        let set = tx.run(queries::SET_HEALTH).bind(endpoint).bind(i64::try_from(since_success).unwrap_or(i64::MAX));
        let set = set.bind(i64::from(since_success < attempts.len())).bind(now);
        let latest = attempts.last().and_then(|attempt| error_of(attempt));
        set.bind(latest).bind(now - SUCCESS_PRECISION).execute().await?;
    }
    Ok(())
}

async fn set_delivered(tx: &mut Tx, delivered: &[&Ended<'_>]) -> Result<(), DbError> {
    let now = tx.now();
    let rows = delivered.iter().map(|one| {
        let status = one.report.and_then(Report::attempt).and_then(status_of);
        json!({"id": one.task.delivery, "attempts": one.attempt, "status": status})
    });
    let rows = rows.collect::<Vec<_>>();
    if rows.is_empty() {
        return Ok(());
    }
    tx.run(queries::SET_DELIVERED).bind(Value::Array(rows).to_string()).bind(now).execute().await.map(drop)
}

/// Gives the state that the delivery has now; none where there was nothing to be done about it.
async fn set_undelivered(tx: &mut Tx, one: &Ended<'_>) -> Result<Option<&'static str>, DbError> {
    let now = tx.now();
    let attempt = one.report.and_then(Report::attempt);
    let error = match (one.error, attempt.and_then(error_of)) {
        (Some(_), _) if one.attempt > MAX_ATTEMPTS => LEASE_EXPIRED,
        (Some(error), _) | (None, Some(error)) => error,
        (None, None) => DISABLED,
    };
    let (state, shown) = match (one.report, one.next) {
        (Some(Report::Skipped(None)), _) => ("skipped", error.to_owned()),
        (Some(Report::Skipped(Some(_))), _) => ("skipped", format!("{DISABLED} ({error})")),
        (_, Next::Again(_)) => ("pending", error.to_owned()),
        (_, Next::Failed) => ("dead_letter", error.to_owned()),
        (_, Next::Done | Next::Lost) => return Ok(None),
    };
    let set = tx.run(queries::SET_UNDELIVERED).bind(one.task.delivery).bind(state);
    let set = set.bind(one.attempt.min(MAX_ATTEMPTS)).bind(attempt.and_then(status_of).map(i64::from));
    let delivery = set.bind(shown).bind((state != "pending").then_some(now)).optional_scalar::<String>().await?;
    if let Some(delivery) = delivery.filter(|_| state != "skipped") {
        let endpoint = one.task.endpoint;
        tracing::warn!(delivery, endpoint, attempt = one.attempt, state, error, "a webhook was not delivered");
    }
    Ok(Some(state))
}

async fn insert_attempts(tx: &mut Tx, ended: &[&Ended<'_>]) -> Result<(), DbError> {
    let now = tx.now();
    let rows = ended.iter().filter_map(|one| {
        let attempt = one.report.and_then(Report::attempt)?;
        Some(json!({
            "delivery": one.task.delivery,
            "number": one.attempt,
            "duration_ms": u64::try_from(attempt.duration.as_millis()).unwrap_or(u64::MAX),
            "address": attempt.address.map(|address| address.to_string()),
            "status": status_of(attempt),
            "error": error_of(attempt),
        }))
    });
    let rows = rows.collect::<Vec<_>>();
    if rows.is_empty() {
        return Ok(());
    }
    tx.run(queries::INSERT_ATTEMPTS).bind(Value::Array(rows).to_string()).bind(now).execute().await.map(drop)
}
