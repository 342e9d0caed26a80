//! What must hold of discounts at any time.

mod queries;

use stoa_kernel::invariant::Invariant;

/// What `stoa verify` holds discounts to.
pub(super) const INVARIANTS: [Invariant; 2] = [
    Invariant::new(
        "discount_uses",
        "a discount was used as often as orders redeem it, and never more often than it can be",
        queries::DISCOUNT_USES,
    ),
    Invariant::new(
        "discount_released",
        "an order with a code redeems it, and gives it back when it is cancelled",
        queries::DISCOUNT_RELEASED,
    ),
];
