//! Amounts that are computed in 128 bits and must fit 64.

/// An amount lies outside of what 64 bits hold, or below zero where nothing can.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an amount is below zero or too large")]
pub struct AmountOverflow;

/// The price of `quantity` units.
pub fn line_total(unit_amount: i64, quantity: i64) -> Result<i64, AmountOverflow> {
    if unit_amount < 0 || quantity < 0 {
        return Err(AmountOverflow);
    }
    unit_amount.checked_mul(quantity).ok_or(AmountOverflow)
}

/// The price of one of `quantity` units that cost this together, rounded half up.
pub fn line_unit(line_total_amount: i64, quantity: i64) -> Result<i64, AmountOverflow> {
    if line_total_amount < 0 || quantity < 1 {
        return Err(AmountOverflow);
    }
    amount(share(line_total_amount, 1, quantity))
}

/// The amount, if it is one: 0 or more, and within 64 bits.
pub(super) fn amount(wide: i128) -> Result<i64, AmountOverflow> {
    i64::try_from(wide).ok().filter(|amount| *amount >= 0).ok_or(AmountOverflow)
}

/// The sum of amounts, each 0 or more.
pub(super) fn sum(amounts: impl IntoIterator<Item = i64>) -> Result<i64, AmountOverflow> {
    // Fewer than 2^64 summands of 63 bits each cannot leave 128 bits.
    let sum = amounts.into_iter().try_fold(0_i128, |sum, part| (part >= 0).then_some(sum + i128::from(part)));
    amount(sum.ok_or(AmountOverflow)?)
}

/// `value * part / whole`, rounded half up; neither number is negative, and `whole` is more than 0.
///
/// The product of two numbers of 63 bits fits 128; the comparison doubles nothing, so it does too.
pub(super) fn share(value: i64, part: i64, whole: i64) -> i128 {
    let (product, whole) = (i128::from(value) * i128::from(part), i128::from(whole));
    let (quotient, remainder) = (product / whole, product % whole);
    if remainder >= whole - remainder { quotient + 1 } else { quotient }
}
