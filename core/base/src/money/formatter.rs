//! Amounts as the people of a locale write them.

use std::fmt;

use fixed_decimal::Decimal;
use icu_decimal::DecimalFormatter;
use icu_experimental::dimension::currency::{
    CurrencyType, formatter::CurrencyFormatter, options::CurrencyFormatterOptions,
};
use icu_locale::Locale;
use writeable::Writeable;

use super::{
    Currency, format_decimal_amount,
    locale_data::{CompiledData, is_covered},
};
use crate::excerpt::excerpt;

/// Formats amounts of one currency for one locale, for example `€20.00` in `en` and `20,00 €` in `de`.
///
/// Built once per shop and shared by all threads. Formatting reads compiled-in data of Unicode CLDR and never rounds.
/// Texts may hold no-break spaces and, beside scripts that run from right to left, direction marks, as CLDR has them.
pub struct MoneyFormatter {
    formatter: CurrencyFormatter<DecimalFormatter>,
    currency: Currency,
    locale: Locale,
}

impl MoneyFormatter {
    /// Prepares formatting for a locale, written as a language tag such as `en`, `de-AT` or `ar-EG-u-nu-latn`.
    ///
    /// Refuses what is no language tag, and languages that CLDR does not describe, since its fallback would look
    /// foreign to everybody.
    pub fn new(locale: &str, currency: Currency) -> Result<Self, LocaleError> {
        let tag = Locale::try_from_str(locale).map_err(|_| LocaleError::malformed(locale))?;
        if !is_covered(&tag) {
            return Err(LocaleError::Unknown { locale: excerpt(locale).into_owned() });
        }
        Ok(Self::for_known(tag, currency))
    }

    /// For a locale that CLDR describes.
    fn for_known(locale: Locale, currency: Currency) -> Self {
        let code = CurrencyType::try_from_str(currency.code()).expect("every ISO 4217 code is three letters");
        let data = CompiledData { digits: currency.minor_digits() };
        let options = CurrencyFormatterOptions::default();
        let formatter = CurrencyFormatter::try_new_symbol_unstable(&data, (&locale).into(), code, options)
            .expect("data of a known locale is compiled in");
        Self { formatter, currency, locale }
    }

    /// Writes amounts of another currency for the same locale.
    #[must_use]
    pub fn with_currency(&self, currency: Currency) -> Self {
        Self::for_known(self.locale.clone(), currency)
    }

    /// The currency whose minor units [`format`](Self::format) takes.
    pub fn currency(&self) -> Currency {
        self.currency
    }

    /// An amount in minor units as programs read it, such as `19.90`.
    pub fn decimal(&self, amount: i64) -> String {
        format_decimal_amount(amount, self.currency)
    }

    /// Writes an amount in minor units with the symbol, separators and digits of the locale.
    pub fn format(&self, amount: i64) -> String {
        let mut value = Decimal::from(amount);
        value.multiply_pow10(-i16::from(self.currency.minor_digits()));
        let mut text = String::with_capacity(24);
        self.formatter.format_fixed_decimal(&value).write_to(&mut text).expect("writing to a String cannot fail");
        text
    }

    /// The same for an amount that has a currency of its own, given by its code, as everything has that was ever sold.
    pub fn format_in(&self, amount: i64, currency: &str) -> String {
        if currency == self.currency.code() {
            return self.format(amount);
        }
        match Currency::from_code(currency) {
            Ok(currency) => self.with_currency(currency).format(amount),
            Err(_) => format!("{amount} {currency}"),
        }
    }
}

impl fmt::Debug for MoneyFormatter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MoneyFormatter").field("currency", &self.currency).finish_non_exhaustive()
    }
}

/// Why amounts cannot be formatted for a locale.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LocaleError {
    /// The text is no language tag of BCP 47.
    #[error("\"{locale}\" is no locale: {expected} was expected")]
    Malformed {
        /// The text that was given, shortened.
        locale: String,
        /// What it should have been.
        expected: String,
    },
    /// The text is a language tag, but CLDR does not say how that language writes money.
    #[error(
        "\"{locale}\" is no locale that amounts can be formatted for: a language such as en, de-AT or ja was expected"
    )]
    Unknown {
        /// The locale that was given.
        locale: String,
    },
}

