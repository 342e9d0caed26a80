//! What a provider says about a payment or a refund.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::money::Money;

/// How far an attempt to pay has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AttemptStatus {
    /// The customer has not paid yet.
    Pending,
    /// The customer has paid; the money is on its way.
    Processing,
    /// The money is ours.
    Succeeded,
    /// The provider says that this attempt will bring no money.
    Failed,
    /// It was given up, by the customer or by us.
    Cancelled,
    /// Its time is over.
    Expired,
}

impl AttemptStatus {
    /// All, in the order of the contract.
    pub const ALL: [Self; 6] =
        [Self::Pending, Self::Processing, Self::Succeeded, Self::Failed, Self::Cancelled, Self::Expired];

    /// The lower-case word of the database and of the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Processing => "processing",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Expired => "expired",
        }
    }

    /// Whether the attempt may still bring money.
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Pending | Self::Processing)
    }
}

impl TryFrom<String> for AttemptStatus {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|status| status.as_str() == word)
            .ok_or_else(|| format!("`{word}` is no status of a payment attempt"))
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

/// How far a refund has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefundStatus {
    /// The provider has taken it over and is not done yet.
    Pending,
    /// The money is on its way back.
    Succeeded,
    /// The money stays here.
    Failed,
}

impl RefundStatus {
    /// All.
    pub const ALL: [Self; 3] = [Self::Pending, Self::Succeeded, Self::Failed];

    /// The lower-case word of the database and of webhooks.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
        }
    }
}

impl TryFrom<String> for RefundStatus {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|status| status.as_str() == word)
            .ok_or_else(|| format!("`{word}` is no status of a refund"))
    }
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
