//! Reports of thousands of random orders come to what their documents say, to the cent.

use chrono::NaiveDate;
use proptest::prelude::*;

use stoa_kernel::config::{BasisPoints, CountryCode};

use super::books::BookedSum;
use super::oss::of_quarter;
use super::period::{Period, Quarter};
use super::sales::{SalesBy, sold_by};
use super::tax::by_rate;
use crate::pricing::{
    DiscountRule, PricingInput, PricingLine, RefundUnits, RefundablePart, TaxLine, Totals, refund_units, tax_lines,
    total, total_without_tax,
};

const RATES: [u16; 3] = [2_100, 900, 0];
const COUNTRIES: [&str; 5] = ["NL", "DE", "FR", "GB", "US"];
const DAYS: [(&str, &str); 4] =
    [("2026-08-31", "2026-08"), ("2026-09-30", "2026-09"), ("2026-10-01", "2026-10"), ("2026-12-31", "2026-12")];

/// An order as a shop might have it.
#[derive(Debug, Clone)]
struct Order {
    /// Price of a unit, quantity, which rate, units that are refunded.
    lines: Vec<(i64, i64, usize, i64)>,
    discounts: Vec<DiscountRule>,
    shipping_amount: i64,
    prices_include_tax: bool,
    reverse_charge: bool,
    country: usize,
    day: usize,
    /// Days of the refund after that of the invoice, in `DAYS`.
    refunded_later: usize,
}

fn points(points: u16) -> BasisPoints {
    BasisPoints::new(points).expect("at most 10,000")
}

fn any_order() -> impl Strategy<Value = Order> {
    let line = (0..20_000_i64, 1..6_i64, 0..RATES.len(), 0..6_i64);
    let percent = (1..=10_000_u16).prop_map(|share| DiscountRule::Percent(points(share)));
    let discount = prop_oneof![percent, (0..5_000_i64).prop_map(DiscountRule::Amount)];
    let shipping = prop_oneof![Just(0), 1..2_000_i64];
    let what = (prop::collection::vec(line, 1..6), prop::collection::vec(discount, 0..3), shipping);
    let how = (any::<bool>(), any::<bool>(), 0..COUNTRIES.len(), 0..DAYS.len(), 0..DAYS.len());
    (what, how).prop_map(|((lines, discounts, shipping_amount), how)| {
        let (prices_include_tax, reverse_charge, country, day, refunded_later) = how;
        Order { lines, discounts, shipping_amount, prices_include_tax, reverse_charge, country, day, refunded_later }
    })
}

/// A document: what it is about, its tax and its total, and the rows that are booked of it.
struct Booked {
    total_amount: i64,
    tax_amount: i64,
    rows: Vec<TaxLine>,
}

impl Order {
    fn totals(&self) -> (Vec<PricingLine>, Totals) {
        let lines = self.lines.iter().map(|(price, quantity, rate, _)| PricingLine {
            line_total_amount: price * quantity,
            tax_rate: points(RATES[*rate]),
            is_discounted: true,
        });
        let lines = lines.collect::<Vec<_>>();
        let input = PricingInput {
            lines: &lines,
            discounts: &self.discounts,
            shipping_amount: self.shipping_amount,
            shipping_tax_rate: points(RATES[0]),
            prices_include_tax: self.prices_include_tax,
        };
        let with_tax = total(&input).expect("it fits");
        if !self.reverse_charge {
            return (lines.clone(), with_tax);
        }
        let (lines, without) = total_without_tax(&input).expect("it fits");
        assert_eq!(
            without.total_amount,
            with_tax.total_amount - with_tax.tax_amount,
            "it is the price without its tax"
        );
        assert_eq!(
            without.total_amount,
            without.subtotal_amount - without.discount_amount + without.shipping_amount,
            "its amounts add up"
        );
        assert_eq!(without.discounts.iter().sum::<i64>(), without.discount_amount, "so do its discounts");
        assert_eq!(without.tax_amount, 0);
        (lines, without)
    }

    fn invoice(&self) -> Booked {
        let (_, totals) = self.totals();
        Booked { total_amount: totals.total_amount, tax_amount: totals.tax_amount, rows: totals.tax_lines }
    }

    /// The credit note of the units that are refunded; none when nothing of worth is.
    fn credit_note(&self) -> Option<Booked> {
        let (lines, totals) = self.totals();
        let mut rows = Vec::new();
        for ((line, totals), (_, quantity, _, units)) in lines.iter().zip(&totals.lines).zip(&self.lines) {
            let units = (*units).min(*quantity);
            if units == 0 {
                continue;
            }
            let part = RefundablePart::new(totals.total_amount, totals.tax_amount, 0, 0).expect("it was sold");
            let asked = RefundUnits { quantity: *quantity, refunded_quantity: 0, units };
            rows.push(refund_units(part, asked).expect("they are left").at(line.tax_rate));
        }
        let amount = |row: &TaxLine| row.net_amount + row.tax_amount;
        let (total_amount, tax_amount) = (rows.iter().map(amount).sum(), rows.iter().map(|row| row.tax_amount).sum());
        (total_amount > 0).then(|| Booked { total_amount, tax_amount, rows: tax_lines(rows).expect("they fit") })
    }

