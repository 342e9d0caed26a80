//! What others hear of payments (S6.1, contract 3).

use serde::{Deserialize, Serialize};

use stoa_kernel::events::{CommittedEvent, Event};

use super::status::PaymentStatus;
use crate::orders::subject_of;

/// The money for an order has come. Sent once for an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaymentRecorded {
    /// The payment's id.
    pub payment_id: i64,
    /// The order's id.
    pub order_id: i64,
    /// The payment's status.
    pub status: PaymentStatus,
    /// What has come, in minor units.
    pub amount: i64,
    /// ISO 4217 code.
    pub currency: String,
    /// The gateway that it came through.
    pub gateway: String,
}

impl Event for PaymentRecorded {
    const NAME: &'static str = "PaymentRecorded";
}

impl CommittedEvent for PaymentRecorded {
    fn order_key(&self) -> Option<String> {
        Some(subject_of(self.order_id))
    }
}
