//! `orders.expire`: cancels orders that were not paid in time (contract 2.3).

use std::time::Duration;

use stoa_kernel::error_chain;
use stoa_kernel::jobs::Job;

use super::cancel::{CancelOrderError, CancelReason, cancel_order};
use super::queries;
use crate::payments::Payments;

/// Orders looked at together.
const BATCH: i64 = 100;

/// The job.
pub(crate) struct ExpireOrders;

impl Job for ExpireOrders {
    type Uses = Payments;

    const NAME: &'static str = "orders.expire";
    const EVERY: Duration = Duration::from_mins(1);
    const DOES: &'static str = "cancels orders that were not paid in time";

    /// One order that cannot be cancelled now keeps no other from it; it is tried again next time.
    async fn run(&self, payments: &Payments) -> Result<(), String> {
        let now = payments.db.now();
        let (mut after, mut failed) = (0_i64, Vec::new());
        loop {
            let page = payments.db.read(queries::LIST_EXPIRED).bind(now).bind(after).bind(BATCH);
            let due = page.scalars::<i64>().await.map_err(|error| error_chain(&error))?;
            let Some(last) = due.last() else { break };
            after = *last;
            for order_id in due {
                match cancel_order(payments, order_id, CancelReason::Expired).await {
                    // Paid or cancelled meanwhile, or about to be paid: as it should be.
                    Ok(())
                    | Err(
                        CancelOrderError::Paid
                        | CancelOrderError::Cancelled
                        | CancelOrderError::Processing
                        | CancelOrderError::NotFound,
                    ) => {}
                    Err(error) => {
                        let text = error_chain(&error);
                        tracing::warn!(order.id = order_id, error = text, "an unpaid order could not be cancelled");
                        failed.push(format!("order {order_id}: {text}"));
                    }
                }
            }
        }
        if failed.is_empty() { Ok(()) } else { Err(failed.join("; ")) }
    }
}
