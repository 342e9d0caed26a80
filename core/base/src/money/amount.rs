//! Amounts as plain decimal numbers, the form that exports of shops and interfaces of payment providers use.

use super::Currency;
use crate::excerpt::excerpt;

/// Reads a plain decimal number such as `9.99`, `50` or `15.5` as an amount in minor units of `currency`.
///
/// Strict on purpose, because a guess about someone's prices is worse than a refused line: ASCII digits, at most one
/// point with digits on both sides, nothing else. Decimals beyond those of the currency are accepted when they are
/// zeros (`1500.00` in JPY). Signs, blanks, exponents, commas and thousands separators are refused; callers trim.
pub fn parse_decimal_amount(text: &str, currency: Currency) -> Result<i64, AmountError> {
    minor_units(text, currency.minor_digits()).map_err(|problem| AmountError {
        text: excerpt(text).into_owned(),
        currency,
        problem,
    })
}

/// Writes an amount in minor units as a plain decimal number with all decimals of the currency, such as `-9.50`.
///
/// The inverse of [`parse_decimal_amount`] for amounts that are not negative.
pub fn format_decimal_amount(amount: i64, currency: Currency) -> String {
    let digits = usize::from(currency.minor_digits());
    let mut text = format!("{:0>width$}", amount.unsigned_abs(), width = digits + 1);
    if digits > 0 {
        text.insert(text.len() - digits, '.');
    }
    if amount < 0 {
        text.insert(0, '-');
    }
    text
}

fn minor_units(text: &str, digits: u8) -> Result<i64, AmountProblem> {
    if text.trim().is_empty() {
        return Err(AmountProblem::Empty);
    }
    let Some((whole, decimals)) = split_plain_decimal(text) else {
        let negative = text.strip_prefix('-').and_then(split_plain_decimal).is_some();
        return Err(if negative { AmountProblem::Negative } else { AmountProblem::NotDecimal });
    };
    let decimals = decimals.trim_end_matches('0');
    let missing = usize::from(digits).checked_sub(decimals.len()).ok_or(AmountProblem::TooManyDecimals)?;
    whole
        .bytes()
        .chain(decimals.bytes())
        .chain(std::iter::repeat_n(b'0', missing))
        .try_fold(0_i64, |amount, digit| amount.checked_mul(10)?.checked_add(i64::from(digit - b'0')))
        .ok_or(AmountProblem::TooLarge)
}

/// The digits before and after the point, if that is all there is.
fn split_plain_decimal(text: &str) -> Option<(&str, &str)> {
    match text.split_once('.') {
        Some((whole, decimals)) => (is_digits(whole) && is_digits(decimals)).then_some((whole, decimals)),
        None => is_digits(text).then_some((text, "")),
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Why a text is no amount; its message quotes the text and says what was expected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.explanation())]
pub struct AmountError {
    /// The text that was given, shortened.
    pub text: String,
    /// The currency that decides how many decimals an amount can have.
    pub currency: Currency,
    /// What is wrong with it.
    pub problem: AmountProblem,
}

/// What is wrong with the text of an amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AmountProblem {
    /// There is no text, or only blanks.
    Empty,
    /// The number is below zero, or is zero with a minus sign.
    Negative,
    /// The text is no plain decimal number.
    NotDecimal,
    /// The number has more decimals than the currency, and they are not zeros.
    TooManyDecimals,
    /// The number of minor units is beyond what 64 bits hold.
    TooLarge,
}

impl AmountError {
    fn explanation(&self) -> String {
        let Self { text, currency, problem } = self;
        let expected = self.expected();
        match problem {
            AmountProblem::Empty => format!("the amount is empty: {expected} was expected"),
            AmountProblem::Negative => format!("\"{text}\" is below zero: {expected} was expected"),
            AmountProblem::NotDecimal => format!("\"{text}\" is no amount: {expected} was expected"),
            AmountProblem::TooManyDecimals => {
                format!("\"{text}\" has more decimals than {currency}: {expected} was expected")
            }
            AmountProblem::TooLarge => {
                let largest = format_decimal_amount(i64::MAX, *currency);
                format!("\"{text}\" is too large: {expected}, at most {largest}, was expected")
            }
        }
    }

