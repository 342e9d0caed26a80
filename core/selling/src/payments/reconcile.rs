//! `payments.reconcile`: asks providers about what nobody knows the end of (contract 3).

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::{StreamExt, stream};
use serde::Serialize;

use stoa_kernel::config::Config;
use stoa_kernel::db::DbError;
use stoa_kernel::error_chain;
use stoa_kernel::gateways::AttemptStatus;
use stoa_kernel::jobs::Job;

use super::provider::{self, ProviderError, last_check};
use super::records::{Attempt, find_attempt, find_open_attempt};
use super::{callbacks, queries};
use crate::payments::Payments;
use crate::refunds::{Refunds, due_refunds, resume_refund};

/// Attempts taken in one run; the next run goes on.
const BATCH: i64 = 500;

/// Attempts that are asked about at once.
const AT_ONCE: usize = 8;

/// How long a taken attempt is kept from other workers; longer than an answer may take.
const LEASE: TimeDelta = TimeDelta::minutes(2);

/// The job.
pub(crate) struct ReconcilePayments;

impl Job for ReconcilePayments {
    type Uses = (Arc<Config>, Payments, Refunds);

    const NAME: &'static str = "payments.reconcile";
    const EVERY: Duration = Duration::from_mins(1);
    const DOES: &'static str = "asks payment providers what became of payments and refunds";

    async fn run(&self, (config, payments, refunds): &Self::Uses) -> Result<(), String> {
        let failed = |error: DbError| format!("the database failed: {}", error_chain(&error));
        // A provider that is slow with one of them keeps nobody waiting for the others.
        let (callbacks, attempts, sent_back) =
            tokio::join!(callbacks::retry_due(config, payments), ask_due(payments), resume_refunds(refunds));
        callbacks.map_err(|error| error_chain(&error))?;
        attempts.map_err(failed)?;
        sent_back.map_err(failed)
    }
}

/// Asks about refunds without an outcome, under the reference that they were begun with: the money goes back once. What is
/// not answered is asked again later, and keeps nobody else waiting.
async fn resume_refunds(refunds: &Refunds) -> Result<(), DbError> {
    let due = due_refunds(&refunds.db).await?;
    let asked = stream::iter(due).map(|id| resume_refund(refunds, id)).buffer_unordered(AT_ONCE);
    // Each of them tells in the log what went wrong, and in its row.
    asked.fold((), async |(), _| ()).await;
    Ok(())
}

/// What asking about an attempt came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reconciled {
    /// The attempt.
    pub attempt_id: i64,
    /// The order that it is to pay.
    pub order_id: i64,
    /// The gateway.
    pub gateway: String,
    /// How far it was.
    pub before: AttemptStatus,
    /// How far it is now.
    pub after: AttemptStatus,
    /// Why nothing could be found out.
    pub error: Option<String>,
}

/// Asks now about all attempts that are due, as the job does.
pub async fn reconcile_due(payments: &Payments) -> Result<Vec<Reconciled>, DbError> {
    let mut all = Vec::new();
    loop {
        let asked = ask_due(payments).await?;
        if asked.is_empty() {
            return Ok(all);
        }
        all.extend(asked);
    }
}

/// Asks now about the attempt of an order that may still bring money, whether or not it is due; none if there is none.
pub async fn reconcile_order(payments: &Payments, order_id: i64) -> Result<Option<Reconciled>, DbError> {
    match find_open_attempt(&payments.db, order_id).await? {
        Some(attempt) => Ok(Some(reconcile(payments, &attempt).await?)),
        None => Ok(None),
    }
}

/// Asks about the attempts that are due. What one provider does not answer keeps nobody else waiting.
async fn ask_due(payments: &Payments) -> Result<Vec<Reconciled>, DbError> {
    let now = payments.db.now();
    let due = payments.db.read(queries::DUE_ATTEMPTS).bind(now).bind(BATCH).bind(last_check(now));
    let due = due.all::<(i64, DateTime<Utc>)>().await?;
    let asked = stream::iter(due).map(|(id, was_due)| ask_one(payments, id, was_due)).buffer_unordered(AT_ONCE);
    let asked = asked.collect::<Vec<_>>().await;
    asked.into_iter().filter_map(Result::transpose).collect()
}

async fn ask_one(payments: &Payments, id: i64, was_due: DateTime<Utc>) -> Result<Option<Reconciled>, DbError> {
    let leased_until = payments.db.now() + LEASE;
    let claim = payments
        .db
        .write(async |tx| tx.run(queries::CLAIM_ATTEMPT).bind(id).bind(was_due).bind(leased_until).execute().await);
    if claim.await? == 0 {
        return Ok(None);
    }
    match find_attempt(&payments.db, id).await? {
        Some(attempt) => Ok(Some(reconcile(payments, &attempt).await?)),
        None => Ok(None),
    }
}

/// Asks about one attempt now. What the provider does not answer is written down and asked again later.
async fn reconcile(payments: &Payments, attempt: &Attempt) -> Result<Reconciled, DbError> {
    let error = match provider::ask(payments, attempt).await {
        Ok(_) => None,
        Err(ProviderError::Db(error)) => return Err(error),
        Err(error) => {
            let error = error_chain(&error);
            tracing::warn!(
                attempt.id = attempt.id,
                gateway = attempt.gateway,
                error,
                "what became of a payment could not be found out"
            );
            Some(error)
        }
    };
    let after = find_attempt(&payments.db, attempt.id).await?;
    Ok(Reconciled {
        attempt_id: attempt.id,
        order_id: attempt.order_id,
        gateway: attempt.gateway.clone(),
        before: attempt.status,
        after: after.map_or(attempt.status, |attempt| attempt.status),
        error,
    })
}
