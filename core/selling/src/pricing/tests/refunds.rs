//! Tests of refunds.

use proptest::prelude::*;

use super::{any_price, points};
use crate::pricing::{
    RefundError, RefundUnits, RefundablePart, RefundedPart, TaxLine, refund_amount, refund_units, tax_lines,
};

fn part(total_amount: i64, tax_amount: i64) -> RefundablePart {
    RefundablePart::new(total_amount, tax_amount, 0, 0).expect("nothing was refunded yet")
}

fn units(quantity: i64, refunded_quantity: i64, units: i64) -> RefundUnits {
    RefundUnits { quantity, refunded_quantity, units }
}

#[test]
fn three_units_for_ten_come_back_as_three_four_and_three() {
    let mut line = part(1_000, 174);
    let mut refunds = Vec::new();
    for refunded in 0..3 {
        let refund = refund_units(line, units(3, refunded, 1)).expect("a unit is left");
        refunds.push((refund.amount, refund.tax_amount, refund.net_amount()));
        line = line.after(refund);
    }
    assert_eq!(refunds, [(333, 58, 275), (334, 58, 276), (333, 58, 275)]);
    assert_eq!((line.remaining_amount(), line.remaining_tax_amount()), (0, 0));
}

#[test]
fn no_more_is_refunded_than_is_left() {
    let line = part(1_000, 174);
    assert_eq!(refund_units(line, units(3, 2, 2)), Err(RefundError::TooManyUnits { remaining_units: 1 }));
    assert_eq!(refund_units(line, units(3, 3, 1)), Err(RefundError::TooManyUnits { remaining_units: 0 }));
    assert_eq!(refund_units(line, units(3, 0, i64::MAX)), Err(RefundError::TooManyUnits { remaining_units: 3 }));
    assert_eq!(refund_units(line, units(3, 4, 1)), Err(RefundError::Inconsistent));
    assert_eq!(refund_units(line, units(3, -1, 1)), Err(RefundError::Inconsistent));
    for nothing in [0, -1] {
        assert_eq!(refund_units(line, units(3, 0, nothing)), Err(RefundError::Nothing));
        assert_eq!(refund_amount(&[line], nothing), Err(RefundError::Nothing));
    }
    assert_eq!(refund_amount(&[line, line], 2_001), Err(RefundError::TooMuch { remaining_amount: 2_000 }));
    assert_eq!(refund_amount(&[], 1), Err(RefundError::TooMuch { remaining_amount: 0 }));
}

#[test]
fn what_was_refunded_by_amount_counts_against_the_last_units() {
    let line = RefundablePart::new(2_000, 347, 500, 87).expect("a part of it was refunded");
    let first = refund_units(line, units(2, 0, 1)).expect("a unit is left");
    assert_eq!(first.amount, 1_000);
    let last = refund_units(line.after(first), units(2, 1, 1)).expect("a unit is left");
    assert_eq!((last.amount, first.tax_amount + last.tax_amount), (500, 347 - 87));
}

#[test]
fn an_amount_is_split_over_the_rates() {
    // 121.00 with 21 %, 10.90 with 9 %, 5.00 without tax.
    let parts = [part(12_100, 2_100), part(1_090, 90), part(500, 0)];
    let refund = refund_amount(&parts, 1_369).expect("it is left");
    let halves = |refund: &RefundedPart| (refund.amount, refund.tax_amount);
    assert_eq!(refund.iter().map(halves).collect::<Vec<_>>(), [(1_210, 210), (109, 9), (50, 0)]);
    let lines = tax_lines(refund.iter().zip([2_100, 900, 0]).map(|(refund, rate)| refund.at(points(rate))));
    let expected = [(2_100, 1_000, 210), (900, 100, 9), (0, 50, 0)];
    let expected =
        expected.map(|(rate, net_amount, tax_amount)| TaxLine { rate: points(rate), net_amount, tax_amount });
    assert_eq!(lines.as_deref(), Ok(&expected[..]));
}

#[test]
fn small_refunds_do_not_gather_the_errors_of_rounding() {
    // Tax of one cent is never half a cent at 21 %, yet a hundred such refunds hold the tax of a hundred cents.
    let mut line = part(1_000, 174);
    for _ in 0..100 {
        line = line.after(refund_amount(&[line], 1).expect("it is left")[0]);
    }
    assert_eq!((line.remaining_amount(), line.remaining_tax_amount()), (900, 174 - 17));
}

#[test]
fn refunds_that_cannot_be_are_refused() {
    for (total, tax, refunded, refunded_tax) in [
        (-1, 0, 0, 0),
        (10, 11, 0, 0),
        (10, -1, 0, 0),
        (10, 2, 11, 2),
        (10, 2, -1, 0),
        (10, 2, 5, 3),
        (10, 2, 5, -1),
        (10, 5, 2, 3),
        (10, 5, 9, 3),
        (i64::MAX, i64::MAX, i64::MIN, 0),
    ] {
        let refused = RefundablePart::new(total, tax, refunded, refunded_tax);
        assert_eq!(refused, Err(RefundError::Inconsistent), "{total} {tax} {refunded} {refunded_tax}");
    }
}

