//! Amounts as Stripe counts them.
//!
//! Stripe takes whole numbers of the smallest unit, with lists of its own of how many decimals that unit has. They differ
//! from ISO 4217 where Stripe keeps an older rule: 5 ISK is `500`, 5 MGA is `5`.

use stoa_kernel::money::{Currency, Money};

/// Currencies that customers can pay in, besides those with three decimals.
const CURRENCIES: &[&str] = &[
    "AED", "AFN", "ALL", "AMD", "AOA", "ARS", "AUD", "AWG", "AZN", "BAM", "BBD", "BDT", "BGN", "BIF", "BMD", "BND",
    "BOB", "BRL", "BSD", "BWP", "BYN", "BZD", "CAD", "CDF", "CHF", "CLP", "CNY", "COP", "CRC", "CVE", "CZK", "DJF",
    "DKK", "DOP", "DZD", "EGP", "ETB", "EUR", "FJD", "FKP", "GBP", "GEL", "GIP", "GMD", "GNF", "GTQ", "GYD", "HKD",
    "HNL", "HTG", "HUF", "IDR", "ILS", "INR", "ISK", "JMD", "JPY", "KES", "KGS", "KHR", "KMF", "KRW", "KYD", "KZT",
    "LAK", "LBP", "LKR", "LRD", "LSL", "MAD", "MDL", "MGA", "MKD", "MMK", "MNT", "MOP", "MUR", "MVR", "MWK", "MXN",
    "MYR", "MZN", "NAD", "NGN", "NIO", "NOK", "NPR", "NZD", "PAB", "PEN", "PGK", "PHP", "PKR", "PLN", "PYG", "QAR",
    "RON", "RSD", "RUB", "RWF", "SAR", "SBD", "SCR", "SEK", "SGD", "SHP", "SLE", "SOS", "SRD", "STN", "SZL", "THB",
    "TJS", "TOP", "TRY", "TTD", "TWD", "TZS", "UAH", "UGX", "USD", "UYU", "UZS", "VND", "VUV", "WST", "XAF", "XCD",
    "XCG", "XOF", "XPF", "YER", "ZAR", "ZMW",
];

/// Currencies whose amounts have no decimals at Stripe.
const WITHOUT_DECIMALS: &[&str] =
    &["BIF", "CLP", "DJF", "GNF", "JPY", "KMF", "KRW", "MGA", "PYG", "RWF", "VND", "VUV", "XAF", "XOF", "XPF"];

/// Currencies without a smaller unit whose amounts are written with two decimals, which must be zeros.
const WHOLE_IN_HUNDREDTHS: &[&str] = &["ISK", "UGX"];

/// Currencies with three decimals, of which card networks take only two: the last must be a zero.
const THREE_DECIMALS: &[&str] = &["BHD", "JOD", "KWD", "OMR", "TND"];

/// The least that Stripe takes, in Stripe's own unit.
const LEAST: &[(&str, i64)] = &[
    ("AED", 200),
    ("AUD", 50),
    ("BGN", 100),
    ("BRL", 50),
    ("CAD", 50),
    ("CHF", 50),
    ("CZK", 1_500),
    ("DKK", 250),
    ("EUR", 50),
    ("GBP", 30),
    ("HKD", 400),
    ("HUF", 17_500),
    ("INR", 50),
    ("JPY", 50),
    ("MXN", 1_000),
    ("MYR", 200),
    ("NOK", 300),
    ("NZD", 50),
    ("PLN", 200),
    ("RON", 200),
    ("SEK", 300),
    ("SGD", 50),
    ("THB", 1_000),
    ("USD", 50),
];

/// The most that Stripe takes: eight digits.
const MOST: i64 = 99_999_999;

/// Decimals of the unit in which Stripe counts a currency, if customers can pay in it.
fn decimals(code: &str) -> Option<u8> {
    if THREE_DECIMALS.contains(&code) {
        Some(3)
    } else if WITHOUT_DECIMALS.contains(&code) {
        Some(0)
    } else {
        CURRENCIES.contains(&code).then_some(2)
    }
}

/// How much the smallest step is, in Stripe's unit.
fn step(code: &str) -> i64 {
    if WHOLE_IN_HUNDREDTHS.contains(&code) {
        100
    } else if THREE_DECIMALS.contains(&code) {
        10
    } else {
        1
    }
}