impl LocaleError {
    fn malformed(locale: &str) -> Self {
        // The form of POSIX, `de_AT.UTF-8`, is the usual mistake.
        let without_encoding = locale.split_once('.').map_or(locale, |(tag, _)| tag);
        let expected = match Locale::try_from_str(&without_encoding.replace('_', "-")) {
            Ok(tag) if is_covered(&tag) => tag.to_string(),
            _ => "a language tag such as en, de-AT or ja".to_owned(),
        };
        Self::Malformed { locale: excerpt(locale).into_owned(), expected }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::money::format_decimal_amount;

    fn formatter(locale: &str, code: &str) -> MoneyFormatter {
        let currency = Currency::from_code(code).expect("a code of ISO 4217");
        MoneyFormatter::new(locale, currency).expect("a locale of CLDR")
    }

    #[test]
    fn every_locale_has_its_own_way_of_writing_a_price() {
        for (locale, code, amount, text) in [
            ("en", "EUR", 2_000, "€20.00"),
            ("de", "EUR", 2_000, "20,00\u{a0}€"),
            ("nl", "EUR", 2_000, "€\u{a0}20,00"),
            ("fr", "EUR", 123_456, "1\u{202f}234,56\u{a0}€"),
            ("ja", "JPY", 2_000, "￥2,000"),
            ("en", "JPY", 2_000, "¥2,000"),
            ("en", "KWD", 2_000, "KWD\u{a0}2.000"),
            ("ar", "KWD", 2_000, "\u{200f}2.000\u{a0}د.ك.\u{200f}"),
            ("ar-EG", "KWD", 2_000, "\u{200f}٢٫٠٠٠\u{a0}د.ك.\u{200f}"),
            ("en-US", "USD", 123_456_789, "$1,234,567.89"),
            ("en-CA", "USD", 2_000, "US$20.00"),
            ("de-AT", "EUR", 123_456, "€\u{a0}1.234,56"),
            ("mr", "INR", 123_456_789, "₹१,२३४,५६७.८९"),
            ("zh-TW", "TWD", 2_000, "$20.00"),
            ("fr-CH", "CHF", 123_456, "1'234.56\u{a0}CHF"),
        ] {
            assert_eq!(formatter(locale, code).format(amount), text, "{locale} {code}");
        }
    }

    #[test]
    fn an_amount_is_written_in_its_own_currency() {
        let shop = formatter("de", "EUR");
        assert_eq!(shop.format_in(2_000, "EUR"), shop.format(2_000));
        assert_eq!(shop.format_in(2_000, "USD"), formatter("de", "USD").format(2_000));
        assert_eq!(shop.format_in(2_000, "JPY"), "2.000\u{a0}¥");
        assert_eq!(shop.format_in(2_000, "???"), "2000 ???");
    }

    #[test]
    fn indian_english_groups_lakhs_and_crores() {
        assert_eq!(formatter("en-IN", "INR").format(1_234_567_890), "₹1,23,45,678.90");
    }

    #[test]
    fn short_numbers_stay_ungrouped_where_people_write_them_so() {
        assert_eq!(formatter("es", "EUR").format(123_456), "1234,56\u{a0}€");
        assert_eq!(formatter("es", "EUR").format(1_234_567), "12.345,67\u{a0}€");
    }

    #[test]
    fn negative_amounts_carry_the_sign_where_the_locale_puts_it() {
        for (locale, code, text) in [
            ("en", "EUR", "-€0.05"),
            ("de", "EUR", "-0,05\u{a0}€"),
            ("nl", "EUR", "€\u{a0}-0,05"),
            ("de-CH", "CHF", "CHF-0.05"),
            ("sv", "SEK", "−0,05\u{a0}kr"),
        ] {
            assert_eq!(formatter(locale, code).format(-5), text, "{locale} {code}");
        }
    }

    #[test]
    fn zero_shows_all_decimals() {
        assert_eq!(formatter("en", "EUR").format(0), "€0.00");
        assert_eq!(formatter("en", "JPY").format(0), "¥0");
    }

    #[test]
    fn no_minor_unit_is_rounded_away() {
        // CLDR would show none of these decimals.
        assert_eq!(formatter("en", "ALL").format(1_250), "ALL\u{a0}12.50");
        assert_eq!(formatter("en", "IQD").format(1_250), "IQD\u{a0}1.250");
    }

    #[test]
    fn the_largest_and_smallest_amounts_are_exact() {
        assert_eq!(formatter("en", "EUR").format(i64::MAX), "€92,233,720,368,547,758.07");
        assert_eq!(formatter("en", "EUR").format(i64::MIN), "-€92,233,720,368,547,758.08");
        assert_eq!(formatter("ja", "JPY").format(i64::MIN), "-￥9,223,372,036,854,775,808");
    }

    #[test]
    fn a_numbering_system_can_be_chosen() {
        assert_eq!(formatter("ar-EG-u-nu-latn", "EGP").format(2_000), "\u{200f}20.00\u{a0}ج.م.\u{200f}");
    }

    #[test]
    fn common_languages_are_known() {
        for locale in [
            "en", "de", "nl", "fr", "es", "it", "pt", "pt-BR", "da", "sv", "nb", "no", "fi", "pl", "cs", "sk", "hu",
            "ro", "bg", "el", "tr", "ru", "uk", "he", "ar", "fa", "hi", "th", "vi", "id", "ja", "ko", "zh", "zh-HK",
        ] {
            assert!(MoneyFormatter::new(locale, Currency::EUR).is_ok(), "{locale}");
        }
    }

    #[test]
    fn a_text_that_is_no_language_tag_is_refused() {
        for locale in ["", "e", "english", "de DE", "de-", "🇩🇪", "en-US-u", &"x".repeat(100_000)] {
            let error = MoneyFormatter::new(locale, Currency::EUR).expect_err("this must be refused").to_string();
            assert!(error.ends_with("is no locale: a language tag such as en, de-AT or ja was expected"), "{error}");
            assert!(error.len() < 300);
        }
    }

    #[test]
    fn a_locale_in_posix_form_names_the_tag_that_was_meant() {
        for locale in ["de_AT", "de_AT.UTF-8", "de-AT.UTF-8"] {
            let error = MoneyFormatter::new(locale, Currency::EUR).expect_err("this must be refused").to_string();
            assert_eq!(error, format!("\"{locale}\" is no locale: de-AT was expected"));
        }
    }

    #[test]
    fn a_language_without_conventions_is_refused() {
        for locale in ["xx", "tlh", "und", "xx-DE"] {
            let error = MoneyFormatter::new(locale, Currency::EUR).expect_err("this must be refused").to_string();
            assert!(error.contains("a language such as en, de-AT or ja was expected"), "{error}");
        }
    }

    #[test]
    fn a_formatter_can_be_shared_by_threads() {
        fn shared<T: Send + Sync>() {}
        shared::<MoneyFormatter>();
    }

    fn any_formatter() -> impl Strategy<Value = (&'static str, &'static str)> {
        prop::sample::select(vec![
            ("en", "EUR"),
            ("de", "ALL"),
            ("nl", "EUR"),
            ("ja", "JPY"),
            ("ar", "KWD"),
            ("en-IN", "INR"),
            ("es", "CLF"),
        ])
    }

    proptest! {
        #[test]
        fn the_digits_shown_are_those_of_the_amount(amount: i64, (locale, code) in any_formatter()) {
            let formatter = formatter(locale, code);
            let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
            let exact = format_decimal_amount(amount, formatter.currency());
            prop_assert_eq!(digits(&formatter.format(amount)), digits(&exact));
        }
    }
}
