//! Withdrawals as they are read, and as the API shows them.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use stoa_kernel::record_number::OrderNumber;

use super::status::{WithdrawalExclusion, WithdrawalStatus};

/// Units of an order line that a customer has withdrawn from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct WithdrawalLine {
    /// The item of the order.
    pub item_id: i64,
    /// Units.
    pub quantity: i64,
    /// The product's name, as it was.
    pub label: String,
}

/// Units of an order line that could not be withdrawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExcludedUnits {
    /// The item of the order.
    pub item_id: i64,
    /// Units.
    pub quantity: i64,
    /// Why: digital goods that were `delivered` at once under a waiver, leisure that is `dated`, or a `renewal` of a subscription.
    pub reason: WithdrawalExclusion,
}

/// A withdrawal of the customer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Withdrawal")]
pub struct WithdrawalResource {
    /// The withdrawal's id.
    pub id: i64,
    /// What people call it.
    pub number: String,
    /// The order's id.
    pub order_id: i64,
    /// The order's number.
    pub order_number: String,
    /// `declared` until the shop says that it is `accepted` or `refused`; `completed` when nothing is left to be done.
    pub status: WithdrawalStatus,
    /// What it is about.
    pub lines: Vec<WithdrawalLine>,
    /// What of the order could not be withdrawn at that time.
    pub excluded: Vec<ExcludedUnits>,
    /// What the customer wrote.
    pub statement: Option<String>,
    /// When it was declared.
    pub declared_at: DateTime<Utc>,
    /// The end of the period; null when it had not begun, because goods were not sent yet. Of several lines, the earliest.
    pub deadline: Option<DateTime<Utc>>,
    /// Whether it was declared in time. The shop decides about one that came late.
    pub within_period: bool,
    /// Why the shop has refused it.
    pub refusal_reason: Option<String>,
}

/// A withdrawal with what only the operator sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WithdrawalRecord {
    /// What the customer sees.
    pub withdrawal: WithdrawalResource,
    /// Whose order it is.
    pub customer_id: i64,
    /// Their e-mail address; none of an anonymized customer.
    pub customer_email: Option<String>,
    /// When it was accepted or refused.
    pub decided_at: Option<DateTime<Utc>>,
    /// When it was completed.
    pub completed_at: Option<DateTime<Utc>>,
    /// The refund that was begun for it.
    pub refund_id: Option<i64>,
}

impl WithdrawalRecord {
    /// The order.
    pub fn order(&self) -> OrderNumber {
        OrderNumber::of(self.withdrawal.order_id)
    }

    /// The withdrawal as the API shows it, with what else the operator may know.
    pub fn to_json(&self) -> Result<Value, serde_json::Error> {
        let mut shown = serde_json::to_value(&self.withdrawal)?;
        shown["customer_id"] = self.customer_id.into();
        shown["customer"] = self.customer_email.as_deref().into();
        shown["decided_at"] = serde_json::to_value(self.decided_at)?;
        shown["completed_at"] = serde_json::to_value(self.completed_at)?;
        shown["refund_id"] = self.refund_id.into();
        Ok(shown)
    }
}

/// What a customer may withdraw from of an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OrderWithdrawal {
    /// Whether something can be withdrawn. That is so after the period as well: the shop decides about what comes late.
    pub possible: bool,
    /// The end of the period; null while it has not begun for something, because goods were not sent yet. Of several lines, the latest.
    pub deadline: Option<DateTime<Utc>>,
    /// Whether the period is not over.
    pub within_period: bool,
    /// The products of the order.
    pub lines: Vec<OrderWithdrawalLine>,
}

/// What a customer may withdraw from of an order line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OrderWithdrawalLine {
    /// The item of the order.
    pub item_id: i64,
    /// Units that can be withdrawn.
    pub quantity: i64,
    /// Units that were withdrawn, also before the shop has said anything.
    pub withdrawn_quantity: i64,
    /// Units that cannot be withdrawn, for this reason.
    pub excluded_quantity: i64,
    /// Why they cannot; null when there are none.
    pub excluded_reason: Option<WithdrawalExclusion>,
    /// The end of the period; null while it has not begun, and where there is none.
    pub deadline: Option<DateTime<Utc>>,
    /// When digital goods are delivered that are held until the period is over; else null.
    pub delivery_at: Option<DateTime<Utc>>,
}
