//! Amounts as people type them, at a command line and in forms.

use super::{AmountProblem, MoneyFormatter, format_decimal_amount};
use crate::excerpt::excerpt;

/// Digits between two separators of thousands.
const GROUP: usize = 3;

/// Reads an amount as it is typed at a command line: with a point before the decimals of the currency (`179.00`, `179.5`), or
/// as a whole number of minor units (`17900`).
///
/// Blanks around it are trimmed. Everything else is refused, since a guess about money is worse than a question: commas,
/// separators of thousands, signs of currencies, exponents, and more decimals than the currency has, zeros included, because
/// `5.000` is five to some and five thousand to others. The error says what was probably meant.
pub fn parse_typed_amount(text: &str, money: &MoneyFormatter) -> Result<i64, TypedAmountError> {
    let text = text.trim();
    let digits = usize::from(money.currency().minor_digits());
    minor_units(text, digits)
        .map_err(|problem| TypedAmountError(explanation(text, problem, Typed::AtCommandLine, money)))
}

/// Reads an amount as it is typed into a form, where nobody thinks of minor units: a whole number is one of the currency itself
/// (`179` is `179.00`), and a comma may stand for the point (`12,50`).
///
/// A comma before three digits is refused, since it may set thousands apart; all else is as [`parse_typed_amount`] has it.
pub fn parse_form_amount(text: &str, money: &MoneyFormatter) -> Result<i64, TypedAmountError> {
    let text = text.trim();
    let digits = usize::from(money.currency().minor_digits());
    let amount = match text.split_once(',') {
        Some((whole, decimals)) if is_number(whole) && is_number(decimals) && decimals.len() < GROUP && digits > 0 => {
            counted(whole, decimals, digits)
        }
        _ if is_number(text) => counted(text, "", digits),
        _ => minor_units(text, digits),
    };
    amount.map_err(|problem| TypedAmountError(explanation(text, problem, Typed::InForm, money)))
}

/// Where an amount was typed.
#[derive(Debug, Clone, Copy)]
enum Typed {
    AtCommandLine,
    InForm,
}

/// Why a typed text is no amount: a clause that quotes the text and says how amounts are typed, or what was probably meant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TypedAmountError(String);

fn minor_units(text: &str, digits: usize) -> Result<i64, AmountProblem> {
    if text.is_empty() {
        return Err(AmountProblem::Empty);
    }
    if text.starts_with(['-', '\u{2212}']) {
        return Err(AmountProblem::Negative);
    }
    if is_number(text) {
        return counted(text, "", 0);
    }
    match text.split_once('.') {
        Some((whole, decimals)) if is_number(whole) && is_number(decimals) => counted(whole, decimals, digits),
        _ => Err(AmountProblem::NotDecimal),
    }
}

