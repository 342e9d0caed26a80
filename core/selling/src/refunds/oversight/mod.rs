//! What must hold of refunds at any time.

mod queries;

use stoa_kernel::invariant::Invariant;

/// What `stoa verify` holds refunds to.
pub(super) const INVARIANTS: [Invariant; 3] = [
    Invariant::new(
        "refund_sums",
        "what went back is what the refunds say, and never more than came",
        queries::REFUND_SUMS,
    ),
    Invariant::new(
        "refund_units",
        "units are refunded once at most, and only those that were sold",
        queries::REFUND_UNITS,
    ),
    Invariant::new(
        "revoked_units",
        "goods are taken back for the very units that refunds have taken, and for no others",
        queries::REVOKED_UNITS,
    ),
];
