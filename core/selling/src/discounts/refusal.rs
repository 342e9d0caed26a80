//! Why a code cannot be used, as customers are told.

use stoa_kernel::i18n::Violation;
use stoa_kernel::money::MoneyFormatter;

/// Why a discount code cannot be used for an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiscountRefusal {
    /// No discount has this code.
    Unknown,
    /// It is not valid yet.
    NotYet,
    /// It is not valid any more, or was switched off.
    Over,
    /// The order's subtotal is too small.
    BelowMinimum {
        /// The least subtotal before any discount, in minor units.
        minimum_amount: i64,
    },
    /// It was used as often as it can be.
    UsedUp,
    /// This customer has used it as often as one customer can.
    UsedUpByCustomer,
}

impl DiscountRefusal {
    /// What is wrong about the field `discount_code` (contract 2.2).
    pub fn violation(self, money: &MoneyFormatter) -> Violation {
        match self {
            Self::Unknown => Violation::DiscountUnknown,
            Self::NotYet => Violation::DiscountNotYet,
            Self::Over => Violation::DiscountOver,
            Self::BelowMinimum { minimum_amount } => {
                Violation::DiscountBelowMinimum { minimum: money.format(minimum_amount).into() }
            }
            Self::UsedUp => Violation::DiscountUsedUp,
            Self::UsedUpByCustomer => Violation::DiscountUsedUpByCustomer,
        }
    }
}
