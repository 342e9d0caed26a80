//! Tests of totals.

use std::collections::BTreeMap;

use proptest::prelude::*;

use stoa_kernel::money::{Currency, MoneyFormatter};

use super::{any_discounts, any_lines, any_price, any_rate, line, points};
use crate::pricing::{
    AmountOverflow, DiscountRule, LineTotals, PricingInput, PricingLine, TaxLine, Totals, tax_lines, total,
};

fn input(lines: &[PricingLine]) -> PricingInput<'_> {
    PricingInput { lines, discounts: &[], shipping_amount: 0, shipping_tax_rate: points(0), prices_include_tax: true }
}

#[test]
fn tax_is_contained_in_prices_that_include_it() {
    let lines = [line(12_100, 2_100), line(1_090, 900)];
    let totals = total(&PricingInput {
        discounts: &[DiscountRule::Amount(1_319)],
        shipping_amount: 605,
        shipping_tax_rate: points(2_100),
        ..input(&lines)
    });
    let expected = Totals {
        subtotal_amount: 13_190,
        discount_amount: 1_319,
        discounts: vec![1_319],
        shipping_amount: 605,
        shipping_net_amount: 500,
        shipping_tax_amount: 105,
        // 1,890 of 10,890, 81 of 981, and 105.
        tax_amount: 2_076,
        total_amount: 12_476,
        lines: vec![
            LineTotals { discount_amount: 1_210, net_amount: 9_000, tax_amount: 1_890, total_amount: 10_890 },
            LineTotals { discount_amount: 109, net_amount: 900, tax_amount: 81, total_amount: 981 },
        ],
        tax_lines: vec![
            TaxLine { rate: points(2_100), net_amount: 9_500, tax_amount: 1_995 },
            TaxLine { rate: points(900), net_amount: 900, tax_amount: 81 },
        ],
    };
    assert_eq!(totals, Ok(expected));
}

#[test]
fn tax_is_added_to_prices_that_exclude_it() {
    let lines = [line(10_000, 2_100), line(1_000, 900), line(333, 0)];
    let totals = total(&PricingInput {
        discounts: &[DiscountRule::Percent(points(1_000))],
        shipping_amount: 500,
        shipping_tax_rate: points(2_100),
        prices_include_tax: false,
        ..input(&lines)
    })
    .expect("small amounts");
    assert_eq!((totals.subtotal_amount, totals.discount_amount), (11_333, 1_133));
    assert_eq!(totals.lines.iter().map(|line| line.discount_amount).collect::<Vec<_>>(), [1_000, 100, 33]);
    assert_eq!(totals.lines.iter().map(|line| line.tax_amount).collect::<Vec<_>>(), [1_890, 81, 0]);
    assert_eq!((totals.shipping_net_amount, totals.shipping_tax_amount), (500, 105));
    assert_eq!(totals.tax_amount, 1_890 + 81 + 105);
    assert_eq!(totals.total_amount, 11_333 - 1_133 + 500 + 2_076);
}

#[test]
fn tax_is_rounded_half_up_on_each_line() {
    // A tenth of 5 is half a cent on each of two lines, which makes two cents; on their sum it would be one.
    let lines = [line(5, 1_000), line(5, 1_000)];
    let net = total(&PricingInput { prices_include_tax: false, ..input(&lines) }).expect("small amounts");
    assert_eq!((net.tax_amount, net.total_amount), (2, 12));
    assert_eq!(net.tax_lines, [TaxLine { rate: points(1_000), net_amount: 10, tax_amount: 2 }]);
    // 3 at 20 %: exactly half a cent is contained, and 2 at 20 %: a third of one.
    let tax = |price| total(&input(&[line(price, 2_000)])).expect("small amounts").tax_amount;
    assert_eq!((tax(3), tax(2)), (1, 0));
}

#[test]
fn a_discount_of_everything_leaves_shipping() {
    let lines = [line(1_000, 2_100), line(0, 2_100)];
    let rule = &[DiscountRule::Amount(i64::MAX)];
    let totals =
        total(&PricingInput { discounts: rule, shipping_amount: 495, ..input(&lines) }).expect("small amounts");
    assert_eq!((totals.discount_amount, totals.total_amount, totals.tax_amount), (1_000, 495, 0));
    let free = total(&PricingInput { discounts: rule, ..input(&lines) }).expect("small amounts");
    assert_eq!(free.total_amount, 0);
}

#[test]
fn what_is_charged_beside_the_products_is_not_discounted() {
    let lines = [line(1_000, 2_100), PricingLine { is_discounted: false, ..line(250, 2_100) }];
    let rules = [DiscountRule::Percent(points(1_000)), DiscountRule::Amount(5_000), DiscountRule::Amount(1)];
    let totals = total(&PricingInput { discounts: &rules, ..input(&lines) }).expect("small amounts");
    assert_eq!((totals.subtotal_amount, totals.total_amount), (1_250, 250));
    assert_eq!(totals.discounts, [100, 900, 0], "each gets what those before it have left");
}

#[test]
fn an_empty_cart_costs_nothing() {
    let totals = total(&input(&[])).expect("nothing");
    assert_eq!((totals.total_amount, totals.tax_lines), (0, vec![]));
}

