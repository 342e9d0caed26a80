//! Currencies of ISO 4217 and the number of decimals of each.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::excerpt::excerpt;

/// A currency of ISO 4217 that has a minor unit, so that amounts in it can be counted.
///
/// Codes without one (gold `XAU`, testing `XTS`, no currency `XXX`, …) cannot become a `Currency`. In JSON and in
/// configuration it is its three-letter code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Currency(iso_currency::Currency);

impl Currency {
    /// The euro, the default of `shop.currency`.
    pub const EUR: Self = Self(iso_currency::Currency::EUR);

    /// Looks a currency up by its code of three capital letters, such as `EUR`.
    ///
    /// The error says what was expected, and names the code that was meant when only the case was wrong.
    pub fn from_code(code: &str) -> Result<Self, CurrencyError> {
        match iso_currency::Currency::from_code(code) {
            Some(currency) if currency.exponent().is_some() && !currency.is_special() => Ok(Self(currency)),
            Some(_) => Err(CurrencyError::NoMinorUnit { code: code.to_owned() }),
            None => {
                let meant = Self::from_code_of_any_case(code);
                Err(CurrencyError::Unknown { code: excerpt(code).into_owned(), meant })
            }
        }
    }

    /// The three-letter code of ISO 4217.
    pub fn code(self) -> &'static str {
        self.0.code()
    }

    /// How many decimals one minor unit stands for: 2 for EUR, 0 for JPY, 3 for KWD, at most 4.
    pub fn minor_digits(self) -> u8 {
        let exponent = self.0.exponent().expect("from_code admits only currencies with a minor unit");
        u8::try_from(exponent).expect("ISO 4217 knows no more than 4 decimals")
    }

    fn from_code_of_any_case(code: &str) -> Option<Self> {
        let trimmed = code.trim();
        if trimmed.len() != 3 {
            return None;
        }
        let currency = iso_currency::Currency::from_code(&trimmed.to_ascii_uppercase())?;
        (currency.exponent().is_some() && !currency.is_special()).then_some(Self(currency))
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for Currency {
    type Err = CurrencyError;

    fn from_str(code: &str) -> Result<Self, Self::Err> {
        Self::from_code(code)
    }
}

impl Serialize for Currency {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

impl<'de> Deserialize<'de> for Currency {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let code = String::deserialize(deserializer)?;
        Self::from_code(&code).map_err(serde::de::Error::custom)
    }
}

/// Why a text is no currency.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CurrencyError {
    /// ISO 4217 has no such code.
    #[error("\"{code}\" is no currency code: {}", expected(*.meant))]
    Unknown {
        /// The text that was given, shortened.
        code: String,
        /// The currency that was probably meant.
        meant: Option<Currency>,
    },
    /// ISO 4217 has the code, for something that is not counted in minor units.
    #[error("\"{code}\" is no money that a shop can take: a currency with a minor unit such as EUR was expected")]
    NoMinorUnit {
        /// The code that was given.
        code: String,
    },
}

fn expected(meant: Option<Currency>) -> String {
    match meant {
        Some(currency) => format!("{currency} was probably meant"),
        None => "three capital letters of ISO 4217 such as EUR were expected".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(code: &str) -> String {
        Currency::from_code(code).expect_err("this code must be refused").to_string()
    }

    #[test]
    fn the_number_of_decimals_follows_iso_4217() {
        for (code, digits) in [("EUR", 2), ("JPY", 0), ("KWD", 3), ("ISK", 0), ("HUF", 2), ("IQD", 3), ("CLF", 4)] {
            let currency = Currency::from_code(code).expect("a code of ISO 4217");
            assert_eq!((currency.code(), currency.minor_digits()), (code, digits));
        }
    }

    #[test]
    fn an_unknown_code_is_refused_with_what_was_expected() {
        for code in ["EURO", "978", "", "XYZ", "€", "EU", "ZZZ"] {
            let message = refusal(code);
            assert!(message.contains(&format!("\"{code}\"")), "{message}");
            assert!(message.contains("three capital letters of ISO 4217 such as EUR"), "{message}");
        }
    }

    #[test]
    fn wrong_case_and_blanks_name_the_code_that_was_meant() {
        for code in ["eur", "Eur", " EUR", "EUR "] {
            assert_eq!(refusal(code), format!("\"{code}\" is no currency code: EUR was probably meant"));
        }
    }

    #[test]
    fn a_very_long_code_is_quoted_in_part() {
        assert!(refusal(&"E".repeat(100_000)).len() < 300);
    }

    #[test]
    fn metals_and_special_codes_are_no_money() {
        for code in ["XAU", "XXX", "XTS", "XDR", "XAD"] {
            let message = refusal(code);
            assert!(message.contains("a currency with a minor unit such as EUR was expected"), "{message}");
        }
    }

    #[test]
    fn a_currency_is_its_code_in_json() {
        let currency: Currency = serde_json::from_str("\"KWD\"").expect("a code of ISO 4217");
        assert_eq!(serde_json::to_string(&currency).expect("a currency can be serialized"), "\"KWD\"");
        let error = serde_json::from_str::<Currency>("\"kwd\"").expect_err("lower case is refused");
        assert!(error.to_string().contains("KWD was probably meant"), "{error}");
    }
}
