//! Amounts and slugs.

use super::super::amount::{AmountError, amount, parse_amount};
use super::super::slugs::{Taken, slugify};

#[test]
fn amounts_are_read_in_the_currency_of_the_shop() {
    for (text, digits, expected) in [
        ("50", 2, 5000),
        ("9.99", 2, 999),
        ("9.9", 2, 990),
        ("1234.5", 2, 123_450),
        ("0", 2, 0),
        ("0.00", 2, 0),
        (".5", 2, 50),
        ("5.", 2, 500),
        ("007.10", 2, 710),
        ("9.9900", 2, 999),
        ("500", 0, 500),
        ("500.00", 0, 500),
        ("1.234", 3, 1234),
        ("100000000000.00", 2, 10_000_000_000_000),
    ] {
        assert_eq!(parse_amount(text, digits), Ok(expected), "{text}");
    }
}

#[test]
fn what_is_no_amount_is_refused() {
    use AmountError::{Negative, NotAnAmount, TooLarge, TooPrecise};
    let thirty = "9".repeat(30);
    for (text, digits, expected) in [
        ("abc", 2, NotAnAmount),
        ("1.234,56", 2, NotAnAmount),
        ("1,234.56", 2, NotAnAmount),
        ("1,5,0", 2, NotAnAmount),
        ("12,5O", 2, NotAnAmount),
        ("1e3", 2, NotAnAmount),
        ("+1", 2, NotAnAmount),
        ("$1", 2, NotAnAmount),
        ("1 000", 2, NotAnAmount),
        ("1.2.3", 2, NotAnAmount),
        ("", 2, NotAnAmount),
        (".", 2, NotAnAmount),
        ("-", 2, NotAnAmount),
        ("٣", 2, NotAnAmount),
        ("NaN", 2, NotAnAmount),
        ("0x10", 2, NotAnAmount),
        ("-1", 2, Negative),
        ("-0.01", 2, Negative),
        ("9.999", 2, TooPrecise),
        ("5.5", 0, TooPrecise),
        (thirty.as_str(), 2, TooLarge),
        ("100000000000.01", 2, TooLarge),
    ] {
        assert_eq!(parse_amount(text, digits), Err(expected), "{text}");
    }
}

#[test]
fn a_refused_amount_is_told_with_an_example() {
    assert_eq!(
        amount("1.234,56", 2),
        Err("\"1.234,56\" is not an amount: write it like 1234.56".to_owned())
    );
    assert_eq!(amount("x", 0), Err("\"x\" is not an amount: write it like 1234".to_owned()));
    assert_eq!(amount(" ", 3), Err("is empty, but must be an amount such as 1234.567".to_owned()));
    assert_eq!(amount("-1", 2), Err("\"-1\" is negative: a price is 0 or more".to_owned()));
}

#[test]
fn slugs_are_made_from_names() {
    for (name, expected) in [
        ("T-Shirt with  Logo", Some("t-shirt-with-logo")),
        ("  Women's — Crème brûlée! ", Some("womens-crème-brûlée")),
        ("Small / Red", Some("small-red")),
        ("Λάμπα ΣΑΣ", Some("λάμπα-σας")),
        ("茶 ☕ 2", Some("茶-2")),
        ("हिन्दी", Some("हिन्दी")),
        ("e\u{301}tude", Some("étude")),
        ("½ ⅷ Ⅷ", None),
        ("+++", None),
        ("", None),
    ] {
        assert_eq!(slugify(name, 191).as_deref(), expected, "{name}");
    }
    assert_eq!(slugify("ab cd ef", 5).as_deref(), Some("ab-cd"));
    assert_eq!(slugify("ab cd ef", 6).as_deref(), Some("ab-cd"));
}

#[test]
fn a_slug_that_was_taken_gets_the_next_candidate_and_then_a_number() {
    let mut taken = Taken::default();
    let candidates = ["a".to_owned(), "a-sku".to_owned()];
    let mut names = || taken.take(&candidates, 191).expect("a candidate");
    assert_eq!([names(), names(), names(), names()], ["a", "a-sku", "a-2", "a-3"]);
    let mut taken = Taken::default();
    let mut names = || taken.take(&["abcdef".to_owned()], 6).expect("a candidate");
    assert_eq!([names(), names()], ["abcdef", "abcd-2"]);
}
