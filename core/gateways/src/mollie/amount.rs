//! Amounts as Mollie writes them: decimal numbers with exactly the currency's decimals.

use serde::{Deserialize, Serialize};

use stoa_kernel::money::{Currency, Money, format_decimal_amount, parse_decimal_amount};

/// Currencies that customers can pay in.
const CURRENCIES: &[&str] = &[
    "AED", "AUD", "BRL", "CAD", "CHF", "CZK", "DKK", "EUR", "GBP", "HKD", "HUF", "ILS", "ISK", "JPY", "MXN", "MYR",
    "NOK", "NZD", "PHP", "PLN", "RON", "SEK", "SGD", "THB", "TWD", "USD", "ZAR",
];

/// An amount of Mollie's.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Amount {
    currency: String,
    value: String,
}

impl Amount {
    /// The amount in Mollie's form; none where Mollie cannot say it.
    pub(super) fn of(money: Money) -> Option<Self> {
        let value = format_decimal_amount(money.amount, money.currency);
        accepts(money).then(|| Self { currency: money.currency.code().to_owned(), value })
    }

    /// What it is; none when it cannot be counted in our unit.
    pub(super) fn money(&self) -> Option<Money> {
        let currency = Currency::from_code(&self.currency).ok()?;
        Some(Money::new(parse_decimal_amount(&self.value, currency).ok()?, currency))
    }

    /// Whether it is more than nothing, as far as it can be read.
    pub(super) fn is_some(&self) -> bool {
        self.value.bytes().any(|byte| (b'1'..=b'9').contains(&byte))
    }

    /// The number as it is written.
    pub(super) fn value(&self) -> &str {
        &self.value
    }
}

/// Whether customers can pay this amount. How much the least and the most is depends on how they pay, which they choose
/// at Mollie.
pub(super) fn accepts(money: Money) -> bool {
    money.amount > 0 && CURRENCIES.contains(&money.currency.code())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn money(amount: i64, code: &str) -> Money {
        Money::new(amount, Currency::from_code(code).expect(code))
    }

    #[test]
    fn amounts_have_exactly_the_currencys_decimals() {
        for (amount, code, value) in [
            (1_000, "EUR", Some("10.00")),
            (1, "EUR", Some("0.01")),
            (1_000, "JPY", Some("1000")),
            (5, "ISK", Some("5")),
            (1_045, "HUF", Some("10.45")),
            (1_000, "KWD", None),
            (0, "EUR", None),
            (-1, "EUR", None),
        ] {
            let written = Amount::of(money(amount, code));
            assert_eq!(written.as_ref().map(Amount::value), value, "{amount} {code}");
            assert_eq!(accepts(money(amount, code)), value.is_some(), "{amount} {code}");
        }
    }

    proptest! {
        #[test]
        fn what_mollie_is_told_reads_back(amount in 1..=i64::MAX, code in prop::sample::select(CURRENCIES)) {
            let money = money(amount, code);
            let written = Amount::of(money).expect("a listed currency");
            prop_assert_eq!(written.money(), Some(money));
            prop_assert!(written.is_some());
        }
    }
}
