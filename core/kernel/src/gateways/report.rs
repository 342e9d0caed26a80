//! What a provider says about a payment or a refund.

use serde::{Deserialize, Serialize};

use crate::money::Money;
use crate::states;

states! {
    /// How far an attempt to pay has come.
    AttemptStatus, "status of a payment attempt":
    /// The customer has not paid yet.
    Pending = "pending",
    /// The customer has paid; the money is on its way.
    Processing = "processing",
    /// The money is ours.
    Succeeded = "succeeded",
    /// The provider says that this attempt will bring no money.
    Failed = "failed",
    /// It was given up, by the customer or by us.
    Cancelled = "cancelled",
    /// Its time is over.
    Expired = "expired",
}

impl AttemptStatus {
    /// Whether the attempt may still bring money.
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Pending | Self::Processing)
    }
}

/// What the provider says of an attempt at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptReport {
    /// How far it has come.
    pub status: AttemptStatus,
    /// What the provider says was paid, or is to be paid; compared with what we asked for before an order is paid.
    pub amount: Option<Money>,
    /// What refunds refer to at the provider, once it is known: a payment intent, a capture, a payment.
    pub payment_id: Option<String>,
    /// The provider's own words on why it failed, for the operator.
    pub detail: Option<String>,
}

impl AttemptReport {
    /// A report that says nothing but the status.
    pub const fn of(status: AttemptStatus) -> Self {
        Self { status, amount: None, payment_id: None, detail: None }
    }
}

states! {
    /// How far a refund has come.
    RefundStatus, "status of a refund":
    /// The provider has taken it over and is not done yet.
    Pending = "pending",
    /// The money is on its way back.
    Succeeded = "succeeded",
    /// The money stays here.
    Failed = "failed",
}

/// What the provider says of a refund at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefundReport {
    /// How far it has come.
    pub status: RefundStatus,
    /// The provider's id of the refund, if it gave one.
    #[serde(rename = "provider_id")]
    pub gateway_refund_id: Option<String>,
    /// The provider's own words on why it failed, for the operator.
    pub detail: Option<String>,
}
