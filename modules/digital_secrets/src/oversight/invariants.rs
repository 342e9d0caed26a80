//! What must hold at any time (`stoa verify`).

use stoa_core::prelude::*;

use super::queries;

/// All of the module's.
pub(crate) const INVARIANTS: &[Invariant] = &[
    Invariant::new(
        "digital_secrets_values",
        "a value belongs to one unit at most, of its own pool, and both are equally far",
        queries::VALUES_IN_PLACE,
    ),
    Invariant::new(
        "digital_secrets_one_each",
        "a delivered unit has one value, and what is sold from a pool has one reserved",
        queries::ONE_VALUE_EACH,
    ),
    Invariant::new(
        "digital_secrets_paid",
        "nothing is delivered that is not paid, and nothing is kept for an order that is cancelled",
        queries::PAID_FOR,
    ),
    Invariant::new(
        "digital_secrets_units",
        "an item has as many digital secrets as units, and only what was refunded is revoked",
        queries::UNITS_OF_ITEMS,
    ),
    Invariant::new("digital_secrets_sealed", "what is to be delivered still has its content", queries::SEALED),
];
