//! What people call a subscription.

use stoa_core::record_number::{NumberedRecord, RecordNumber};

/// The number of a subscription, made from its id: `S-000042`.
pub(crate) type SubscriptionNumber = RecordNumber<NumberedSubscription>;

/// The records with a [`SubscriptionNumber`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct NumberedSubscription;

impl NumberedRecord for NumberedSubscription {
    const PREFIX: &'static str = "S-";
    const NOUN: &'static str = "subscription";
}
