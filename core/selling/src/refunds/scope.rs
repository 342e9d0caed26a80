//! What an operator wants to send back.

/// Most characters of a reason.
pub const MAX_REASON: usize = 500;

/// A refund to be begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRefund {
    /// The order.
    pub order_id: i64,
    /// What of it.
    pub scope: RefundScope,
    /// Why; the customer reads it on the credit note. 1 to [`MAX_REASON`] characters on one line.
    pub reason: String,
}

/// What of an order is refunded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefundScope {
    /// So much, in minor units, spread over everything that is left, shipping included. No goods are taken back unless it is
    /// all that was left.
    Amount(i64),
    /// Units of items for what was paid for them, whose goods are taken back.
    Lines {
        /// The units.
        lines: Vec<RefundLine>,
        /// Whether what is left of the shipping costs goes back too.
        shipping: bool,
    },
}

/// Units of an item that are refunded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefundLine {
    /// The item's id.
    pub item_id: i64,
    /// How many.
    pub quantity: i64,
    /// Which of the item's units, from 1 on, as many as `quantity` says. When it is empty those are taken that nobody has
    /// used, the highest first, and used ones only when there are no others.
    pub units: Vec<i64>,
}

impl RefundLine {
    /// So many units of an item, whichever nobody has used.
    pub const fn any(item_id: i64, quantity: i64) -> Self {
        Self { item_id, quantity, units: Vec::new() }
    }
}
