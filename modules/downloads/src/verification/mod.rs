//! What must hold of downloads at any time.

mod queries;

use stoa_core::prelude::*;

/// The promises, for `stoa verify`.
pub(crate) const INVARIANTS: [Invariant; 4] = [
    Invariant::new(
        "downloads_paid",
        "a download is granted for a unit that its customer has paid",
        queries::UNPAID_GRANTS,
    ),
    Invariant::new("downloads_refunded", "what was refunded cannot be downloaded", queries::REFUNDED_GRANTS),
    Invariant::new("downloads_counted", "no download is used more often than it can be", queries::OVERUSED_GRANTS),
    Invariant::new("downloads_content", "a file has content with size and SHA-256", queries::BROKEN_VERSIONS),
];