/// The amount in Stripe's unit; none where Stripe cannot say it.
pub(super) fn to_stripe(money: Money) -> Option<i64> {
    let code = money.currency.code();
    let (theirs, ours) = (decimals(code)?, money.currency.minor_digits());
    let amount = if theirs >= ours {
        money.amount.checked_mul(10_i64.pow(u32::from(theirs - ours)))?
    } else {
        let factor = 10_i64.pow(u32::from(ours - theirs));
        (money.amount % factor == 0).then(|| money.amount / factor)?
    };
    (amount >= 0 && amount % step(code) == 0).then_some(amount)
}

/// What an amount of Stripe's is; none when it cannot be counted in our unit.
pub(super) fn from_stripe(amount: i64, code: &str) -> Option<Money> {
    let currency = Currency::from_code(&code.to_ascii_uppercase()).ok()?;
    let (theirs, ours) = (decimals(currency.code())?, currency.minor_digits());
    let amount = if ours >= theirs {
        amount.checked_mul(10_i64.pow(u32::from(ours - theirs)))?
    } else {
        let factor = 10_i64.pow(u32::from(theirs - ours));
        (amount % factor == 0).then(|| amount / factor)?
    };
    Some(Money::new(amount, currency))
}

/// Whether customers can pay this amount.
pub(super) fn accepts(money: Money) -> bool {
    let code = money.currency.code();
    let least = LEAST.iter().find(|(listed, _)| *listed == code).map_or(1, |(_, least)| *least);
    to_stripe(money).is_some_and(|amount| (least..=MOST).contains(&amount))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn money(amount: i64, code: &str) -> Money {
        Money::new(amount, Currency::from_code(code).expect(code))
    }

    #[test]
    fn amounts_follow_stripes_tables() {
        for (amount, code, theirs) in [
            (1_999, "EUR", Some(1_999)),
            (500, "JPY", Some(500)),
            (5, "ISK", Some(500)),
            (5, "UGX", Some(500)),
            (500, "MGA", Some(5)),
            (550, "MGA", None),
            (1_045, "HUF", Some(1_045)),
            (1_045, "TWD", Some(1_045)),
            (5_120, "KWD", Some(5_120)),
            (5_124, "KWD", None),
            (1, "IQD", None),
            (1, "CLF", None),
            (-1, "EUR", None),
            (i64::MAX, "ISK", None),
        ] {
            assert_eq!(to_stripe(money(amount, code)), theirs, "{amount} {code}");
            if let Some(theirs) = theirs {
                assert_eq!(from_stripe(theirs, &code.to_lowercase()), Some(money(amount, code)), "{theirs} {code}");
            }
        }
        assert_eq!(from_stripe(550, "isk"), None);
        assert_eq!(from_stripe(1, "xxx"), None);
    }

    #[test]
    fn amounts_that_stripe_does_not_take_are_not_offered() {
        for (amount, code, taken) in [
            (49, "EUR", false),
            (50, "EUR", true),
            (99_999_999, "EUR", true),
            (100_000_000, "EUR", false),
            (17_499, "HUF", false),
            (17_500, "HUF", true),
            (999_999, "ISK", true),
            (1_000_000, "ISK", false),
            (0, "TTD", false),
            (5_124, "KWD", false),
            (5_120, "KWD", true),
            (5_000, "IRR", false),
        ] {
            assert_eq!(accepts(money(amount, code)), taken, "{amount} {code}");
        }
    }

    #[test]
    fn every_listed_currency_exists() {
        for code in [CURRENCIES, WITHOUT_DECIMALS, WHOLE_IN_HUNDREDTHS, THREE_DECIMALS].concat() {
            let currency = Currency::from_code(code).expect(code);
            assert!(decimals(code).is_some(), "{currency}");
        }
        assert!(LEAST.iter().all(|(code, least)| least % step(code) == 0 && decimals(code).is_some()));
    }

    fn any_currency() -> impl Strategy<Value = Currency> {
        let codes = [CURRENCIES, THREE_DECIMALS].concat();
        prop::sample::select(codes).prop_map(|code| Currency::from_code(code).expect("a listed currency"))
    }

    proptest! {
        #[test]
        fn what_stripe_is_told_reads_back(amount in any::<i64>(), currency in any_currency()) {
            let money = Money::new(amount, currency);
            if let Some(theirs) = to_stripe(money) {
                prop_assert!(theirs >= 0);
                prop_assert_eq!(from_stripe(theirs, currency.code()), Some(money));
            }
        }

        #[test]
        fn any_amount_of_stripes_is_read_or_refused_without_panic(amount in any::<i64>(), code in "[a-zA-Z]{0,4}") {
            if let Some(money) = from_stripe(amount, &code) {
                prop_assert_eq!(money.currency.code(), code.to_uppercase());
            }
        }
    }
}