#[test]
fn what_does_not_fit_is_refused_instead_of_wrapping() {
    let largest = total(&input(&[line(i64::MAX, 10_000)])).expect("it fits");
    assert_eq!((largest.total_amount, largest.tax_amount), (i64::MAX, i64::MAX / 2 + 1));

    let refused = |input: &PricingInput<'_>| assert_eq!(total(input), Err(AmountOverflow), "{input:?}");
    refused(&input(&[line(i64::MAX, 0), line(1, 0)]));
    refused(&input(&vec![line(i64::MAX, 0); 40]));
    refused(&input(&[line(-1, 0)]));
    refused(&input(&[line(-1, 0), line(5, 0)]));
    refused(&PricingInput { shipping_amount: -1, ..input(&[line(5, 0)]) });
    refused(&PricingInput { shipping_amount: i64::MAX, ..input(&[line(1, 0)]) });
    refused(&PricingInput { prices_include_tax: false, ..input(&[line(i64::MAX, 1)]) });
    let many = [TaxLine { rate: points(0), net_amount: i64::MAX, tax_amount: 0 }; 2];
    assert_eq!(tax_lines(many), Err(AmountOverflow));
}

#[test]
fn currencies_of_any_number_of_decimals_are_computed_alike() {
    let lines = [line(9_999, 1_000)];
    let rule = &[DiscountRule::Percent(points(1_500))];
    let totals =
        total(&PricingInput { discounts: rule, shipping_amount: 500, ..input(&lines) }).expect("small amounts");
    let formatted = |code: &str| {
        let currency = Currency::from_code(code).expect("a code of ISO 4217");
        MoneyFormatter::new("en", currency).expect("English is known").format(totals.total_amount)
    };
    assert_eq!(formatted("JPY"), "¥8,999");
    assert_eq!(formatted("EUR"), "€89.99");
    assert_eq!(formatted("KWD"), "KWD\u{a0}8.999");
}

proptest! {
    #[test]
    fn every_document_adds_up(
        lines in any_lines(), discounts in any_discounts(), shipping_amount in any_price(), rate in any_rate(),
        prices_include_tax in any::<bool>(),
    ) {
        let input =
            PricingInput { lines: &lines, discounts: &discounts, shipping_amount, shipping_tax_rate: points(rate), prices_include_tax };
        let totals = total(&input)?;
        let sum = |of: fn(&LineTotals) -> i64| totals.lines.iter().map(of).sum::<i64>();

        let added = if prices_include_tax { 0 } else { totals.tax_amount };
        prop_assert_eq!(
            totals.total_amount, totals.subtotal_amount - totals.discount_amount + totals.shipping_amount + added
        );
        prop_assert_eq!(totals.discount_amount, sum(|line| line.discount_amount));
        prop_assert_eq!(totals.discount_amount, totals.discounts.iter().sum::<i64>());
        prop_assert_eq!(totals.tax_amount, sum(|line| line.tax_amount) + totals.shipping_tax_amount);
        let shipping_total = totals.shipping_net_amount + totals.shipping_tax_amount;
        prop_assert_eq!(totals.total_amount, sum(|line| line.total_amount) + shipping_total);
        prop_assert_eq!(totals.tax_amount, totals.tax_lines.iter().map(|line| line.tax_amount).sum::<i64>());
        let gross = totals.tax_lines.iter().map(|line| line.net_amount + line.tax_amount).sum::<i64>();
        prop_assert_eq!(totals.total_amount, gross);

        let mut rates = BTreeMap::new();
        for (line, totals) in lines.iter().zip(&totals.lines) {
            let most = if line.is_discounted { line.line_total_amount } else { 0 };
            prop_assert!((0..=most).contains(&totals.discount_amount));
            prop_assert!(totals.net_amount >= 0 && totals.tax_amount >= 0);
            prop_assert_eq!(totals.total_amount, totals.net_amount + totals.tax_amount);
            *rates.entry(line.tax_rate).or_insert(0) += totals.tax_amount;
        }
        *rates.entry(points(rate)).or_insert(0) += totals.shipping_tax_amount;
        let shown = totals.tax_lines.iter().map(|line| (line.rate, line.tax_amount)).collect::<BTreeMap<_, _>>();
        rates.retain(|rate, tax| *tax > 0 || shown.contains_key(rate));
        prop_assert_eq!(&shown, &rates);
        prop_assert_eq!(totals.tax_lines.len(), shown.len());
    }

    #[test]
    fn contained_tax_is_within_half_a_cent_of_its_rate(price in 0..=i64::MAX, rate in any_rate()) {
        let totals = total(&input(&[line(price, rate)]))?;
        let (net, tax) = (i128::from(totals.lines[0].net_amount), i128::from(totals.tax_amount));
        let (points, all) = (i128::from(rate), 10_000_i128);
        // price * rate = tax * (all + rate), but for the error of rounding: less than or exactly half a cent.
        prop_assert_eq!(net + tax, i128::from(price));
        let error = tax * (all + points) - i128::from(price) * points;
        prop_assert!(2 * error <= all + points && 2 * error > -(all + points));
    }

    #[test]
    fn any_numbers_are_added_up_or_refused(
        prices in prop::collection::vec(any::<i64>(), 0..4), rate in any_rate(), shipping_amount in any::<i64>(),
        fixed in any::<i64>(), prices_include_tax in any::<bool>(),
    ) {
        let lines = prices.into_iter().map(|price| line(price, rate)).collect::<Vec<_>>();
        let discounts = [DiscountRule::Amount(fixed)];
        let input =
            PricingInput { lines: &lines, discounts: &discounts, shipping_amount, shipping_tax_rate: points(rate), prices_include_tax };
        if let Ok(totals) = total(&input) {
            prop_assert!(totals.total_amount >= 0 && totals.discount_amount <= totals.subtotal_amount);
        }
    }
}
