//! What others hear of withdrawals.

use serde::{Deserialize, Serialize};

use stoa_kernel::events::{CommittedEvent, Event};

use crate::orders::subject_of;

/// A customer has withdrawn from an order, or from a part of it. Nothing has gone back yet: money and goods follow when the shop has
/// accepted it, as with every refund.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WithdrawalDeclared {
    /// The withdrawal's id.
    pub withdrawal_id: i64,
    /// The order's id.
    pub order_id: i64,
    /// Whose order it is.
    pub customer_id: i64,
    /// Whether it was declared in time.
    pub within_period: bool,
    /// What it is about.
    pub units: Vec<DeclaredUnits>,
}

/// Units of an item that a customer has withdrawn from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeclaredUnits {
    /// The item's id.
    pub order_line_id: i64,
    /// Which of the item's units, counted from 1.
    pub ordinals: Vec<i64>,
}

impl Event for WithdrawalDeclared {
    const NAME: &'static str = "WithdrawalDeclared";
}

impl CommittedEvent for WithdrawalDeclared {
    fn order_key(&self) -> Option<String> {
        Some(subject_of(self.order_id))
    }
}
