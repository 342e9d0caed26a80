//! Why a customer cannot pay an order.

use stoa_kernel::db::DbError;
use stoa_kernel::http::error::ApiError;
use stoa_kernel::i18n::{Message, Violation};

use super::gateway_calls::GatewayCallError;
use crate::idempotency::KeyError;

/// Why a customer cannot pay an order.
#[derive(Debug, thiserror::Error)]
pub(super) enum PayError {
    /// There is no such order of this customer, or what the key has begun is gone.
    #[error("there is no such order or attempt")]
    NotFound,
    /// There is no such gateway, or customers may not choose it.
    #[error("the gateway cannot be chosen: {0:?}")]
    Gateway(Violation),
    /// The order was cancelled.
    #[error("the order was cancelled")]
    Cancelled,
    /// The order is paid.
    #[error("the order is paid")]
    AlreadyPaid,
    /// The order is being paid in another way.
    #[error("the order is being paid in another way")]
    InUse,
    /// The gateway does not take the amount, or its provider has refused.
    #[error("{0}")]
    Refused(String),
    /// The provider could not be asked, or has refused.
    #[error(transparent)]
    Call(#[from] GatewayCallError),
    /// The idempotency key is refused.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

impl From<PayError> for ApiError {
    fn from(error: PayError) -> Self {
        match error {
            PayError::NotFound => Self::not_found(),
            PayError::Gateway(violation) => Self::invalid_field("gateway", violation.on("gateway")),
            PayError::Cancelled => Self::conflict(Message::OrderCancelled, "order_cancelled"),
            PayError::AlreadyPaid => Self::conflict(Message::AlreadyPaid, "already_paid"),
            PayError::InUse => Self::conflict(Message::PaymentProcessing, "payment_processing"),
            PayError::Refused(reason) => Self::payment_failed(reason),
            PayError::Call(GatewayCallError::Gateway(error)) => Self::payment_failed(error),
            PayError::Call(GatewayCallError::Db(error)) | PayError::Db(error) => error.into(),
            PayError::Call(error @ GatewayCallError::NoGateway(_)) => Self::internal(error),
            PayError::Key(error) => error.into(),
        }
    }
}
