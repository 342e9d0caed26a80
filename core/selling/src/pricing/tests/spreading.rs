//! Tests of spreading by largest remainder, and of discounts.

use proptest::prelude::*;

use super::{any_price, points};
use crate::pricing::amount::AmountOverflow;
use crate::pricing::spread::spread;
use crate::pricing::{DiscountRule, line_total};

#[test]
fn what_is_left_over_goes_to_those_that_lost_most_and_then_to_the_first() {
    for (value, weights, parts) in [
        (100, vec![1, 1, 1], vec![34, 33, 33]),
        (2, vec![5, 5, 5], vec![1, 1, 0]),
        (10, vec![999, 1], vec![10, 0]),
        (100, vec![1_000, 3_333, 5_667], vec![10, 33, 57]),
        (1, vec![1, 2, 3], vec![0, 0, 1]),
        (0, vec![0, 0], vec![0, 0]),
        (6, vec![1, 2, 3], vec![1, 2, 3]),
        (0, vec![], vec![]),
    ] {
        assert_eq!(spread(value, &weights), Ok(parts), "{value} over {weights:?}");
    }
}

#[test]
fn nothing_can_be_spread_over_nothing_and_no_weight_is_negative() {
    for (value, weights) in [(1, vec![]), (1, vec![0, 0]), (-1, vec![1]), (1, vec![2, -1]), (1, vec![i64::MAX, 1])] {
        assert_eq!(spread(value, &weights), Err(AmountOverflow), "{value} over {weights:?}");
    }
}

#[test]
fn a_percentage_is_rounded_half_up_and_an_amount_is_at_most_the_subtotal() {
    let percent = |share: u16, subtotal: i64| DiscountRule::Percent(points(share)).of(subtotal);
    assert_eq!(percent(1_000, 1_004), Ok(100));
    assert_eq!(percent(1_000, 1_005), Ok(101));
    assert_eq!(percent(1_250, 1_999), Ok(250));
    assert_eq!(percent(10_000, 1_999), Ok(1_999));
    assert_eq!(percent(1, 4_999), Ok(0));
    assert_eq!(percent(1, 5_000), Ok(1));
    assert_eq!(percent(10_000, i64::MAX), Ok(i64::MAX));
    assert_eq!(DiscountRule::Amount(500).of(1_999), Ok(500));
    assert_eq!(DiscountRule::Amount(500).of(499), Ok(499));
    assert_eq!(DiscountRule::Amount(-1).of(499), Err(AmountOverflow));
    assert_eq!(DiscountRule::Amount(1).of(-1), Err(AmountOverflow));
}

#[test]
fn the_price_of_units_fits_or_is_refused() {
    assert_eq!(line_total(1_999, 3), Ok(5_997));
    assert_eq!(line_total(i64::MAX, 1), Ok(i64::MAX));
    assert_eq!(line_total(0, 99), Ok(0));
    for (unit, quantity) in [(i64::MAX, 2), (-1, 1), (1, -1), (i64::MIN, -1)] {
        assert_eq!(line_total(unit, quantity), Err(AmountOverflow), "{unit} times {quantity}");
    }
}

proptest! {
    #[test]
    fn parts_add_up_and_none_exceeds_its_weight(
        weights in prop::collection::vec(any_price(), 0..40), share in 0..=10_000_u16,
    ) {
        let whole: i64 = weights.iter().sum();
        let value = DiscountRule::Percent(points(share)).of(whole)?;
        let parts = spread(value, &weights)?;
        prop_assert_eq!(parts.iter().sum::<i64>(), value);
        for (part, weight) in parts.iter().zip(&weights) {
            prop_assert!((0..=*weight).contains(part), "{} of {}", part, weight);
            // Each part is less than one unit away from its exact share.
            if whole > 0 {
                let exact = i128::from(*weight) * i128::from(value);
                prop_assert!((i128::from(*part) * i128::from(whole) - exact).abs() < i128::from(whole));
            }
        }
    }

    #[test]
    fn any_numbers_are_spread_exactly_or_refused(value in any::<i64>(), weights in prop::collection::vec(any::<i64>(), 0..5)) {
        if let Ok(parts) = spread(value, &weights) {
            prop_assert_eq!(parts.into_iter().map(i128::from).sum::<i128>(), i128::from(value));
        }
    }

    #[test]
    fn a_discount_is_never_above_the_subtotal(subtotal in 0..=i64::MAX, share in 0..=10_000_u16, fixed in 0..=i64::MAX) {
        for rule in [DiscountRule::Percent(points(share)), DiscountRule::Amount(fixed)] {
            prop_assert!((0..=subtotal).contains(&rule.of(subtotal)?));
        }
    }
}
