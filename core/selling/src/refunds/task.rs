//! Refunds without an outcome, as tasks of the queue: their providers are asked again until there is one.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use stoa_kernel::db::{DbError, Tx};
use stoa_kernel::error_chain;
use stoa_kernel::gateways::RefundStatus;
use stoa_kernel::queue::{BackOff, HandleTask, Lane, Task, TaskError};

use super::read::load;
use super::send::{SendRefundError, resume_refund};
use super::uses::Refunds;
use crate::payments::next_check;

/// Refunds whose providers are asked; one that does not answer takes as long as patience lasts.
pub(crate) const REFUNDS: Lane = Lane::new("refunds", 32, "refund").abreast(8);

/// A pending refund that is to be asked for again.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ResumeRefund {
    refund: i64,
    gateway: String,
}

impl Task for ResumeRefund {
    const KIND: &'static str = "refunds.resume";
    const LANE: Lane = REFUNDS;

    fn order_key(&self) -> Option<String> {
        Some(self.gateway.clone())
    }

    fn subject(&self) -> Option<i64> {
        Some(self.refund)
    }
}

/// Has a pending refund be asked for at a time.
pub(super) async fn resume_at(tx: &mut Tx, refund_id: i64, gateway: &str, time: DateTime<Utc>) -> Result<(), DbError> {
    tx.enqueue_at(&ResumeRefund { refund: refund_id, gateway: gateway.to_owned() }, time).await
}

/// Has nobody ask for a refund any more that is over.
pub(super) async fn resume_no_more(tx: &mut Tx, refund_id: i64) -> Result<(), DbError> {
    tx.dequeue::<ResumeRefund>(refund_id).await
}

/// Asks under the reference that a refund was begun with: the money goes back once.
pub(super) struct Resume;

impl HandleTask<ResumeRefund> for Resume {
    type Uses = Refunds;

    const RETRY: BackOff = BackOff::minutes(&[1, 5, 15, 60]).endless();

    async fn handle(&self, task: &ResumeRefund, refunds: &Refunds) -> Result<(), TaskError> {
        let asked = resume_refund(refunds, task.refund).await;
        let pending = load(&refunds.db, task.refund).await?.filter(|refund| refund.status == RefundStatus::Pending);
        let Some(refund) = pending else { return Ok(()) };
        let next = next_check(refunds.db.now(), refund.checks - 1);
        match asked {
            Ok(_) => Err(TaskError::NotYet(next)),
            // What the provider has said is not written down.
            Err(error @ (SendRefundError::Settle(_) | SendRefundError::Db(_))) => {
                Err(TaskError::Later(error_chain(&error)))
            }
            Err(error) => Err(TaskError::LaterAt(error_chain(&error), next)),
        }
    }
}
