//! Orders of renewals that nobody wants any more: they end with what they were to renew (contract 2.3).

use chrono::TimeDelta;
use stoa_core::error_chain;
use stoa_core::orders::{CancelOrderError, CancelReason, cancel_order};
use stoa_core::payments::Payments;
use stoa_core::prelude::*;
use stoa_core::queue::{BackOff, HandleTask, Lane, Task, TaskError};

use crate::queries;
use crate::tasks::SUBSCRIPTIONS;

/// When it is looked again whether money came that was on its way.
const LOOK_AGAIN: TimeDelta = TimeDelta::hours(1);

/// The order of a renewal that was withdrawn, and is to be cancelled.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct CancelRenewal {
    order: i64,
}

impl Task for CancelRenewal {
    const KIND: &'static str = "subscriptions.cancel_renewal";
    const LANE: Lane = SUBSCRIPTIONS;

    fn subject(&self) -> Option<i64> {
        Some(self.order)
    }
}

/// Withdraws the open renewal of a locked subscription, if there is one; its order is cancelled after the commit.
pub(crate) async fn withdraw(tx: &mut Tx, subscription: i64) -> Result<(), DbError> {
    let withdrawn = tx.run(queries::WITHDRAW).bind(subscription).optional_scalar::<i64>().await?;
    withdrawn.map_or(Ok(()), |order| tx.enqueue(&CancelRenewal { order }))
}

/// What cancels orders that were withdrawn. Providers may have to be asked.
pub(crate) struct CancelWithdrawn;

impl HandleTask<CancelRenewal> for CancelWithdrawn {
    type Uses = Payments;

    const RETRY: BackOff = BackOff::minutes(&[1, 5, 15, 60]).endless();

    async fn handle(&self, task: &CancelRenewal, payments: &Payments) -> Result<(), TaskError> {
        match cancel_order(payments, task.order, CancelReason::Withdrawn).await {
            // If the money came first, the listener decides.
            Ok(()) | Err(CancelOrderError::Cancelled | CancelOrderError::Paid | CancelOrderError::NotFound) => Ok(()),
            Err(CancelOrderError::Processing) => Err(TaskError::NotYet(payments.db.now() + LOOK_AGAIN)),
            Err(error) => Err(TaskError::Later(error_chain(&error))),
        }
    }
}
