//! The dialog, with answers as somebody would type them.

use super::*;
use crate::cli::init::settings::settings;

/// Answers these lines, and gives what came of it with what was asked.
fn answered(lines: &str) -> (Answers, String) {
    let mut asked = Vec::new();
    let mut answers = Answers::default();
    answers.ask(&mut Dialog::new(lines.as_bytes(), &mut asked)).expect("there are answers to all questions");
    answers.settle();
    (answers, String::from_utf8(asked).expect("UTF-8"))
}

#[test]
fn what_is_usual_in_the_country_is_proposed_and_enter_takes_it() {
    let enter = "\n".repeat(17);
    let (answers, asked) = answered(&format!("Lamps of Leiden\nnl\n{enter}ada@example.com\n\n"));
    assert_eq!(answers.country.as_deref(), Some("NL"));
    for proposed in ["Currency of all prices [EUR]", "[nl-NL]", "Rate of tax in NL, in percent (0 for none) [21]"] {
        assert!(asked.contains(proposed), "{proposed} is missing in {asked}");
    }
    let text = settings(&answers);
    let expected =
        "[shop]\nname = \"Lamps of Leiden\"\ncurrency = \"EUR\"\nlocale = \"nl-NL\"\nconsumer_rights = \"eu\"\n";
    assert!(text.contains(expected), "{text}");
    assert!(text.contains("[tax]\nrates = { NL = 2100 }\n"), "{text}");
    assert!(text.contains("[modules.storefront]\nenabled = true\n"), "{text}");
    assert!(text.contains("[modules.documentation]\nenabled = true\n"), "{text}");
    assert!(text.contains("[console]\nenabled = true\n"), "{text}");
    assert_eq!(answers.owner.as_deref(), Some("ada@example.com"));
    assert!(asked.contains("Your name [ada]"), "{asked}");
    assert_eq!(answers.owner_name.as_deref(), Some("ada"));
}

#[test]
fn nobody_is_asked_for_a_name_who_gives_no_address_to_log_in_with() {
    let (answers, asked) = answered(&format!("Lamps of Leiden\nnl\n{}", "\n".repeat(18)));
    assert_eq!((answers.owner, answers.owner_name), (None, None));
    assert!(asked.contains("to log in with") && !asked.contains("Your name"), "{asked}");
}

#[test]
fn an_answer_that_cannot_be_used_is_asked_for_again_with_what_was_expected() {
    let mut asked = Vec::new();
    let mut dialog = Dialog::new("Holland\nNLD\nNL\n".as_bytes(), &mut asked);
    let mut country = None;
    dialog.fill(&mut country, "Country", "", super::country).expect("it is answered");
    assert_eq!(country.as_deref(), Some("NL"));
    let asked = String::from_utf8(asked).expect("UTF-8");
    assert_eq!(asked.matches("expected the two letters of a country").count(), 2, "{asked}");
}

#[test]
fn answers_that_break_off_write_nothing() {
    let mut asked = Vec::new();
    let mut answers = Answers::default();
    let failed = answers.ask(&mut Dialog::new("Lamps\nNL\n".as_bytes(), &mut asked)).expect_err("it breaks off");
    assert_eq!(failed.to_string(), "there was no answer; nothing was written");
}

#[test]
fn rates_are_percent_and_ibans_are_looked_at() {
    for (text, rate) in [("21", 2100), ("8.1", 810), ("25,5 %", 2550), ("0", 0), ("100", 10_000)] {
        assert_eq!(hundredths(text), Some(rate), "{text}");
    }
    for text in ["", "x", "-1", "101", "8.123", ".5", "1e2"] {
        assert_eq!(hundredths(text), None, "{text}");
    }
    assert_eq!(iban("nl91 abna 0417 1643 00").as_deref(), Ok("NL91ABNA0417164300"));
    for wrong in ["NL91ABNA0417164301", "NL91", "ÄÄ91ABNA0417164300", "91NLABNA0417164300"] {
        assert!(iban(wrong).is_err(), "{wrong}");
    }
    for wrong in ["shop.example.com", "https://shop.example.com/shop", "ftp://shop.example.com", "https://"] {
        assert!(web_address(wrong).is_err(), "{wrong}");
    }
}

/// Answers up to what is asked about PayPal, these about it, and Enter to all that follows.
fn with_paypal(answers: &str) -> String {
    let (answers, _) = answered(&format!("Lamps of Leiden\nnl\n{}{answers}{}", "\n".repeat(13), "\n".repeat(5)));
    let text = settings(&answers);
    text.parse::<toml::Table>().expect("it is TOML");
    text
}

#[test]
fn paypal_is_on_once_all_that_it_needs_is_known() {
    let text = with_paypal("AY-client\nsecret of PayPal\nEPayPalSecret\n5WH12345\n");
    let whole = "[payments.paypal]\nenabled = true\nclient_id = \"AY-client\"\nclient_secret = \"EPayPalSecret\"\nwebhook_id = \"5WH12345\"\n";
    assert!(text.contains(whole), "{text}");
    let text = with_paypal("AY-client\nEPayPalSecret\n\n");
    let part = "`enabled = true`.\n[payments.paypal]\nclient_id = \"AY-client\"\nclient_secret = \"EPayPalSecret\"\n";
    assert!(text.contains(part) && !text.contains("webhook_id ="), "{text}");
    assert!(!with_paypal("\n").contains("payments.paypal"), "nothing is known of it");
}

#[test]
fn an_account_tells_customers_where_to_pay() {
    let answers = Answers {
        iban: Some(String::from("NL91ABNA0417164300")),
        name: Some(String::from("A \"b\"")),
        ..Answers::default()
    };
    let text = settings(&answers);
    assert!(text.contains("iban = \"NL91ABNA0417164300\""), "{text}");
    assert!(!text.contains("instructions"), "what customers are told of the account is in their language: {text}");
    text.parse::<toml::Table>().expect("it is TOML");
}

#[test]
fn a_shop_without_tax_says_so() {
    let (country, tax) = (Some(String::from("NL")), Some(String::from("0")));
    let text = settings(&Answers { country, tax, ..Answers::default() });
    assert!(text.contains("[tax]\nrates = { NL = 0 }\n"), "{text}");
}
