//! What people call an order.

use super::{NumberedRecord, RecordNumber};

/// The number of an order, made from its id: `O-000042`.
pub type OrderNumber = RecordNumber<NumberedOrder>;

/// The records with a [`OrderNumber`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NumberedOrder;

impl NumberedRecord for NumberedOrder {
    const PREFIX: &'static str = "O-";
    const NOUN: &'static str = "order";
}
