//! A subscription and its periods, as the database holds them.

use chrono::{DateTime, Utc};
use stoa_core::prelude::*;

use crate::calendar::{Interval, Period, Schedule};
use crate::number::SubscriptionNumber;

/// What has become of a subscription.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "SubscriptionStatus")]
pub(crate) enum Status {
    /// The order that it was bought with is not paid.
    Pending,
    /// It runs.
    Active,
    /// A period has begun that is not paid.
    PastDue,
    /// It was cancelled at once, or never began.
    Cancelled,
    /// It is over.
    Ended,
}

impl Status {
    /// All of them.
    pub(crate) const ALL: [Self; 5] = [Self::Pending, Self::Active, Self::PastDue, Self::Cancelled, Self::Ended];

    /// The word of the database and of the API.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Active => "active",
            Self::PastDue => "past_due",
            Self::Cancelled => "cancelled",
            Self::Ended => "ended",
        }
    }

    /// Whether it has begun and is not over.
    pub(crate) const fn is_live(self) -> bool {
        match self {
            Self::Active | Self::PastDue => true,
            Self::Pending | Self::Cancelled | Self::Ended => false,
        }
    }
}

impl TryFrom<String> for Status {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|status| status.as_str() == word);
        found.ok_or_else(|| format!("`{word}` is no status of a subscription"))
    }
}

/// Why a subscription is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EndReason {
    /// The operator has cancelled it at once.
    CancelledNow,
    /// It was cancelled, and its last period is over.
    PeriodEnd,
    /// A renewal was not paid.
    Unpaid,
    /// What it was bought with, or its current period, was refunded.
    Refunded,
    /// What it was bought with is over without a refund: its customer has withdrawn from what cost nothing.
    UnitEnded,
    /// The order that it was bought with was cancelled: it never began.
    OrderCancelled,
    /// The customer was anonymized.
    Erased,
}

impl EndReason {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::CancelledNow => "cancelled_now",
            Self::PeriodEnd => "period_end",
            Self::Unpaid => "unpaid",
            Self::Refunded => "refunded",
            Self::UnitEnded => "unit_ended",
            Self::OrderCancelled => "order_cancelled",
            Self::Erased => "erased",
        }
    }

    /// What the subscription is then.
    pub(crate) const fn status(self) -> Status {
        match self {
            Self::CancelledNow | Self::OrderCancelled | Self::Erased => Status::Cancelled,
            Self::PeriodEnd | Self::Unpaid | Self::Refunded | Self::UnitEnded => Status::Ended,
        }
    }
}

/// A subscription.
#[derive(Debug, Clone, sqlx::FromRow)]
pub(crate) struct Subscription {
    pub(crate) id: i64,
    pub(crate) customer_id: i64,
    pub(crate) order_id: i64,
    pub(crate) order_line_id: i64,
    pub(crate) unit: i64,
    pub(crate) product_id: i64,
    pub(crate) product_slug: String,
    pub(crate) product_name: String,
    #[sqlx(try_from = "String")]
    pub(crate) status: Status,
    #[sqlx(rename = "interval_unit", try_from = "String")]
    pub(crate) interval: Interval,
    pub(crate) interval_count: i64,
    pub(crate) trial_days: i64,
    pub(crate) price_amount: i64,
    pub(crate) currency: String,
    pub(crate) period: i64,
    pub(crate) current_period_start: Option<DateTime<Utc>>,
    pub(crate) current_period_end: Option<DateTime<Utc>>,
    pub(crate) anchor_at: Option<DateTime<Utc>>,
    pub(crate) anchor_period: i64,
    pub(crate) cancel_at_period_end: bool,
    pub(crate) started_at: Option<DateTime<Utc>>,
    pub(crate) past_due_at: Option<DateTime<Utc>>,
    pub(crate) suspended_at: Option<DateTime<Utc>>,
    pub(crate) ended_at: Option<DateTime<Utc>>,
    pub(crate) end_reason: Option<String>,
    pub(crate) last_error: Option<String>,
    pub(crate) created_at: DateTime<Utc>,
}

