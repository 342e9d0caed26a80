//! Amounts and slugs.

use stoa_kernel::money::Currency;

use super::super::amount::amount;
use super::super::slugs::{UsedNames, slugify};

fn currency(code: &str) -> Currency {
    Currency::from_code(code).expect("a code of ISO 4217")
}

#[test]
fn amounts_are_read_in_the_currency_of_the_shop() {
    for (text, code, expected) in [
        ("50", "EUR", 5000),
        (" 9.99 ", "EUR", 999),
        ("9.9", "EUR", 990),
        ("0", "EUR", 0),
        ("007.10", "EUR", 710),
        ("9.9900", "EUR", 999),
        ("500.00", "JPY", 500),
        ("1.234", "KWD", 1234),
        ("100000000000.00", "EUR", 10_000_000_000_000),
    ] {
        assert_eq!(amount(text, currency(code)), Ok(expected), "{text}");
    }
}

#[test]
fn what_is_no_amount_is_refused_with_an_example() {
    for (text, code, expected) in [
        ("1.234,56", "EUR", "\"1.234,56\" is not an amount: write it like 1234.56"),
        ("1,5,0", "EUR", "\"1,5,0\" is not an amount: write it like 1234.56"),
        ("x", "JPY", "\"x\" is not an amount: write it like 1234"),
        (" ", "KWD", "is empty, but must be an amount such as 1234.567"),
        ("-1", "EUR", "\"-1\" is negative: a price is 0 or more"),
        ("9.999", "EUR", "\"9.999\" has more than the 2 decimals of the shop's currency"),
        ("100000000000.01", "EUR", "\"100000000000.01\" is too large: at most 10000000000000 minor units"),
    ] {
        assert_eq!(amount(text, currency(code)), Err(expected.to_owned()), "{text}");
    }
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
    let mut taken = UsedNames::default();
    let candidates = ["a".to_owned(), "a-sku".to_owned()];
    let mut names = || taken.claim_name(&candidates, 191).expect("a candidate");
    assert_eq!([names(), names(), names(), names()], ["a", "a-sku", "a-2", "a-3"]);
    let mut taken = UsedNames::default();
    let mut names = || taken.claim_name(&["abcdef".to_owned()], 6).expect("a candidate");
    assert_eq!([names(), names()], ["abcdef", "abcd-2"]);
}