    fn expected(&self) -> String {
        match self.currency.minor_digits() {
            0 => "a whole number such as 1999, without thousands separators".to_owned(),
            digits => {
                let example = format_decimal_amount(1_999_999, self.currency);
                format!(
                    "a number such as {example}, with a point before at most {digits} decimals and without thousands \
                     separators"
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn currency(code: &str) -> Currency {
        Currency::from_code(code).expect("a code of ISO 4217")
    }

    fn problem(text: &str, code: &str) -> AmountProblem {
        parse_decimal_amount(text, currency(code)).expect_err(text).problem
    }

    #[test]
    fn decimal_numbers_become_minor_units() {
        for (text, code, amount) in [
            ("9.99", "EUR", 999),
            ("50", "EUR", 5_000),
            ("15.5", "EUR", 1_550),
            ("0.00", "EUR", 0),
            ("0", "EUR", 0),
            ("0.01", "EUR", 1),
            ("007.50", "EUR", 750),
            ("1500", "JPY", 1_500),
            ("1.5", "KWD", 1_500),
            ("92233720368547758.07", "EUR", i64::MAX),
        ] {
            assert_eq!(parse_decimal_amount(text, currency(code)), Ok(amount), "{text} {code}");
        }
    }

    #[test]
    fn decimals_beyond_those_of_the_currency_may_only_be_zeros() {
        assert_eq!(parse_decimal_amount("1500.00", currency("JPY")), Ok(1_500));
        assert_eq!(parse_decimal_amount("9.9900", Currency::EUR), Ok(999));
        assert_eq!(problem("9.995", "EUR"), AmountProblem::TooManyDecimals);
        assert_eq!(problem("15.5", "JPY"), AmountProblem::TooManyDecimals);
        assert_eq!(problem("1.2345", "KWD"), AmountProblem::TooManyDecimals);
    }

    #[test]
    fn what_is_no_plain_decimal_number_is_refused() {
        for text in [
            "1,5,0", "1.234,56", "1,234.56", "9,99", "1e3", "0x10", "abc", "NaN", "inf", "1.2.3", ".5", "5.", ".",
            "+5", "--5", "-", "5-", " 5", "5 ", "1 000", "1'000", "1_000", "€5", "5 EUR", "٣", "５", "5\u{0}", "−5",
        ] {
            assert_eq!(problem(text, "EUR"), AmountProblem::NotDecimal, "{text:?}");
        }
    }

    #[test]
    fn endless_signs_and_points_are_refused() {
        for unit in ["-", ".", "-.", "0."] {
            assert_eq!(problem(&unit.repeat(1_000_000), "EUR"), AmountProblem::NotDecimal, "{unit:?}");
        }
    }

    #[test]
    fn empty_and_blank_text_is_refused() {
        for text in ["", " ", "\t\n"] {
            assert_eq!(problem(text, "EUR"), AmountProblem::Empty, "{text:?}");
        }
    }

    #[test]
    fn numbers_below_zero_are_refused() {
        for text in ["-9.99", "-1", "-0.00", "-9.999", &format!("-{}", "9".repeat(30))] {
            assert_eq!(problem(text, "EUR"), AmountProblem::Negative, "{text}");
        }
    }

    #[test]
    fn numbers_beyond_sixty_four_bits_are_refused() {
        for text in ["92233720368547758.08", "99999999999999999999", &"9".repeat(30), &"9".repeat(1_000_000)] {
            assert_eq!(problem(text, "EUR"), AmountProblem::TooLarge);
        }
    }

    #[test]
    fn the_message_quotes_the_text_and_tells_what_was_expected() {
        let message = |text: &str, code| parse_decimal_amount(text, currency(code)).expect_err(text).to_string();
        assert_eq!(
            message("1.234,56", "EUR"),
            "\"1.234,56\" is no amount: a number such as 19999.99, with a point before at most 2 decimals and without \
             thousands separators was expected"
        );
        assert_eq!(
            message("15.5", "JPY"),
            "\"15.5\" has more decimals than JPY: a whole number such as 1999, without thousands separators was expected"
        );
        assert!(message(&"9".repeat(30), "EUR").contains("at most 92233720368547758.07"));
        assert!(message("-1", "KWD").contains("1999.999"));
        assert!(message(&"x".repeat(1_000_000), "EUR").len() < 400);
    }

    #[test]
    fn all_decimals_of_the_currency_are_written() {
        for (amount, code, text) in [
            (0, "EUR", "0.00"),
            (5, "EUR", "0.05"),
            (-5, "EUR", "-0.05"),
            (2_000, "JPY", "2000"),
            (1, "CLF", "0.0001"),
            (i64::MIN, "KWD", "-9223372036854775.808"),
        ] {
            assert_eq!(format_decimal_amount(amount, currency(code)), text);
        }
    }

    fn any_currency() -> impl Strategy<Value = Currency> {
        prop::sample::select(["JPY", "EUR", "KWD", "CLF"].map(currency).to_vec())
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(amount in 0..=i64::MAX, currency in any_currency()) {
            let text = format_decimal_amount(amount, currency);
            prop_assert_eq!(parse_decimal_amount(&text, currency), Ok(amount));
        }

        #[test]
        fn zeros_around_a_number_change_nothing(
            amount in 0..=i64::MAX, currency in any_currency(), leading in 0..40_usize, trailing in 0..40_usize,
        ) {
            let text = format_decimal_amount(amount, currency);
            let point = if text.contains('.') || trailing == 0 { "" } else { "." };
            let padded = format!("{}{text}{point}{}", "0".repeat(leading), "0".repeat(trailing));
            prop_assert_eq!(parse_decimal_amount(&padded, currency), Ok(amount));
        }

        #[test]
        fn shortened_decimals_mean_the_same(amount in 0..=i64::MAX, currency in any_currency()) {
            let text = format_decimal_amount(amount, currency);
            let shortened = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
            prop_assert_eq!(parse_decimal_amount(shortened, currency), Ok(amount));
        }

        #[test]
        fn every_negative_number_is_refused_as_such(amount in i64::MIN..0, currency in any_currency()) {
            let error = parse_decimal_amount(&format_decimal_amount(amount, currency), currency);
            prop_assert_eq!(error.map_err(|error| error.problem), Err(AmountProblem::Negative));
        }

        #[test]
        fn any_text_is_read_or_refused_without_panic(text in any::<String>(), currency in any_currency()) {
            if let Ok(amount) = parse_decimal_amount(&text, currency) {
                prop_assert!(text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'));
                prop_assert!(amount >= 0);
            }
        }

        #[test]
        fn nearly_numeric_text_is_read_exactly_or_refused(text in "[0-9.,eE+ -]{1,24}", currency in any_currency()) {
            if let Ok(amount) = parse_decimal_amount(&text, currency) {
                let written = format_decimal_amount(amount, currency);
                let (whole, decimals) = text.split_once('.').unwrap_or((&text, ""));
                let (written_whole, written_decimals) = written.split_once('.').unwrap_or((&written, ""));
                prop_assert_eq!(whole.trim_start_matches('0'), written_whole.trim_start_matches('0'));
                prop_assert_eq!(decimals.trim_end_matches('0'), written_decimals.trim_end_matches('0'));
            }
        }
    }
}
