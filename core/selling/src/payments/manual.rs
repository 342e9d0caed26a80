//! Money that the operator has seen.

use serde_json::json;
use stoa_kernel::audit::Subject;
use stoa_kernel::db::{Db, DbError, Tx};
use stoa_kernel::gateways::{AttemptReport, AttemptStatus};

use super::gateway_calls::{GatewayCallError, OpenAttempt, close_open_attempt};
use super::queries;
use super::record::{Settled, Source, apply_report, record_money};
use super::records::Attempt;
use crate::orders::{Actor, LockedOrder, OrderStatus, lock_order};
use crate::payments::Payments;

/// The gateway that money comes through which the operator confirms.
pub(crate) const GATEWAY: &str = "manual";

/// Why no payment was recorded.
#[derive(Debug, thiserror::Error)]
pub enum RecordPaymentError {
    /// There is no such order.
    #[error("there is no such order")]
    NotFound,
    /// It is paid already, or costs nothing.
    #[error("the order is paid already")]
    Paid,
    /// It was cancelled, and money does not revive it.
    #[error("the order is cancelled")]
    Cancelled,
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// What the operator should know of a recorded payment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Recorded {
    /// What the customer has begun at a provider could not be ended there: they could pay a second time.
    pub still_open: Option<String>,
}

/// Records that an order was paid by bank transfer or in cash: once, whatever else reports a payment at the same time.
pub async fn record_payment(payments: &Payments, order_id: i64) -> Result<Recorded, RecordPaymentError> {
    refuse_settled(&payments.db, order_id).await?;
    let mut recorded = Recorded::default();
    match open_elsewhere(payments, order_id).await {
        Ok(OpenAttempt::Clear | OpenAttempt::Paid) => {}
        Ok(OpenAttempt::Processing) => recorded.still_open = Some(String::from("a payment is on its way")),
        Err(GatewayCallError::Db(error)) => return Err(error.into()),
        Err(error) => recorded.still_open = Some(error.to_string()),
    }
    payments.db.write(async |tx| record_in(tx, order_id).await).await?;
    Ok(recorded)
}

async fn refuse_settled(db: &Db, order_id: i64) -> Result<(), RecordPaymentError> {
    db.write(async |tx| {
        let order = lock_order(tx, order_id).await?.ok_or(RecordPaymentError::NotFound)?;
        match order.status {
            OrderStatus::Pending => Ok(()),
            OrderStatus::Paid => Err(RecordPaymentError::Paid),
            OrderStatus::Cancelled => Err(RecordPaymentError::Cancelled),
        }
    })
    .await
}

/// Ends an attempt at a provider; one of an order that is paid anyway is what the operator has seen.
async fn open_elsewhere(payments: &Payments, order_id: i64) -> Result<OpenAttempt, GatewayCallError> {
    let open = super::records::find_open_attempt(&payments.db, order_id).await?;
    if open.is_some_and(|attempt| attempt.gateway == GATEWAY) {
        return Ok(OpenAttempt::Clear);
    }
    close_open_attempt(payments, order_id).await
}

async fn record_in(tx: &mut Tx, order_id: i64) -> Result<(), RecordPaymentError> {
    let order = lock_order(tx, order_id).await?.ok_or(RecordPaymentError::NotFound)?;
    match order.status {
        OrderStatus::Pending => {}
        OrderStatus::Paid => return Err(RecordPaymentError::Paid),
        OrderStatus::Cancelled => return Err(RecordPaymentError::Cancelled),
    }
    let open = tx.run(queries::FIND_OPEN_ATTEMPT).bind(order_id).optional::<Attempt>().await?;
    if let Some(attempt) = open.filter(|attempt| attempt.gateway == GATEWAY) {
        let report = AttemptReport { amount: attempt.money(), ..AttemptReport::of(AttemptStatus::Succeeded) };
        if apply_report(tx, order_id, attempt.id, &report, Actor::Operator).await? == Settled::Recorded {
            return Ok(audit(tx, &order).await?);
        }
    }
    record_money(tx, &order, Source { gateway: GATEWAY, attempt_id: None, actor: Actor::Operator }).await?;
    Ok(audit(tx, &order).await?)
}

async fn audit(tx: &mut Tx, order: &LockedOrder) -> Result<(), DbError> {
    let after = json!({"status": "paid", "amount": order.total_amount, "currency": order.currency, "gateway": GATEWAY});
    tx.audit("orders.mark-paid", Subject::order(order.id), json!({"status": "pending"}), after).await
}
