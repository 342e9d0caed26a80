//! Amounts as PayPal writes them: decimal numbers, in some currencies without decimals.

use serde::{Deserialize, Serialize};

use stoa_kernel::money::{Currency, Money, format_decimal_amount, parse_decimal_amount};

/// Currencies that customers can pay in with two decimals.
const CURRENCIES: &[&str] = &[
    "AUD", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "EUR", "GBP", "HKD", "ILS", "MXN", "MYR", "NOK", "NZD", "PHP",
    "PLN", "SEK", "SGD", "THB", "USD",
];

/// Currencies in which PayPal takes whole numbers only, whatever ISO 4217 says.
const WITHOUT_DECIMALS: &[&str] = &["HUF", "JPY", "TWD"];

/// Most characters of a number.
const MAX_LENGTH: usize = 32;

/// An amount of PayPal's.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Amount {
    currency_code: String,
    value: String,
}

impl Amount {
    /// The amount in PayPal's form; none where PayPal cannot say it.
    pub(super) fn of(money: Money) -> Option<Self> {
        let code = money.currency.code();
        let value = if WITHOUT_DECIMALS.contains(&code) {
            let factor = 10_i64.pow(u32::from(money.currency.minor_digits()));
            (money.amount % factor == 0).then(|| (money.amount / factor).to_string())?
        } else {
            CURRENCIES.contains(&code).then(|| format_decimal_amount(money.amount, money.currency))?
        };
        let is_amount = money.amount > 0 && value.len() <= MAX_LENGTH;
        is_amount.then(|| Self { currency_code: code.to_owned(), value })
    }

    /// What it is; none when it cannot be counted in our unit.
    pub(super) fn money(&self) -> Option<Money> {
        let currency = Currency::from_code(&self.currency_code).ok()?;
        Some(Money::new(parse_decimal_amount(&self.value, currency).ok()?, currency))
    }

    /// Whether it left the account.
    pub(super) fn is_below_zero(&self) -> bool {
        self.value.starts_with('-')
    }

    /// It in words, for the operator.
    pub(super) fn describe(&self) -> String {
        self.money().map_or_else(|| format!("{} {}", self.value, self.currency_code), |money| money.to_string())
    }
}

/// Whether customers can pay this amount.
pub(super) fn accepts(money: Money) -> bool {
    Amount::of(money).is_some()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn money(amount: i64, code: &str) -> Money {
        Money::new(amount, Currency::from_code(code).expect(code))
    }

    #[test]
    fn amounts_follow_paypals_decimals() {
        for (amount, code, value) in [
            (1_999, "EUR", Some("19.99")),
            (5, "USD", Some("0.05")),
            (1_999, "JPY", Some("1999")),
            (199_900, "HUF", Some("1999")),
            (199_950, "HUF", None),
            (199_900, "TWD", Some("1999")),
            (199_901, "TWD", None),
            (1_000, "ISK", None),
            (1_000, "KWD", None),
            (0, "EUR", None),
            (-100, "HUF", None),
        ] {
            let money = money(amount, code);
            let written = Amount::of(money);
            assert_eq!(written.as_ref().map(|amount| amount.value.as_str()), value, "{amount} {code}");
            assert_eq!(accepts(money), value.is_some());
        }
    }

    #[test]
    fn amounts_are_read_with_and_without_decimals() {
        let read = |value: &str, code: &str| {
            let amount = Amount { currency_code: code.to_owned(), value: value.to_owned() };
            amount.money().map(|money| money.amount)
        };
        assert_eq!(read("1999", "HUF"), Some(199_900));
        assert_eq!(read("1999.00", "JPY"), Some(1_999));
        assert_eq!(read("-1.00", "EUR"), None);
        assert_eq!(read("1.00", "eur"), None);
    }

    fn any_currency() -> impl Strategy<Value = Currency> {
        let codes = [CURRENCIES, WITHOUT_DECIMALS].concat();
        prop::sample::select(codes).prop_map(|code| Currency::from_code(code).expect("a listed currency"))
    }

    proptest! {
        #[test]
        fn what_paypal_is_told_reads_back(amount in any::<i64>(), currency in any_currency()) {
            let money = Money::new(amount, currency);
            if let Some(written) = Amount::of(money) {
                prop_assert_eq!(written.money(), Some(money));
            }
        }
    }
}
