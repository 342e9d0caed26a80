//! What must hold of webhooks at any time, whether they arrive, and what is measured of them.

mod examine;
mod measure;
mod queries;

pub(super) use examine::ExamineWebhooks;
pub(super) use measure::MeasureWebhooks;

use stoa_kernel::invariant::Invariant;

/// What `stoa verify` holds webhooks to.
pub(super) const INVARIANTS: [Invariant; 1] = [Invariant::new(
    "deliveries",
    "a webhook is under way, or has an end; it was attempted five times at most",
    queries::DELIVERIES,
)];
