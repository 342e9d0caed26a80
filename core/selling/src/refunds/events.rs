//! What others hear of refunds (S6.1, contract 3).

use serde::{Deserialize, Serialize};

use stoa_kernel::events::{CommittedEvent, Event};

use crate::orders::subject_of;

/// Money went back. Take back here what was granted for the units that were refunded, and for no others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefundRecorded {
    /// The refund's id.
    pub refund_id: i64,
    /// The order's id.
    pub order_id: i64,
    /// The payment's id.
    pub payment_id: i64,
    /// Whose order it is.
    pub customer_id: i64,
    /// What went back, in minor units.
    pub amount: i64,
    /// ISO 4217 code.
    pub currency: String,
    /// Whether everything that was paid has gone back now.
    pub is_full: bool,
    /// The units whose goods are to be taken back; none when an amount was refunded and something is left. Each unit of an
    /// order is named once, whatever is refunded and how often.
    pub units: Vec<RefundedUnits>,
}

/// Units of an item whose goods are to be taken back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefundedUnits {
    /// The item's id.
    #[serde(alias = "order_item_id")]
    pub order_line_id: i64,
    /// The product.
    pub product_id: i64,
    /// How many.
    pub quantity: i64,
    /// Which of the item's units, counted from 1, the last first.
    pub ordinals: Vec<i64>,
    /// Those of them that somebody had used before they were refunded. None where an earlier version has told of it.
    #[serde(default)]
    pub used_ordinals: Vec<i64>,
}

impl Event for RefundRecorded {
    const NAME: &'static str = "RefundRecorded";
}

impl CommittedEvent for RefundRecorded {
    fn order_key(&self) -> Option<String> {
        Some(subject_of(self.order_id))
    }
}
