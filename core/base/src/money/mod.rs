//! Money: currencies, amounts in minor units, and their text for people and for machines.
//!
//! Amounts are `i64` in the smallest unit of their currency (S1 rule 7). How many decimals that unit stands for comes
//! from ISO 4217: none for JPY, three for KWD, two for EUR. No conversion in this module uses floating point.

mod amount;
mod currency;
mod formatter;
mod locale_data;
mod typed;

use std::fmt;

pub use amount::{AmountError, AmountProblem, format_decimal_amount, parse_decimal_amount};
pub use currency::{Currency, CurrencyError};
pub use formatter::{LocaleError, MoneyFormatter};
pub use typed::{TypedAmountError, parse_form_amount, parse_typed_amount};

/// An amount together with the currency it is in.
///
/// `Display` writes it for logs and command lines, always in the same form: `19.99 EUR`. People get the text of
/// [`MoneyFormatter`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Money {
    /// The amount in minor units of `currency`, negative for what is taken away.
    pub amount: i64,
    /// The currency whose minor unit `amount` counts.
    pub currency: Currency,
}

impl Money {
    /// Puts an amount in minor units and its currency together.
    pub const fn new(amount: i64, currency: Currency) -> Self {
        Self { amount, currency }
    }
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", format_decimal_amount(self.amount, self.currency), self.currency)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_displayed_as_a_decimal_number_and_a_code() {
        assert_eq!(Money::new(-1_999, Currency::EUR).to_string(), "-19.99 EUR");
    }
}
