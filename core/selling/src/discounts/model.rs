//! A discount as it is stored, and what decides whether it can be used.

use chrono::{DateTime, Utc};

use stoa_kernel::config::BasisPoints;

use super::code::DiscountCode;
use super::refusal::DiscountRefusal;
use crate::pricing::DiscountRule;

/// A discount that customers get with a code.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Discount {
    /// The discount's id.
    pub id: i64,
    /// The code as the operator wrote it.
    pub code: String,
    percent: Option<i64>,
    amount: Option<i64>,
    /// Least subtotal before any discount, in minor units.
    pub minimum_amount: Option<i64>,
    /// How often it can be used.
    pub max_uses: Option<i64>,
    /// How often one customer can use it.
    pub max_uses_per_customer: Option<i64>,
    /// By how many orders it is used; those that were cancelled do not count.
    pub uses: i64,
    /// When it begins; at once if nothing is said.
    pub valid_from: Option<DateTime<Utc>>,
    /// When it ends, this moment excluded; never if nothing is said.
    pub valid_until: Option<DateTime<Utc>>,
    /// Whether it is switched on.
    pub active: bool,
    /// When it was created.
    pub created_at: DateTime<Utc>,
    /// The one customer who can use it; none for everybody.
    pub customer_id: Option<i64>,
}

/// A discount to be created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewDiscount {
    /// The code.
    pub code: DiscountCode,
    /// What it takes off.
    pub rule: DiscountRule,
    /// Least subtotal before any discount, in minor units.
    pub minimum_amount: Option<i64>,
    /// How often it can be used.
    pub max_uses: Option<i64>,
    /// How often one customer can use it.
    pub max_uses_per_customer: Option<i64>,
    /// When it begins.
    pub valid_from: Option<DateTime<Utc>>,
    /// When it ends, this moment excluded.
    pub valid_until: Option<DateTime<Utc>>,
    /// The one customer who can use it; for all others there is no such code. None for everybody.
    pub customer_id: Option<i64>,
}

/// What a discount takes off, when and how often: what can be changed of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiscountTerms {
    /// What it takes off.
    pub rule: DiscountRule,
    /// Least subtotal before any discount, in minor units.
    pub minimum_amount: Option<i64>,
    /// How often it can be used.
    pub max_uses: Option<i64>,
    /// How often one customer can use it.
    pub max_uses_per_customer: Option<i64>,
    /// When it begins.
    pub valid_from: Option<DateTime<Utc>>,
    /// When it ends, this moment excluded.
    pub valid_until: Option<DateTime<Utc>>,
}

/// A discount that nobody could ever use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DiscountTimesError {
    /// It is over before it begins.
    #[error("a discount ends after it begins")]
    EndsTooEarly {
        /// When it would begin.
        from: DateTime<Utc>,
        /// When it would end.
        until: DateTime<Utc>,
    },
    /// It is over already.
    #[error("the end of a discount lies in the future")]
    Past(DateTime<Utc>),
}

impl DiscountTerms {
    /// A discount must not be over before it begins. It may be over now: so it is ended.
    pub fn check_times(&self) -> Result<(), DiscountTimesError> {
        match (self.valid_from, self.valid_until) {
            (Some(from), Some(until)) if until <= from => Err(DiscountTimesError::EndsTooEarly { from, until }),
            _ => Ok(()),
        }
    }
}

impl NewDiscount {
    /// A discount must not be over before it begins, nor now.
    pub fn check_times(&self, now: DateTime<Utc>) -> Result<(), DiscountTimesError> {
        let Some(until) = self.valid_until else { return Ok(()) };
        if let Some(from) = self.valid_from.filter(|from| until <= *from) {
            return Err(DiscountTimesError::EndsTooEarly { from, until });
        }
        if until <= now { Err(DiscountTimesError::Past(until)) } else { Ok(()) }
    }
}

/// What has become of a discount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiscountState {
    /// It can be used.
    Active,
    /// It is switched off.
    Disabled,
    /// Its time has not come.
    NotYet,
    /// Its time is over.
    Over,
    /// It was used as often as it can be.
    UsedUp,
}

impl DiscountState {
    /// The state in one word or two with an underscore between them.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Disabled => "disabled",
            Self::NotYet => "not_yet",
            Self::Over => "over",
            Self::UsedUp => "used_up",
        }
    }
}

impl Discount {
    /// What can be changed of it.
    pub fn terms(&self) -> DiscountTerms {
        DiscountTerms {
            rule: self.rule(),
            minimum_amount: self.minimum_amount,
            max_uses: self.max_uses,
            max_uses_per_customer: self.max_uses_per_customer,
            valid_from: self.valid_from,
            valid_until: self.valid_until,
        }
    }

    /// What it takes off.
    pub fn rule(&self) -> DiscountRule {
        let percent = self.percent.and_then(|points| BasisPoints::new(u16::try_from(points).ok()?));
        match percent {
            Some(percent) => DiscountRule::Percent(percent),
            // The table lets no row have both or neither.
            None => DiscountRule::Amount(self.amount.unwrap_or_default()),
        }
    }

    /// What has become of it at this time.
    pub fn state(&self, now: DateTime<Utc>) -> DiscountState {
        if !self.active {
            DiscountState::Disabled
        } else if self.valid_until.is_some_and(|end| now >= end) {
            DiscountState::Over
        } else if self.valid_from.is_some_and(|start| now < start) {
            DiscountState::NotYet
        } else if self.max_uses.is_some_and(|max| self.uses >= max) {
            DiscountState::UsedUp
        } else {
            DiscountState::Active
        }
    }

    /// What it takes off an order with this subtotal, in minor units before any discount, of a customer who has
    /// [used](super::count_uses) it so often; or why it cannot be used.
    pub fn check(
        &self,
        now: DateTime<Utc>,
        subtotal: i64,
        uses_by_customer: i64,
    ) -> Result<DiscountRule, DiscountRefusal> {
        self.check_uses(now, uses_by_customer)?;
        match self.minimum_amount {
            Some(minimum_amount) if subtotal < minimum_amount => Err(DiscountRefusal::BelowMinimum { minimum_amount }),
            Some(_) | None => Ok(self.rule()),
        }
    }

    /// Whether it is for this customer, or for this guest.
    pub(super) fn is_for(&self, customer_id: Option<i64>) -> bool {
        self.customer_id.is_none() || self.customer_id == customer_id
    }

    /// Everything that another order, the operator or time can change.
    pub(super) fn check_uses(&self, now: DateTime<Utc>, uses_by_customer: i64) -> Result<(), DiscountRefusal> {
        match self.state(now) {
            DiscountState::Disabled | DiscountState::Over => Err(DiscountRefusal::Over),
            DiscountState::NotYet => Err(DiscountRefusal::NotYet),
            // Whoever used it knows more about it with this answer than with the other.
            DiscountState::Active | DiscountState::UsedUp
                if self.max_uses_per_customer.is_some_and(|max| uses_by_customer >= max) =>
            {
                Err(DiscountRefusal::UsedUpByCustomer)
            }
            DiscountState::UsedUp => Err(DiscountRefusal::UsedUp),
            DiscountState::Active => Ok(()),
        }
    }
}
