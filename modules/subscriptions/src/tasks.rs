//! Subscriptions as tasks of the queue: each that is not over has one, which is due when there is something to be done next
//! (contract 3).

use chrono::{DateTime, TimeDelta, Utc};
use stoa_core::checkout::FollowUpError;
use stoa_core::error_chain;
use stoa_core::prelude::*;
use stoa_core::queue::{BackOff, HandleTask, Lane, Task, TaskError};

use crate::charging::charge;
use crate::config::Config;
use crate::queries;
use crate::renewing::{Billing, RenewalStep, Renewing, step};

/// Subscriptions that are worked on, none of which waits for another.
pub(crate) const SUBSCRIPTIONS: Lane = Lane::new("subscriptions", 8, "renewal");

/// Steps that a period may take at most in one run: placed, charged, paid, overdue, suspended, ended, and some more.
const STEPS_PER_PERIOD: u32 = 10;

/// When a run goes on that has billed as much as it may.
const NEXT_RUN: TimeDelta = TimeDelta::minutes(1);

/// A subscription that is to be billed, charged, dunned or ended.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RenewSubscription {
    subscription: i64,
}

impl Task for RenewSubscription {
    const KIND: &'static str = "subscriptions.renewal";
    const LANE: Lane = SUBSCRIPTIONS;

    fn subject(&self) -> Option<i64> {
        Some(self.subscription)
    }
}

/// Has a subscription be looked at at a time.
pub(crate) async fn look_at(tx: &mut Tx, subscription: i64, time: DateTime<Utc>) -> Result<(), DbError> {
    tx.enqueue_at(&RenewSubscription { subscription }, time).await
}

/// Has a subscription be looked at that has changed: whoever does so knows when there is something to be done.
pub(crate) async fn look_now(tx: &mut Tx, subscription: i64) -> Result<(), DbError> {
    let now = tx.now();
    look_at(tx, subscription, now).await
}

/// Has nobody look at a subscription any more that is over.
pub(crate) async fn look_no_more(tx: &mut Tx, subscription: i64) -> Result<(), DbError> {
    tx.dequeue::<RenewSubscription>(subscription).await
}

/// What renews subscriptions.
pub(crate) struct Renew {
    pub(crate) config: Config,
}

impl HandleTask<RenewSubscription> for Renew {
    type Uses = Renewing;

    /// What was wrong may be mended in an hour.
    const RETRY: BackOff = BackOff::minutes(&[60]).endless();

    async fn handle(&self, task: &RenewSubscription, uses: &Renewing) -> Result<(), TaskError> {
        match self.work_on(uses, task.subscription).await {
            Ok(next) => next.map_or(Ok(()), |next| Err(TaskError::NotYet(next))),
            Err(error) => {
                let text = error_chain(&error);
                note_failure(&uses.checkout.payments.db, task.subscription, &text).await?;
                Err(TaskError::Later(text))
            }
        }
    }
}

impl Renew {
    /// Takes steps until nothing is to be done before the time that is returned, the oldest period first. What one run may not
    /// bill, the next one does.
    async fn work_on(&self, uses: &Renewing, id: i64) -> Result<Option<DateTime<Utc>>, FollowUpError> {
        let payments = &uses.checkout.payments;
        let mut renewed = 0;
        for _ in 0..self.config.catch_up_periods.saturating_mul(STEPS_PER_PERIOD) {
            let exhausted = renewed >= self.config.catch_up_periods;
            let billing = if exhausted { Billing::Exhausted } else { Billing::Allowed };
            match payments.db.write(async |tx| step(tx, uses, &self.config, id, billing).await).await? {
                RenewalStep::Rest(until) => return Ok(until),
                RenewalStep::Exhausted => break,
                RenewalStep::Again => {}
                RenewalStep::Renewed => renewed += 1,
                RenewalStep::Charge { period_id, order_id } => {
                    charge(payments, &self.config, period_id, order_id).await?;
                }
            }
        }
        Ok(Some(payments.db.now() + NEXT_RUN))
    }
}

/// Writes down why a renewal could not be placed.
async fn note_failure(db: &Db, id: i64, error: &str) -> Result<(), DbError> {
    db.write(async |tx| {
        let now = tx.now();
        tx.run(queries::NOTE_FAILURE).bind(id).bind(Some(error)).bind(now).execute().await
    })
    .await
    .map(drop)
}
