//! Tests of the arithmetic of prices, with examples and for any input.

mod rates;
mod refunds;
mod spreading;
mod totals;

use proptest::prelude::*;

use stoa_kernel::config::BasisPoints;

use super::{DiscountRule, PricingLine};

fn points(points: u16) -> BasisPoints {
    BasisPoints::new(points).expect("at most 10,000")
}

fn line(line_total_amount: i64, rate: u16) -> PricingLine {
    PricingLine { line_total_amount, tax_rate: points(rate), is_discounted: true }
}

/// Rates as they are, and any other.
fn any_rate() -> impl Strategy<Value = u16> {
    prop_oneof![prop::sample::select(vec![0_u16, 500, 700, 900, 1_900, 2_100, 10_000]), 0..=10_000_u16]
}

/// Prices as they are, and so large that a hundred of them still fit.
fn any_price() -> impl Strategy<Value = i64> {
    prop_oneof![4 => 0..10_000_i64, 1 => 0..=1_000_000_000_000_000_i64, 1 => Just(0)]
}

fn any_lines() -> impl Strategy<Value = Vec<PricingLine>> {
    let any_line = (any_price(), any_rate(), any::<bool>());
    let any_line = any_line.prop_map(|(price, rate, is_discounted)| PricingLine { is_discounted, ..line(price, rate) });
    prop::collection::vec(any_line, 0..30)
}

fn any_discounts() -> impl Strategy<Value = Vec<DiscountRule>> {
    let percent = (1..=10_000_u16).prop_map(|share| DiscountRule::Percent(points(share)));
    let amount = any_price().prop_map(DiscountRule::Amount);
    prop::collection::vec(prop_oneof![percent, amount], 0..3)
}
