//! What the module is asked, and what it answers.

use stoa_core::chrono::{DateTime, Utc};
use stoa_core::prelude::*;

use crate::config::Config;

/// The body of a wish to redeem points.
#[derive(Debug, Deserialize)]
pub(crate) struct WantedInput {
    pub(crate) points: i64,
}

impl Input for WantedInput {
    const NAME: &'static str = "LoyaltyWantedInput";

    fn rules() -> Rules {
        Rules::new([field("points").integer(0, i64::MAX).required().describe("How many; 0 redeems none.")])
    }
}

/// A customer's points as the database holds them.
#[derive(Debug, Clone, Copy, Default, sqlx::FromRow)]
pub(crate) struct Account {
    pub(crate) points: i64,
    pub(crate) wanted: i64,
}

/// A customer's points, and what they are worth.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "LoyaltyAccount")]
pub(crate) struct ShownAccount {
    /// How many there are; below zero after a refund of what earned points that are spent.
    points: i64,
    /// What they take off, in minor units.
    worth_amount: i64,
    /// How many are redeemed with the next order.
    wanted: i64,
    /// What those take off, in minor units.
    wanted_amount: i64,
    /// ISO 4217 code.
    currency: String,
}

impl ShownAccount {
    pub(crate) fn of(account: Account, config: &Config, currency: Currency) -> Self {
        let wanted = account.wanted.min(account.points).max(0);
        Self {
            points: account.points,
            worth_amount: config.worth(account.points),
            wanted,
            wanted_amount: config.worth(wanted),
            currency: currency.code().to_owned(),
        }
    }
}

/// A change of a customer's points.
#[derive(Debug, Serialize, JsonSchema, sqlx::FromRow)]
#[schemars(rename = "LoyaltyEntry")]
pub(crate) struct Entry {
    /// The entry's id.
    pub(crate) id: i64,
    /// The order that it comes from; null for a correction.
    pub(crate) order_id: Option<i64>,
    /// `earned`, `taken_back`, `redeemed`, `given_back` or `corrected`.
    pub(crate) kind: String,
    /// How many were added; below zero, taken.
    pub(crate) points: i64,
    /// Why they were corrected; null otherwise.
    pub(crate) reason: Option<String>,
    /// When.
    pub(crate) created_at: DateTime<Utc>,
}

/// A customer's points as the operator lists them.
#[derive(Debug, Serialize, sqlx::FromRow)]
pub(crate) struct ListedAccount {
    pub(crate) customer_id: i64,
    pub(crate) name: String,
    pub(crate) points: i64,
    pub(crate) wanted: i64,
}