    fn booked(&self, rows: &[TaxLine], day: usize, sign: i64) -> Vec<BookedSum> {
        let row = |row: &TaxLine| BookedSum {
            day: DAYS[day].0.to_owned(),
            invoiced_month: DAYS[self.day].1.to_owned(),
            country: COUNTRIES[self.country].to_owned(),
            tax_rate: i64::from(row.rate.get()),
            reverse_charge: self.reverse_charge,
            currency: String::from("EUR"),
            base_amount: sign * row.net_amount,
            tax_amount: sign * row.tax_amount,
            invoices: i64::from(sign > 0),
        };
        rows.iter().map(row).collect()
    }
}

fn sums<'a, R: 'a>(rows: impl IntoIterator<Item = &'a R>, amounts: impl Fn(&R) -> (i64, i64)) -> (i64, i64) {
    rows.into_iter().map(amounts).fold((0, 0), |(base, tax), row| (base + row.0, tax + row.1))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn reports_come_to_what_documents_say(orders in prop::collection::vec(any_order(), 1..12)) {
        let (mut books, mut total_amount, mut tax_amount, mut owed_abroad) = (Vec::new(), 0, 0, 0);
        let quarter = "2026Q4".parse::<Quarter>().expect("a quarter");
        for order in &orders {
            let invoice = order.invoice();
            let is_consumer_abroad = !order.reverse_charge && ["DE", "FR"].contains(&COUNTRIES[order.country]);
            let refunded = (order.day + order.refunded_later).min(DAYS.len() - 1);
            let documents = [(Some(invoice), order.day, 1), (order.credit_note(), refunded, -1)];
            for (document, day, sign) in documents {
                let Some(Booked { total_amount: total, tax_amount: tax, rows }) = document else { continue };
                let (base, booked_tax) = sums(&rows, |row| (row.net_amount, row.tax_amount));
                prop_assert_eq!((base + booked_tax, booked_tax), (total, tax), "the rows of a document come to it");
                (total_amount, tax_amount) = (total_amount + sign * total, tax_amount + sign * tax);
                if is_consumer_abroad && day >= 2 {
                    owed_abroad += sign * tax;
                }
                books.extend(order.booked(&rows, day, sign));
            }
        }
        let ledger = (total_amount - tax_amount, tax_amount);
        prop_assert_eq!(sums(&by_rate(&books), |row| (row.base_amount, row.tax_amount)), ledger);
        for by in [SalesBy::Day, SalesBy::Month, SalesBy::Year, SalesBy::Country] {
            prop_assert_eq!(sums(&sold_by(&books, by), |row| (row.base_amount, row.tax_amount)), ledger);
        }
        let own = CountryCode::parse("NL").expect("a country");
        let booked = books.iter().filter(|row| row.day.as_str() >= "2026-10-01").cloned().collect::<Vec<_>>();
        let rows = of_quarter(&booked, own, quarter);
        prop_assert_eq!(sums(&rows, |row| (row.base_amount, row.tax_amount)).1, owed_abroad);
        prop_assert!(rows.iter().all(|row| ["DE", "FR"].contains(&row.country.as_str())));
        prop_assert!(rows.iter().all(|row| row.correction == (row.period != quarter)));
    }
}

#[test]
fn a_quarter_has_its_days_and_no_others() {
    let day = |text: &str| text.parse::<NaiveDate>().expect(text);
    for (quarter, first, last) in [("2026Q1", "2026-01-01", "2026-03-31"), ("2026q4", "2026-10-01", "2026-12-31")] {
        let quarter = quarter.parse::<Quarter>().expect(quarter);
        assert_eq!(quarter.period(), Period::new(day(first), day(last)).expect("it has days"));
        assert_eq!((Quarter::of(day(first)), Quarter::of(day(last))), (quarter, quarter));
    }
    for text in ["", "2026", "2026Q0", "2026Q5", "26Q1", "Q1", "2026Q", "2026Q1x", "20260Q1", "２０２６Q1"] {
        assert!(text.parse::<Quarter>().is_err(), "{text}");
    }
    assert!(Period::new(day("2026-02-01"), day("2026-01-31")).is_err());
}

#[test]
fn what_is_credited_of_an_earlier_quarter_is_a_correction_of_it() {
    let sum = |day: &str, month: &str, base_amount, tax_amount| BookedSum {
        day: day.to_owned(),
        invoiced_month: month.to_owned(),
        country: String::from("DE"),
        tax_rate: 1_900,
        reverse_charge: false,
        currency: String::from("EUR"),
        base_amount,
        tax_amount,
        invoices: 0,
    };
    let books = [
        sum("2026-10-02", "2026-10", 10_000, 1_900),
        sum("2026-11-02", "2026-10", -4_000, -760),
        sum("2026-11-03", "2026-09", -1_000, -190),
    ];
    let own = CountryCode::parse("NL").expect("a country");
    let rows = of_quarter(&books, own, "2026Q4".parse().expect("a quarter"));
    let told = rows.iter().map(|row| (row.period.to_string(), row.correction, row.base_amount, row.tax_amount));
    let expected = [(String::from("2026Q4"), false, 6_000, 1_140), (String::from("2026Q3"), true, -1_000, -190)];
    assert_eq!(told.collect::<Vec<_>>(), expected);
}
