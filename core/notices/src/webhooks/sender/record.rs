//! Writing down what became of attempts: many of them in one transaction.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::Ordering;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use stoa_kernel::db::{DbError, Tx};

use super::claim::{Claimed, DISABLED, Waiting};
use super::counters::Counters;
use crate::webhooks::attempt::{Attempt, Outcome, RETRY_DELAYS_SECONDS};
use crate::webhooks::queries;

/// How exactly the time of the last success is kept while all goes well: a row that every batch writes would be
/// waited for by all workers.
const SUCCESS_PRECISION: TimeDelta = TimeDelta::seconds(5);

/// An attempt that has ended.
#[derive(Debug, Clone)]
pub(super) struct Ended {
    pub(super) claimed: Claimed,
    pub(super) lease: String,
    pub(super) attempt: Attempt,
    pub(super) at: DateTime<Utc>,
}

/// Where a delivery goes after a failed attempt.
enum Next {
    Again(DateTime<Utc>),
    DeadLetter,
    Skipped,
}

/// What a transaction has counted, to be added once it has committed.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) delivered: u64,
    retried: u64,
    given_up: u64,
    lost_leases: u64,
}

impl Tally {
    pub(super) fn add_to(&self, counters: &Counters) {
        counters.delivered.fetch_add(self.delivered, Ordering::Relaxed);
        counters.retried.fetch_add(self.retried, Ordering::Relaxed);
        counters.given_up.fetch_add(self.given_up, Ordering::Relaxed);
        counters.lost_leases.fetch_add(self.lost_leases, Ordering::Relaxed);
    }
}

/// Writes what endpoints were like. Before anything else of a transaction: all that change an endpoint and its deliveries
/// lock the endpoint first.
pub(super) async fn record_health(tx: &mut Tx, ended: &[Ended], endpoints: &[Waiting]) -> Result<(), DbError> {
    let now = tx.now();
    let mut by_endpoint = BTreeMap::<i64, Vec<&Ended>>::new();
    for one in ended {
        by_endpoint.entry(one.claimed.endpoint_id).or_default().push(one);
    }
    for (endpoint, attempts) in by_endpoint {
        let failure = |ended: &&Ended| match &ended.attempt.outcome {
            Outcome::Delivered { .. } => None,
            Outcome::Retryable { error, .. } | Outcome::Final { error, .. } => Some(error.clone()),
        };
        let since_success = attempts.iter().rev().take_while(|ended| failure(ended).is_some()).count();
        let succeeded = since_success < attempts.len();
        let known = endpoints.iter().find(|known| known.id == endpoint);
        let is_known_well = known.is_some_and(|known| {
            known.consecutive_failures == 0 && known.last_success_at.is_some_and(|last| now - last < SUCCESS_PRECISION)
        });
        if since_success == 0 && is_known_well {
            continue;
        }
        let latest = attempts.last().and_then(failure);
        let set = tx.run(queries::SET_HEALTH).bind(endpoint);
        let set = set.bind(i64::try_from(since_success).unwrap_or(i64::MAX)).bind(i64::from(succeeded));
        set.bind(now).bind(latest).execute().await?;
    }
    Ok(())
}

/// Writes what became of deliveries whose leases are still held.
pub(super) async fn record_results(
    tx: &mut Tx,
    ended: &[Ended],
    is_active: impl Fn(i64) -> bool,
) -> Result<Tally, DbError> {
    let now = tx.now();
    let mut tally = Tally::default();
    let mut held = HashSet::new();
    let arrived = ended.iter().filter_map(|ended| match ended.attempt.outcome {
        Outcome::Delivered { status } => Some(json!({"id": ended.claimed.id, "lease": ended.lease, "status": status})),
        _ => None,
    });
    let arrived = arrived.collect::<Vec<_>>();
    if !arrived.is_empty() {
        let set = tx.run(queries::SET_DELIVERED).bind(Value::Array(arrived).to_string()).bind(now);
        held.extend(set.scalars::<i64>().await?);
        tally.delivered = held.len() as u64;
    }
    for one in ended {
        let (status, error, next) = match &one.attempt.outcome {
            Outcome::Delivered { .. } => continue,
            Outcome::Final { status, error } => (status, error, Next::DeadLetter),
            Outcome::Retryable { status, error } if is_active(one.claimed.endpoint_id) => {
                (status, error, again(one.claimed.attempts, one.at))
            }
            Outcome::Retryable { status, error } => (status, error, Next::Skipped),
        };
        let (state, next_attempt_at, shown) = match next {
            Next::Again(time) => ("pending", Some(time), error.clone()),
            Next::DeadLetter => ("dead_letter", None, error.clone()),
            Next::Skipped => ("skipped", None, format!("{DISABLED} ({error})")),
        };
        let set = tx.run(queries::SET_FAILED).bind(one.claimed.id).bind(one.lease.as_str()).bind(state);
        let set = set.bind(next_attempt_at).bind(status.map(i64::from)).bind(shown.as_str());
        let finished_at = next_attempt_at.is_none().then_some(now);
        if set.bind(finished_at).execute().await? == 1 {
            held.insert(one.claimed.id);
            tally.retried += u64::from(state == "pending");
            tally.given_up += u64::from(state == "dead_letter");
            tracing::warn!(
                delivery = one.claimed.delivery_id,
                endpoint = one.claimed.endpoint_id,
                attempt = one.claimed.attempts,
                state,
                error,
                "a webhook was not delivered"
            );
        }
    }
    tally.lost_leases = (ended.len() - held.len()) as u64;
    if tally.lost_leases > 0 {
        tracing::warn!(
            attempts = tally.lost_leases,
            "leases ended before the attempts did; the results are not recorded"
        );
    }
    let rows = ended.iter().filter(|ended| held.contains(&ended.claimed.id)).map(attempt_row).collect::<Vec<_>>();
    if !rows.is_empty() {
        tx.run(queries::INSERT_ATTEMPTS).bind(Value::Array(rows).to_string()).bind(now).execute().await?;
    }
    Ok(tally)
}

/// The delay after this many attempts (S8), counted from the end of the last one.
fn again(attempts: i64, ended_at: DateTime<Utc>) -> Next {
    let place = usize::try_from(attempts).ok().and_then(|attempts| attempts.checked_sub(1));
    match place.and_then(|place| RETRY_DELAYS_SECONDS.get(place)) {
        Some(seconds) => Next::Again(ended_at + TimeDelta::seconds(*seconds)),
        None => Next::DeadLetter,
    }
}

fn attempt_row(ended: &Ended) -> Value {
    let (status, error) = match &ended.attempt.outcome {
        Outcome::Delivered { status } => (Some(*status), None),
        Outcome::Retryable { status, error } | Outcome::Final { status, error } => (*status, Some(error)),
    };
    json!({
        "delivery": ended.claimed.id,
        "number": ended.claimed.attempts,
        "duration_ms": u64::try_from(ended.attempt.duration.as_millis()).unwrap_or(u64::MAX),
        "address": ended.attempt.address.map(|address| address.to_string()),
        "status": status,
        "error": error,
    })
}
