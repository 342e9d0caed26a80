//! What must hold of idempotency keys at any time.

mod queries;

use stoa_kernel::invariant::Invariant;

/// What `stoa verify` holds idempotency keys to.
pub(super) const INVARIANTS: [Invariant; 1] = [Invariant::new(
    "idempotency",
    "an idempotency key has made something, for the customer it belongs to",
    queries::IDEMPOTENCY,
)];