#[test]
fn the_largest_amounts_are_refunded_to_the_cent() {
    let line = part(i64::MAX, i64::MAX / 2);
    let first = refund_units(line, units(i64::MAX, 0, i64::MAX - 1)).expect("units are left");
    assert_eq!(first.amount, i64::MAX - 1);
    let last = refund_units(line.after(first), units(i64::MAX, i64::MAX - 1, 1)).expect("a unit is left");
    assert_eq!((last.amount, first.tax_amount + last.tax_amount), (1, i64::MAX / 2));
}

/// A part whose tax is any share of it.
fn any_part() -> impl Strategy<Value = RefundablePart> {
    let total = prop_oneof![3 => any_price(), 1 => 0..=i64::MAX / 100];
    total.prop_flat_map(|total| (Just(total), 0..=total)).prop_map(|(total, tax)| part(total, tax))
}

fn is_sound(refund: RefundedPart, before: RefundablePart) -> bool {
    (0..=before.remaining_amount()).contains(&refund.amount)
        && (0..=before.remaining_tax_amount().min(refund.amount)).contains(&refund.tax_amount)
        && refund.net_amount() <= before.remaining_amount() - before.remaining_tax_amount()
}

proptest! {
    #[test]
    fn any_sequence_of_units_adds_up_to_the_line(
        line in any_part(), steps in prop::collection::vec(1..30_i64, 1..12), left_open in any::<bool>(),
    ) {
        let quantity = steps.iter().sum::<i64>() + i64::from(left_open);
        let (mut left, mut refunded, mut amounts) = (line, 0, 0);
        for step in steps {
            let refund = refund_units(left, units(quantity, refunded, step))?;
            prop_assert!(is_sound(refund, left));
            left = left.after(refund);
            refunded += step;
            amounts += refund.amount;
            // In whatever steps, so many units are worth the same.
            prop_assert_eq!(refund_units(line, units(quantity, 0, refunded))?.amount, amounts);
        }
        if left_open {
            left = left.after(refund_units(left, units(quantity, refunded, 1))?);
        }
        prop_assert_eq!((left.remaining_amount(), left.remaining_tax_amount()), (0, 0));
    }

    #[test]
    fn any_sequence_of_amounts_adds_up_to_the_order(
        parts in prop::collection::vec(any_part(), 1..8), shares in prop::collection::vec(1..=100_i64, 0..12),
    ) {
        let remaining = |parts: &[RefundablePart]| parts.iter().map(|part| part.remaining_amount()).sum::<i64>();
        let mut left = parts;
        for share in shares.into_iter().chain([100]) {
            let asked = remaining(&left) / 100 * share + remaining(&left) % 100 * share / 100;
            if asked == 0 {
                continue;
            }
            let refunds = refund_amount(&left, asked)?;
            prop_assert_eq!(refunds.iter().map(|refund| refund.amount).sum::<i64>(), asked);
            for (part, refund) in left.iter_mut().zip(refunds) {
                prop_assert!(is_sound(refund, *part));
                *part = part.after(refund);
            }
        }
        prop_assert_eq!(remaining(&left), 0);
        prop_assert!(left.iter().all(|part| part.remaining_tax_amount() == 0));
    }

    #[test]
    fn units_and_amounts_mixed_never_refund_more_than_was_paid(
        line in any_part(), steps in prop::collection::vec((any::<bool>(), 1..=100_i64), 1..20),
    ) {
        let (mut left, mut refunded) = (line, 0);
        for (is_amount, size) in steps {
            let refund = if is_amount {
                let asked = left.remaining_amount() / 100 * size;
                refund_amount(&[left], asked).map(|refunds| refunds[0])
            } else {
                refund_units(left, units(200, refunded, size)).inspect(|_| refunded += size)
            };
            match refund {
                Ok(refund) => {
                    prop_assert!(is_sound(refund, left));
                    left = left.after(refund);
                }
                Err(RefundError::Nothing | RefundError::TooManyUnits { .. }) => (),
                Err(error) => prop_assert!(false, "{}", error),
            }
        }
        if refunded < 200 {
            left = left.after(refund_units(left, units(200, refunded, 200 - refunded))?);
        }
        prop_assert_eq!((left.remaining_amount(), left.remaining_tax_amount()), (0, 0));
    }
    #[test]
    fn a_refund_is_sound_whatever_was_refunded_before(
        (total, tax, refunded) in (0..300_i64).prop_flat_map(|total| (Just(total), 0..=total, 0..=total)),
        refunded_tax in 0..300_i64, amount in 1..300_i64,
    ) {
        if let Ok(part) = RefundablePart::new(total, tax, refunded, refunded_tax)
            && let Ok(refunds) = refund_amount(&[part], amount)
        {
            prop_assert!(is_sound(refunds[0], part));
            let after = part.after(refunds[0]);
            let stored =
                RefundablePart::new(total, tax, refunded + refunds[0].amount, refunded_tax + refunds[0].tax_amount);
            prop_assert_eq!(stored, Ok(after));
        }
    }
}