/// A subscription as operators list it, with whose it is.
#[derive(Debug, Clone, sqlx::FromRow)]
pub(crate) struct ListedSubscription {
    #[sqlx(flatten)]
    pub(crate) subscription: Subscription,
    pub(crate) customer_name: String,
    /// None of an anonymized customer.
    pub(crate) customer_email: Option<String>,
}

impl AsRef<Subscription> for ListedSubscription {
    fn as_ref(&self) -> &Subscription {
        &self.subscription
    }
}

impl AsRef<Subscription> for Subscription {
    fn as_ref(&self) -> &Subscription {
        self
    }
}

impl Subscription {
    pub(crate) fn number(&self) -> SubscriptionNumber {
        SubscriptionNumber::of(self.id)
    }

    /// What its periods follow from, once it has begun.
    pub(crate) fn schedule(&self) -> Option<Schedule> {
        Some(Schedule {
            anchor_at: self.anchor_at?,
            anchor_period: self.anchor_period,
            interval: self.interval,
            interval_count: self.interval_count,
        })
    }

    /// The latest period that is paid.
    pub(crate) fn current_period(&self) -> Option<Period> {
        let (starts_at, ends_at) = self.current_period_start.zip(self.current_period_end)?;
        Some(Period { number: self.period, starts_at, ends_at })
    }

    /// The period after that.
    pub(crate) fn next_period(&self) -> Option<Period> {
        self.schedule()?.period(self.period.checked_add(1)?)
    }
}

/// A renewal that waits to be paid, with what its order says.
#[derive(Debug, Clone, sqlx::FromRow)]
pub(crate) struct OpenPeriod {
    pub(crate) id: i64,
    pub(crate) number: i64,
    pub(crate) starts_at: DateTime<Utc>,
    pub(crate) ends_at: DateTime<Utc>,
    pub(crate) order_id: i64,
    pub(crate) next_charge_at: Option<DateTime<Utc>>,
    pub(crate) created_at: DateTime<Utc>,
    /// How often a saved payment method was charged in vain.
    pub(crate) charges: i64,
    pub(crate) order_paid_at: Option<DateTime<Utc>>,
    /// Whether money for it is on its way.
    pub(crate) is_processing: bool,
    /// Whether the provider has not said yet what came of charging a saved payment method.
    pub(crate) is_charging: bool,
    /// When that was heard of last.
    pub(crate) charged_at: Option<DateTime<Utc>>,
}

impl OpenPeriod {
    /// Since when it is overdue, unless it is paid before: what was billed late, because the shop was down, from then on.
    pub(crate) fn due_at(&self) -> DateTime<Utc> {
        self.starts_at.max(self.created_at)
    }

    /// Whether somebody is about to pay it.
    pub(crate) fn is_paying(&self) -> bool {
        self.is_processing || self.is_charging
    }

    /// Whether a saved payment method was charged in vain as often as it is tried.
    pub(crate) fn is_charged_in_vain(&self) -> bool {
        self.charges > 0 && self.next_charge_at.is_none() && !self.is_paying()
    }
}

/// A period as operators and exports see it.
#[derive(Debug, Clone, Serialize, sqlx::FromRow)]
pub(crate) struct PeriodRecord {
    /// From 1.
    pub(crate) number: i64,
    pub(crate) starts_at: DateTime<Utc>,
    pub(crate) ends_at: DateTime<Utc>,
    /// `open`, `paid`, `withdrawn` or `void`.
    pub(crate) state: String,
    pub(crate) order_id: i64,
    /// How often a saved payment method was charged in vain.
    pub(crate) charges: i64,
    pub(crate) next_charge_at: Option<DateTime<Utc>>,
    pub(crate) last_error: Option<String>,
    pub(crate) paid_at: Option<DateTime<Utc>>,
}