/// The number of minor units of these digits, of which the latter are decimals.
fn counted(whole: &str, decimals: &str, digits: usize) -> Result<i64, AmountProblem> {
    let missing = digits.checked_sub(decimals.len()).ok_or(AmountProblem::TooManyDecimals)?;
    let all = whole.bytes().chain(decimals.bytes()).chain(std::iter::repeat_n(b'0', missing));
    all.map(|digit| i64::from(digit - b'0'))
        .try_fold(0_i64, |amount, digit| amount.checked_mul(10)?.checked_add(digit))
        .ok_or(AmountProblem::TooLarge)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn explanation(text: &str, problem: AmountProblem, typed: Typed, money: &MoneyFormatter) -> String {
    let currency = money.currency();
    let digits = currency.minor_digits();
    let quoted = format!("\"{}\"", excerpt(text));
    let wrong = match problem {
        AmountProblem::Empty => String::from("the amount is empty"),
        AmountProblem::Negative => format!("{quoted} is below zero"),
        AmountProblem::NotDecimal => format!("{quoted} is no amount"),
        AmountProblem::TooManyDecimals if digits == 0 => format!("{quoted} has decimals, and {currency} has none"),
        AmountProblem::TooManyDecimals => format!("{quoted} has more than the {digits} decimals of {currency}"),
        AmountProblem::TooLarge => format!("{quoted} is too large"),
    };
    let shown = |amount: i64| format!("{} ({})", format_decimal_amount(amount, currency), money.format(amount));
    let meant = match problem {
        AmountProblem::TooManyDecimals if digits > 0 => with_zeros(text, money),
        AmountProblem::NotDecimal | AmountProblem::TooManyDecimals => meanings(text, money),
        AmountProblem::Empty | AmountProblem::Negative | AmountProblem::TooLarge => Vec::new(),
    };
    if !meant.is_empty() {
        let meant = meant.into_iter().map(shown).collect::<Vec<_>>().join(" or ");
        return format!("{wrong}; did you mean {meant}?");
    }
    let example = money.format(EXAMPLE);
    if digits == 0 {
        return format!("{wrong}; type a whole number, such as {EXAMPLE} for {example}");
    }
    let decimal = format_decimal_amount(EXAMPLE, currency);
    match typed {
        Typed::AtCommandLine => format!(
            "{wrong}; type it with a point, such as {decimal}, or in the smallest unit, such as {EXAMPLE}; both are {example}"
        ),
        Typed::InForm => {
            let whole = decimal.split('.').next().unwrap_or_default();
            format!("{wrong}; type an amount in {currency}, such as {decimal} or {whole}")
        }
    }
}

/// The amount of examples, in minor units.
const EXAMPLE: i64 = 17_900;

/// What somebody means who writes money in another way: `1.234,56`, `€ 5`, `5,00`. None when that cannot be told.
fn meanings(text: &str, money: &MoneyFormatter) -> Vec<i64> {
    let Some(number) = without_sign(text, money) else { return Vec::new() };
    let digits = usize::from(money.currency().minor_digits());
    // A whole number is one of the major unit here: whoever writes a sign or separates thousands does not count cents.
    let whole = in_groups(number).and_then(|whole| counted(&whole, "", digits).ok());
    let mut meant = [with_decimals(number, digits), whole].into_iter().flatten().collect::<Vec<_>>();
    meant.dedup();
    meant
}

/// What somebody means who writes decimals that the currency has not: thousands, or zeros too many. None where that would be a thousand
/// times as much as what was typed, and nothing else is possible.
fn with_zeros(text: &str, money: &MoneyFormatter) -> Vec<i64> {
    let digits = usize::from(money.currency().minor_digits());
    let decimal = text.split_once('.').and_then(|(whole, decimals)| {
        let (kept, rest) = decimals.split_at_checked(digits)?;
        rest.bytes().all(|digit| digit == b'0').then(|| counted(whole, kept, digits).ok())?
    });
    decimal.into_iter().flat_map(|decimal| [decimal].into_iter().chain(meanings(text, money))).collect()
}

/// The number alone, of a text that may have the currency's own sign or code on one side.
fn without_sign<'a>(text: &'a str, money: &MoneyFormatter) -> Option<&'a str> {
    let number = text.trim_matches(|letter: char| !letter.is_ascii_digit());
    let (before, after) = text.split_once(number).filter(|_| !number.is_empty())?;
    let is_sign = |letter: &char| !letter.is_ascii_digit() && !matches!(letter, '.' | ',');
    let sign = money.format(0).chars().filter(is_sign).collect::<String>();
    let own = |side: &str| {
        let side = side.trim();
        side.is_empty() || side == sign.trim() || side.eq_ignore_ascii_case(money.currency().code())
    };
    let decimals_left_out = |side: &str| matches!(side, ".-" | ",-" | ".–" | ",–" | "." | ",");
    (own(before) && (own(after) || decimals_left_out(after.trim()))).then_some(number)
}

/// Read as a number whose last point or comma stands before decimals.
fn with_decimals(number: &str, digits: usize) -> Option<i64> {
    let place = number.rfind(['.', ','])?;
    let (whole, decimals) = (&number[..place], &number[place + 1..]);
    let separator = number[place..].chars().next()?;
    if decimals.len() > digits || !is_number(decimals) || whole.contains(separator) {
        return None;
    }
    let whole = in_groups(whole)?;
    counted(&whole, decimals, digits).ok()
}

