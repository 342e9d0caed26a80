//! Orders of renewals that nobody wants any more: they end with what they were to renew (contract 2.3).

use stoa_core::orders::{CancelOrderError, CancelReason, cancel_order};
use stoa_core::payments::Payments;
use stoa_core::prelude::*;

use crate::queries;

/// Orders looked at together.
const BATCH: i64 = 100;

/// Cancels these orders. One that cannot be cancelled now is tried again by the job; one that was paid is the listener's.
pub(crate) async fn cancel_withdrawn(payments: &Payments, orders: impl IntoIterator<Item = i64>) {
    for order_id in orders {
        match cancel_order(payments, order_id, CancelReason::Withdrawn).await {
            // Cancelled, or the money came first or is on its way: then the listener decides.
            Ok(())
            | Err(
                CancelOrderError::Cancelled
                | CancelOrderError::Paid
                | CancelOrderError::Processing
                | CancelOrderError::NotFound,
            ) => {}
            Err(error) => {
                let error = stoa_core::error_chain(&error);
                tracing::warn!(order.id = order_id, error, "the order of a renewal could not be cancelled yet");
            }
        }
    }
}

/// Cancels what was withdrawn and is not cancelled yet, for example because the program died in between.
pub(crate) async fn cancel_all_withdrawn(payments: &Payments) -> Result<(), DbError> {
    let mut after = 0_i64;
    loop {
        let page = payments.db.read(queries::LIST_WITHDRAWN).bind(after).bind(BATCH).scalars::<i64>().await?;
        let Some(last) = page.last() else { return Ok(()) };
        after = *last;
        cancel_withdrawn(payments, page).await;
    }
}
