//! Cancelling an order that is not paid: by the operator, or because its time is over.

use serde_json::json;
use stoa_kernel::audit::Subject;
use stoa_kernel::db::DbError;
use stoa_kernel::events::ListenerError;

use super::change::{lock_order, mark_cancelled};
use super::history::Actor;
use super::status::OrderStatus;
use crate::payments::{self, GatewayCallError, OpenAttempt, PaymentStatus, Payments};

/// How often an attempt that the customer has just begun is closed before the order is left alone.
const ROUNDS: usize = 3;

/// Why an order is cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CancelReason {
    /// Somebody at the command line wanted it.
    Operator,
    /// It was not paid in time.
    Expired,
    /// What it was placed for is not wanted any more.
    Withdrawn,
}

impl CancelReason {
    /// The word that is stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Operator => "operator",
            Self::Expired => "expired",
            Self::Withdrawn => "withdrawn",
        }
    }

    fn actor(self) -> Actor {
        match self {
            Self::Operator => Actor::Operator,
            Self::Expired | Self::Withdrawn => Actor::System,
        }
    }

    fn payment_status(self) -> PaymentStatus {
        match self {
            Self::Operator | Self::Withdrawn => PaymentStatus::Cancelled,
            Self::Expired => PaymentStatus::Expired,
        }
    }
}

/// Why an order was not cancelled.
#[derive(Debug, thiserror::Error)]
pub enum CancelOrderError {
    /// There is no such order.
    #[error("there is no such order")]
    NotFound,
    /// It is paid: money goes back as a refund.
    #[error("the order is paid")]
    Paid,
    /// It was cancelled before.
    #[error("the order is cancelled already")]
    Cancelled,
    /// A payment is on its way and can be stopped no more.
    #[error("a payment of the order is on its way")]
    Processing,
    /// Whether an attempt can still be paid could not be found out.
    #[error("the payment provider could not end what the customer has begun: {0}")]
    Provider(String),
    /// A listener failed.
    #[error(transparent)]
    Listener(#[from] ListenerError),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

impl From<GatewayCallError> for CancelOrderError {
    fn from(error: GatewayCallError) -> Self {
        match error {
            GatewayCallError::Db(error) => Self::Db(error),
            GatewayCallError::Gateway(_) | GatewayCallError::NoGateway(_) => Self::Provider(error.to_string()),
        }
    }
}

/// Cancels a pending order. What the customer has begun to pay is ended at the provider first, so that nobody pays for an
/// order that is gone.
pub async fn cancel_order(payments: &Payments, order_id: i64, reason: CancelReason) -> Result<(), CancelOrderError> {
    for _ in 0..ROUNDS {
        // What is settled already needs no question to the provider.
        if let Some(refusal) = payments.db.write(async |tx| refusal(tx, order_id).await).await? {
            return Err(refusal);
        }
        match payments::close_open_attempt(payments, order_id).await? {
            OpenAttempt::Clear => {}
            OpenAttempt::Paid => return Err(CancelOrderError::Paid),
            OpenAttempt::Processing => return Err(CancelOrderError::Processing),
        }
        let cancelled = payments
            .db
            .write(async |tx| -> Result<bool, CancelOrderError> {
                let order = lock_order(tx, order_id).await?.ok_or(CancelOrderError::NotFound)?;
                if payments::has_open_attempt(tx, order_id).await? {
                    return Ok(false);
                }
                if order.status != OrderStatus::Pending {
                    return Ok(false);
                }
                let payment_status = payments::end_payment(tx, order_id, reason.payment_status()).await?;
                let payment_status = payment_status.map(PaymentStatus::as_str);
                if !mark_cancelled(tx, &order, reason.as_str(), payment_status, reason.actor()).await? {
                    return Ok(false);
                }
                if reason == CancelReason::Operator {
                    let (before, after) = (json!({"status": "pending"}), json!({"status": "cancelled"}));
                    tx.audit("orders.cancel", Subject::order(order_id), before, after).await?;
                }
                Ok(true)
            })
            .await?;
        if cancelled {
            return Ok(());
        }
    }
    Err(CancelOrderError::Processing)
}

async fn refusal(tx: &mut stoa_kernel::db::Tx, order_id: i64) -> Result<Option<CancelOrderError>, DbError> {
    let order = lock_order(tx, order_id).await?;
    Ok(match order.map(|order| order.status) {
        None => Some(CancelOrderError::NotFound),
        Some(OrderStatus::Paid) => Some(CancelOrderError::Paid),
        Some(OrderStatus::Cancelled) => Some(CancelOrderError::Cancelled),
        Some(OrderStatus::Pending) => None,
    })
}