/// Read as a whole number, whose thousands may be set apart by one kind of separator.
fn in_groups(number: &str) -> Option<String> {
    if is_number(number) {
        return Some(number.to_owned());
    }
    let separator = number.chars().find(|letter| !letter.is_ascii_digit())?;
    if !matches!(separator, '.' | ',' | '\'' | '\u{2019}' | '_' | ' ' | '\u{a0}' | '\u{202f}') {
        return None;
    }
    let groups = number.split(separator).collect::<Vec<_>>();
    let (first, rest) = groups.split_first()?;
    let fits = (1..=GROUP).contains(&first.len()) && rest.iter().all(|group| group.len() == GROUP);
    (fits && groups.iter().all(|group| is_number(group))).then(|| groups.concat())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::money::Currency;

    fn money(code: &str) -> MoneyFormatter {
        let currency = Currency::from_code(code).expect("a code of ISO 4217");
        MoneyFormatter::new("en", currency).expect("a locale of CLDR")
    }

    fn told(text: &str, code: &str) -> String {
        parse_typed_amount(text, &money(code)).expect_err(text).to_string()
    }

    #[test]
    fn a_point_sets_off_decimals_and_a_whole_number_counts_the_smallest_unit() {
        for (text, code, amount) in [
            ("179.00", "EUR", 17_900),
            ("179.5", "EUR", 17_950),
            ("0.01", "EUR", 1),
            ("0.00", "EUR", 0),
            ("17900", "EUR", 17_900),
            (" 5.00 ", "EUR", 500),
            ("0", "EUR", 0),
            ("1500", "JPY", 1_500),
            ("1.500", "KWD", 1_500),
            ("1.5", "KWD", 1_500),
            ("92233720368547758.07", "EUR", i64::MAX),
        ] {
            assert_eq!(parse_typed_amount(text, &money(code)), Ok(amount), "{text} {code}");
        }
    }

    #[test]
    fn in_a_form_a_whole_number_is_one_of_the_currency_and_a_comma_may_stand_for_the_point() {
        for (text, code, amount) in [
            ("5.00", "EUR", 500),
            ("5.5", "EUR", 550),
            (" 49 ", "EUR", 4_900),
            ("12,50", "EUR", 1_250),
            ("12,5", "EUR", 1_250),
            ("0", "EUR", 0),
            ("5", "JPY", 5),
            ("1500", "KWD", 1_500_000),
            ("1,5", "KWD", 1_500),
        ] {
            assert_eq!(parse_form_amount(text, &money(code)), Ok(amount), "{text} {code}");
        }
    }

    #[test]
    fn a_form_refuses_what_may_mean_two_things_and_says_what_it_takes() {
        for (text, code, told) in [
            ("abc", "EUR", "\"abc\" is no amount; type an amount in EUR, such as 179.00 or 179"),
            ("", "EUR", "the amount is empty; type an amount in EUR, such as 179.00 or 179"),
            ("-5", "EUR", "\"-5\" is below zero; type an amount in EUR, such as 179.00 or 179"),
            ("5,000", "EUR", "\"5,000\" is no amount; did you mean 5000.00 (€5,000.00)?"),
            ("1.234,56", "EUR", "\"1.234,56\" is no amount; did you mean 1234.56 (€1,234.56)?"),
            (
                "1,500",
                "KWD",
                "\"1,500\" is no amount; did you mean 1.500 (KWD\u{a0}1.500) or 1500.000 (KWD\u{a0}1,500.000)?",
            ),
            ("1,500", "JPY", "\"1,500\" is no amount; did you mean 1500 (¥1,500)?"),
            ("ten", "JPY", "\"ten\" is no amount; type a whole number, such as 17900 for ¥17,900"),
        ] {
            assert_eq!(parse_form_amount(text, &money(code)).expect_err(text).to_string(), told, "{text} {code}");
        }
    }

    #[test]
    fn who_writes_money_in_another_way_is_told_how_to_type_it() {
        for (text, code, words) in [
            ("5,00", "EUR", "\"5,00\" is no amount; did you mean 5.00 (€5.00)?"),
            ("1.234,56", "EUR", "did you mean 1234.56 (€1,234.56)?"),
            ("1,234.56", "EUR", "did you mean 1234.56 (€1,234.56)?"),
            ("1'234.50", "CHF", "did you mean 1234.50 (CHF\u{a0}1,234.50)?"),
            ("1 234,5", "EUR", "did you mean 1234.50 (€1,234.50)?"),
            ("1,234", "EUR", "did you mean 1234.00 (€1,234.00)?"),
            ("€5", "EUR", "did you mean 5.00 (€5.00)?"),
            ("5 EUR", "EUR", "did you mean 5.00 (€5.00)?"),
            ("eur 5,5", "EUR", "did you mean 5.50 (€5.50)?"),
            ("179.-", "EUR", "did you mean 179.00 (€179.00)?"),
            (
                "5.0050",
                "EUR",
                "\"5.0050\" has more than the 2 decimals of EUR; type it with a point, such as 179.00, or in the smallest unit, such as 17900; both are €179.00",
            ),
            (
                "5.000",
                "EUR",
                "\"5.000\" has more than the 2 decimals of EUR; did you mean 5.00 (€5.00) or 5000.00 (€5,000.00)?",
            ),
            (
                "12.505",
                "EUR",
                "\"12.505\" has more than the 2 decimals of EUR; type it with a point, such as 179.00, or in the smallest unit, such as 17900; both are €179.00",
            ),
            ("1.500", "JPY", "\"1.500\" has decimals, and JPY has none; did you mean 1500 (¥1,500)?"),
            ("1,500", "KWD", "did you mean 1.500 (KWD\u{a0}1.500) or 1500.000 (KWD\u{a0}1,500.000)?"),
        ] {
            assert!(told(text, code).ends_with(words), "{text}: {}", told(text, code));
        }
    }

    #[test]
    fn what_cannot_be_guessed_is_answered_with_an_example() {
        const HOW: &str =
            "; type it with a point, such as 179.00, or in the smallest unit, such as 17900; both are €179.00";
        for (text, wrong) in [
            ("", "the amount is empty"),
            ("five", "\"five\" is no amount"),
            ("1e3", "\"1e3\" is no amount"),
            ("5,00,0", "\"5,00,0\" is no amount"),
            ("1.2.3", "\"1.2.3\" is no amount"),
            ("+5", "\"+5\" is no amount"),
            ("$5", "\"$5\" is no amount"),
            ("5 USD", "\"5 USD\" is no amount"),
            (".5", "\".5\" is no amount"),
            ("٥", "\"٥\" is no amount"),
            ("-5.00", "\"-5.00\" is below zero"),
            ("\u{2212}5", "\"\u{2212}5\" is below zero"),
            ("92233720368547758.08", "\"92233720368547758.08\" is too large"),
        ] {
            assert_eq!(told(text, "EUR"), format!("{wrong}{HOW}"), "{text}");
        }
        assert_eq!(told("ten", "JPY"), "\"ten\" is no amount; type a whole number, such as 17900 for ¥17,900");
        assert!(told(&"9".repeat(1_000_000), "EUR").len() < 400);
    }

    fn any_money() -> impl Strategy<Value = MoneyFormatter> {
        prop::sample::select(vec!["JPY", "EUR", "KWD", "CLF"]).prop_map(money)
    }

    proptest! {
        #[test]
        fn an_amount_reads_back_with_decimals_and_without(amount in 0..=i64::MAX, money in any_money()) {
            let decimal = format_decimal_amount(amount, money.currency());
            prop_assert_eq!(parse_typed_amount(&decimal, &money), Ok(amount));
            prop_assert_eq!(parse_typed_amount(&amount.to_string(), &money), Ok(amount));
        }

        #[test]
        fn what_customers_see_is_never_taken_for_something_else(amount in 0..=i64::MAX, money in any_money()) {
            let shown = money.format(amount);
            match parse_typed_amount(&shown, &money) {
                Ok(read) => prop_assert_eq!(read, amount),
                Err(error) => {
                    let typed = format_decimal_amount(amount, money.currency());
                    let message = error.to_string();
                    prop_assert!(message.contains(&format!("{typed} (")), "{}", message);
                }
            }
        }

        #[test]
        fn nothing_below_zero_is_read(amount in i64::MIN..0, money in any_money()) {
            let told = parse_typed_amount(&format_decimal_amount(amount, money.currency()), &money);
            prop_assert!(told.is_err_and(|error| error.to_string().contains("is below zero")));
        }

        #[test]
        fn a_decimal_too_many_is_refused(amount in 0..1_000_000_000_i64, digit in 0..10_u8, money in any_money()) {
            let decimal = format_decimal_amount(amount, money.currency());
            let point = if decimal.contains('.') { "" } else { "." };
            let text = format!("{decimal}{point}{digit}");
            prop_assert!(parse_typed_amount(&text, &money).is_err(), "{}", text);
        }

        #[test]
        fn any_text_is_read_exactly_or_refused_with_a_way_to_type_it(text in any::<String>(), money in any_money()) {
            match parse_typed_amount(&text, &money) {
                Ok(amount) => {
                    prop_assert!(amount >= 0);
                    prop_assert!(text.trim().bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'));
                }
                Err(error) => prop_assert!(error.to_string().contains(|letter: char| letter.is_ascii_digit())),
            }
        }

        #[test]
        fn nearly_an_amount_is_read_exactly_or_refused(text in "[0-9.,' €-]{1,16}", money in any_money()) {
            if let Ok(amount) = parse_typed_amount(&text, &money) {
                let text = text.trim();
                match text.split_once('.') {
                    None => prop_assert_eq!(text.parse::<i64>(), Ok(amount)),
                    Some((whole, decimals)) => {
                        let digits = usize::from(money.currency().minor_digits());
                        let padded = format!("{whole}{decimals:0<digits$}");
                        prop_assert_eq!(padded.parse::<i64>(), Ok(amount));
                    }
                }
            }
        }
    }
}
