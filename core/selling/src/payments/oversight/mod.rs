//! What must hold of payments at any time.

mod examine;
mod queries;

pub(super) use examine::{ExamineAttempts, ExamineCallbacks};

use stoa_kernel::invariant::Invariant;

/// What `stoa verify` holds payments to.
pub(super) const INVARIANTS: [Invariant; 5] = [
    Invariant::new(
        "payment_of_order",
        "an order that costs something has one payment of its total, and another none",
        queries::PAYMENT_OF_ORDER,
    ),
    Invariant::new(
        "paid_together",
        "an order and its payment are paid together; money for a cancelled order is flagged",
        queries::PAID_TOGETHER,
    ),
    Invariant::new(
        "paid_once",
        "one attempt at most has brought the money of an order, unless the order is flagged",
        queries::PAID_ONCE,
    ),
    Invariant::new(
        "attempt_amounts",
        "an attempt asks for what is owed, and none is open for an order that is paid or cancelled",
        queries::ATTEMPTS,
    ),
    Invariant::new(
        "callbacks",
        "a callback that was applied names its attempt, of the same gateway",
        queries::CALLBACKS,
    ),
];
