//! What a discount takes off.

use stoa_kernel::config::BasisPoints;

use super::amount::{AmountOverflow, amount, share};

/// What a discount takes off a subtotal. It does not touch shipping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiscountRule {
    /// A share of the subtotal.
    Percent(BasisPoints),
    /// An amount in minor units, at most the subtotal.
    Amount(i64),
}

impl DiscountRule {
    /// What it takes off this subtotal, in minor units: at most all of it. A share is rounded half up.
    pub fn of(self, subtotal: i64) -> Result<i64, AmountOverflow> {
        if subtotal < 0 {
            return Err(AmountOverflow);
        }
        match self {
            Self::Percent(percent) => amount(share(subtotal, i64::from(percent.get()), i64::from(BasisPoints::ALL))),
            Self::Amount(fixed) if fixed < 0 => Err(AmountOverflow),
            Self::Amount(fixed) => Ok(fixed.min(subtotal)),
        }
    }
}
