//! What an order comes to when the customer owes the tax: what everybody else pays, without the tax.

use stoa_kernel::config::BasisPoints;

use super::amount::{AmountOverflow, sum};
use super::spread::spread;
use super::tax::{PriceBasis, TaxLine, tax_lines};
use super::totals::{LineTotals, PricingInput, PricingLine, Totals, total};

/// Adds everything up without tax, and says what each line is worth then. Prices that include tax lose that of their rate: the total
/// is that of [`total`] without its tax, to the cent. All amounts are before tax.
pub fn total_without_tax(input: &PricingInput<'_>) -> Result<(Vec<PricingLine>, Totals), AmountOverflow> {
    let with_tax = total(input)?;
    let basis = PriceBasis::from_setting(input.prices_include_tax);
    let untaxed = BasisPoints::default();
    let mut priced = Vec::with_capacity(input.lines.len());
    let mut lines = Vec::with_capacity(input.lines.len());
    for (line, LineTotals { net_amount, .. }) in input.lines.iter().zip(with_tax.lines) {
        // As large as the discounted net amount at least: the net of a larger amount is never smaller.
        let before = TaxLine::of(line.line_total_amount, line.tax_rate, basis)?.net_amount;
        priced.push(PricingLine { line_total_amount: before, tax_rate: untaxed, ..*line });
        let discount_amount = before - net_amount;
        lines.push(LineTotals { discount_amount, net_amount, tax_amount: 0, total_amount: net_amount });
    }
    let subtotal_amount = sum(priced.iter().map(|line| line.line_total_amount))?;
    let discount_amount = sum(lines.iter().map(|line| line.discount_amount))?;
    let shipping_amount = with_tax.shipping_net_amount;
    let total_amount = sum(lines.iter().map(|line| line.net_amount).chain([shipping_amount]))?;
    let all = TaxLine { rate: untaxed, net_amount: total_amount, tax_amount: 0 };
    let totals = Totals {
        subtotal_amount,
        discount_amount,
        discounts: shares(discount_amount, &with_tax.discounts)?,
        shipping_amount,
        shipping_net_amount: shipping_amount,
        shipping_tax_amount: 0,
        tax_amount: 0,
        total_amount,
        lines,
        tax_lines: tax_lines([all])?,
    };
    Ok((priced, totals))
}

/// What each discount takes off, in proportion to what it takes off with tax.
fn shares(discount_amount: i64, with_tax: &[i64]) -> Result<Vec<i64>, AmountOverflow> {
    // The cents of rounding alone are no discount that could be named.
    if with_tax.iter().all(|discount| *discount == 0) {
        Ok(with_tax.to_vec())
    } else {
        spread(discount_amount, with_tax)
    }
}
