//! What refunds come to, so that any sequence of them adds up to what was paid, to the cent and never above.

use stoa_kernel::config::BasisPoints;

use super::amount::{AmountOverflow, amount, share};
use super::spread::spread;
use super::tax::TaxLine;

/// Something that was paid for and can be refunded: a line of an order, or its shipping. Amounts are in minor units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefundablePart {
    total: i64,
    tax: i64,
    refunded: i64,
    refunded_tax: i64,
}

impl RefundablePart {
    /// What was paid with tax, how much of it is tax, and how much of both was refunded before. Refused when that
    /// cannot be: a part is negative or more than its whole, be it the refunds, their tax or what they leave of it.
    pub fn new(
        total_amount: i64,
        tax_amount: i64,
        refunded_amount: i64,
        refunded_tax_amount: i64,
    ) -> Result<Self, RefundError> {
        let is_part = |part: i64, whole: i64| (0..=whole).contains(&part);
        let is_sound = is_part(tax_amount, total_amount)
            && is_part(refunded_amount, total_amount)
            && is_part(refunded_tax_amount, tax_amount)
            && refunded_tax_amount <= refunded_amount
            && tax_amount - refunded_tax_amount <= total_amount - refunded_amount;
        let part =
            Self { total: total_amount, tax: tax_amount, refunded: refunded_amount, refunded_tax: refunded_tax_amount };
        is_sound.then_some(part).ok_or(RefundError::Inconsistent)
    }

    /// What is left to refund.
    pub fn remaining_amount(self) -> i64 {
        self.total - self.refunded
    }

    /// What is left of the tax.
    pub fn remaining_tax_amount(self) -> i64 {
        self.tax - self.refunded_tax
    }

    /// What is left with its tax once this is refunded too.
    #[must_use]
    pub fn after(self, refund: RefundedPart) -> Self {
        Self { refunded: self.refunded + refund.amount, refunded_tax: self.refunded_tax + refund.tax_amount, ..self }
    }

    /// A refund of this amount with the tax in it.
    ///
    /// The tax follows the sum of all refunds, as `tax * refunded / total` rounded half up, so the errors of rounding do
    /// not add up. Where earlier refunds did not do so, it holds no tax or is all tax, until they are evened out.
    fn refund(self, amount: i64) -> Result<RefundedPart, RefundError> {
        if !(0..=self.remaining_amount()).contains(&amount) {
            return Err(RefundError::TooMuch { remaining_amount: self.remaining_amount() });
        }
        if amount == 0 {
            return Ok(RefundedPart::default());
        }
        let due = share(self.tax, self.refunded + amount, self.total);
        let wanted = due - i128::from(self.refunded_tax);
        let tax_amount = super::amount::amount(wanted.clamp(0, i128::from(amount)))?;
        Ok(RefundedPart { amount, tax_amount })
    }
}

/// How many units of a line are refunded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefundUnits {
    /// How many were bought.
    pub quantity: i64,
    /// How many were refunded before.
    pub refunded_quantity: i64,
    /// How many are refunded now.
    pub units: i64,
}

/// A refund, or the share of a part in one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RefundedPart {
    /// What is refunded with tax, in minor units.
    pub amount: i64,
    /// How much of it is tax, in minor units.
    pub tax_amount: i64,
}

impl RefundedPart {
    /// What is refunded before tax, in minor units.
    pub fn net_amount(self) -> i64 {
        self.amount - self.tax_amount
    }

    /// The same with the rate of what was refunded, for the [taxes](super::tax_lines) of a credit note.
    pub fn at(self, rate: BasisPoints) -> TaxLine {
        TaxLine { rate, net_amount: self.net_amount(), tax_amount: self.tax_amount }
    }
}

/// Why something cannot be refunded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RefundError {
    /// Nothing was asked for: an amount or a number of units below 1.
    #[error("a refund is of 1 or more")]
    Nothing,
    /// More units were asked for than are left.
    #[error("{}", if *remaining_units == 1 { String::from("1 unit is left to refund") } else { format!("{remaining_units} units are left to refund") })]
    TooManyUnits {
        /// How many are left.
        remaining_units: i64,
    },
    /// More was asked for than is left.
    #[error("{remaining_amount} is left to refund, in minor units")]
    TooMuch {
        /// What is left, in minor units.
        remaining_amount: i64,
    },
    /// What was paid and what was refunded do not fit together.
    #[error("what was paid and what was refunded do not fit together")]
    Inconsistent,
}

impl From<AmountOverflow> for RefundError {
    fn from(_: AmountOverflow) -> Self {
        Self::Inconsistent
    }
}

/// What the refund of some units of a line comes to.
///
/// The k-th unit is worth what the rounded price of k units is above that of k - 1, so all units together are worth the
/// line. What was refunded by amount counts against the last units: never more than what is left, and with the last
/// unit all that is left.
pub fn refund_units(line: RefundablePart, asked: RefundUnits) -> Result<RefundedPart, RefundError> {
    let RefundUnits { quantity, refunded_quantity, units } = asked;
    if !(0..=quantity).contains(&refunded_quantity) {
        return Err(RefundError::Inconsistent);
    }
    if units < 1 {
        return Err(RefundError::Nothing);
    }
    let remaining_units = quantity - refunded_quantity;
    if units > remaining_units {
        return Err(RefundError::TooManyUnits { remaining_units });
    }
    if units == remaining_units {
        return line.refund(line.remaining_amount());
    }
    let worth = |units: i64| share(line.total, units, quantity);
    let worth = amount(worth(refunded_quantity + units) - worth(refunded_quantity))?;
    line.refund(worth.min(line.remaining_amount()))
}

/// What the refund of an amount comes to in each part of an order, in the order of the parts.
///
/// It is spread in proportion to what is left of each part, by largest remainder, and so over the rates of tax; together
/// the parts are the amount exactly, and with the last refund everything that was paid.
pub fn refund_amount(parts: &[RefundablePart], amount: i64) -> Result<Vec<RefundedPart>, RefundError> {
    if amount < 1 {
        return Err(RefundError::Nothing);
    }
    let remaining = parts.iter().map(|part| part.remaining_amount()).collect::<Vec<_>>();
    let remaining_amount = super::amount::sum(remaining.iter().copied())?;
    if amount > remaining_amount {
        return Err(RefundError::TooMuch { remaining_amount });
    }
    let shares = spread(amount, &remaining)?;
    parts.iter().zip(shares).map(|(part, share)| part.refund(share)).collect()
}
