//! The totals of a cart or an order.

use stoa_kernel::config::BasisPoints;

use super::amount::{AmountOverflow, amount, sum};
use super::discount_rule::DiscountRule;
use super::spread::spread;
use super::tax::{PriceBasis, TaxLine, tax_lines};

/// A line as pricing needs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PricingLine {
    /// Price of all its units before any discount, in minor units; see [`line_total`](super::line_total).
    pub line_total_amount: i64,
    /// The rate of its product where it goes; see [`tax_rate`](super::tax_rate).
    pub tax_rate: BasisPoints,
    /// Whether discounts are spread over it: over products, not over what is charged beside them.
    pub is_discounted: bool,
}

/// Everything that totals depend on.
#[derive(Debug, Clone, Copy)]
pub struct PricingInput<'a> {
    /// The lines, in the order of the cart, which decides among equals where a cent goes.
    pub lines: &'a [PricingLine],
    /// The discounts, each of what the lines that are discounted cost, and at most what those before it have left.
    pub discounts: &'a [DiscountRule],
    /// Price of shipping, in minor units; 0 when nothing is shipped.
    pub shipping_amount: i64,
    /// The rate of shipping; see [`shipping_tax_rate`](super::shipping_tax_rate).
    pub shipping_tax_rate: BasisPoints,
    /// Whether prices, that of shipping too, include tax.
    pub prices_include_tax: bool,
}

/// What one line comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineTotals {
    /// Its share of the discount, at most the price of the line.
    pub discount_amount: i64,
    /// The discounted line before tax.
    pub net_amount: i64,
    /// The tax of the discounted line.
    pub tax_amount: i64,
    /// What is paid for the line: net and tax.
    pub total_amount: i64,
}

/// What an order comes to, in minor units.
///
/// With prices that include tax, `total = subtotal - discount + shipping`, else `+ tax`. Always, `tax` is the sum over
/// the lines and shipping, and `total` the sum of what is paid for each line and for shipping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Totals {
    /// The lines before discount, as prices are written: with tax or without.
    pub subtotal_amount: i64,
    /// What the discounts take off the subtotal.
    pub discount_amount: i64,
    /// What each of them takes off.
    pub discounts: Vec<i64>,
    /// Shipping, as prices are written: with tax or without.
    pub shipping_amount: i64,
    /// Shipping before tax.
    pub shipping_net_amount: i64,
    /// The tax of shipping.
    pub shipping_tax_amount: i64,
    /// The tax of the lines and of shipping.
    pub tax_amount: i64,
    /// What is to be paid.
    pub total_amount: i64,
    /// The lines, in the order in which they came.
    pub lines: Vec<LineTotals>,
    /// Lines and shipping by rate, the highest rate first; net and tax add up to the total.
    pub tax_lines: Vec<TaxLine>,
}

/// Adds everything up (contract 2.2).
pub fn total(input: &PricingInput<'_>) -> Result<Totals, AmountOverflow> {
    let basis = PriceBasis::from_setting(input.prices_include_tax);
    let subtotal_amount = sum(input.lines.iter().map(|line| line.line_total_amount))?;
    let discountable = input.lines.iter().map(|line| if line.is_discounted { line.line_total_amount } else { 0 });
    let discountable = discountable.collect::<Vec<_>>();
    let discounts = discounts(input.discounts, sum(discountable.iter().copied())?)?;
    let discount_amount = sum(discounts.iter().copied())?;
    let shares = spread(discount_amount, &discountable)?;

    let mut taxed = Vec::with_capacity(input.lines.len() + 1);
    let mut lines = Vec::with_capacity(input.lines.len());
    for (line, discount_amount) in input.lines.iter().zip(shares) {
        let part = TaxLine::of(line.line_total_amount - discount_amount, line.tax_rate, basis)?;
        let TaxLine { net_amount, tax_amount, .. } = part;
        lines.push(LineTotals { discount_amount, net_amount, tax_amount, total_amount: part.gross_amount()? });
        taxed.push(part);
    }
    let shipping = TaxLine::of(input.shipping_amount, input.shipping_tax_rate, basis)?;
    if input.shipping_amount > 0 {
        taxed.push(shipping);
    }

    let tax_amount = sum(taxed.iter().map(|part| part.tax_amount))?;
    let added_tax = match basis {
        PriceBasis::Gross => 0,
        PriceBasis::Net => tax_amount,
    };
    let total_amount = amount(
        i128::from(subtotal_amount) - i128::from(discount_amount)
            + i128::from(input.shipping_amount)
            + i128::from(added_tax),
    )?;
    Ok(Totals {
        subtotal_amount,
        discount_amount,
        discounts,
        shipping_amount: input.shipping_amount,
        shipping_net_amount: shipping.net_amount,
        shipping_tax_amount: shipping.tax_amount,
        tax_amount,
        total_amount,
        lines,
        tax_lines: tax_lines(taxed)?,
    })
}

/// What each discount takes off.
fn discounts(rules: &[DiscountRule], discountable: i64) -> Result<Vec<i64>, AmountOverflow> {
    let mut left = discountable;
    let mut taken = Vec::with_capacity(rules.len());
    for rule in rules {
        let amount = rule.of(discountable)?.min(left);
        left -= amount;
        taken.push(amount);
    }
    Ok(taken)
}
