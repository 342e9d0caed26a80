//! `payments.reconcile`: asks providers about what nobody knows the end of (contract 3).

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::{StreamExt, stream};

use super::provider::{self, ProviderError};
use super::records::{Attempt, find_attempt};
use super::{callbacks, queries};
use crate::db::DbError;
use crate::error_chain;
use crate::jobs::Job;
use crate::services::Services;

/// Attempts taken in one run; the next run goes on.
const BATCH: i64 = 500;

/// Attempts that are asked about at once.
const AT_ONCE: usize = 8;

/// How long a taken attempt is kept from other workers; longer than an answer may take.
const LEASE: TimeDelta = TimeDelta::minutes(2);

/// The job.
pub(crate) struct ReconcilePayments;

impl Job for ReconcilePayments {
    const NAME: &'static str = "payments.reconcile";
    const EVERY: Duration = Duration::from_mins(1);

    async fn run(&self, services: &Services) -> Result<(), String> {
        let failed = |error: DbError| format!("the database failed: {}", error_chain(&error));
        callbacks::retry_due(services).await.map_err(failed)?;
        ask_due(services).await.map_err(failed)
    }
}

/// Asks about the attempts that are due. What one provider does not answer keeps nobody else waiting.
async fn ask_due(services: &Services) -> Result<(), DbError> {
    let now = services.db.now();
    let due = services.db.read(queries::DUE_ATTEMPTS).bind(now).bind(BATCH);
    let due = due.all::<(i64, DateTime<Utc>)>().await?;
    let asked = stream::iter(due).map(|(id, was_due)| ask_one(services, id, was_due)).buffer_unordered(AT_ONCE);
    asked.fold(Ok(()), async |all, one| all.and(one)).await
}

async fn ask_one(services: &Services, id: i64, was_due: DateTime<Utc>) -> Result<(), DbError> {
    let leased_until = services.db.now() + LEASE;
    let claim = services
        .db
        .write(async |tx| tx.run(queries::CLAIM_ATTEMPT).bind(id).bind(was_due).bind(leased_until).execute().await);
    if claim.await? == 0 {
        return Ok(());
    }
    let Some(attempt) = find_attempt(&services.db, id).await? else { return Ok(()) };
    reconcile(services, &attempt).await
}

/// Asks about one attempt now. What the provider does not answer is written down and asked again later.
pub(super) async fn reconcile(services: &Services, attempt: &Attempt) -> Result<(), DbError> {
    match provider::ask(services, attempt).await {
        Ok(_) => Ok(()),
        Err(ProviderError::Db(error)) => Err(error),
        Err(error) => {
            tracing::warn!(
                attempt.id = attempt.id,
                gateway = attempt.gateway,
                error = error_chain(&error),
                "what became of a payment could not be found out"
            );
            Ok(())
        }
    }
}
