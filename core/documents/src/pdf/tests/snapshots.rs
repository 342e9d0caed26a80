//! The whole text of documents in each language, in the order in which programs extract it.

use insta::assert_snapshot;

use super::{credit_note, invoice, text};

#[test]
fn an_invoice_in_english() {
    assert_snapshot!(text(&invoice("en", "en", "EUR")));
}

#[test]
fn an_invoice_in_german() {
    assert_snapshot!(text(&invoice("de", "de", "UAH")));
}

#[test]
fn an_invoice_in_dutch() {
    let mut document = invoice("nl", "nl", "EUR");
    document.prices_include_tax = false;
    document.paid_at = chrono::DateTime::from_timestamp(1_773_000_000, 0);
    assert_snapshot!(text(&document));
}

#[test]
fn a_credit_note_in_english() {
    assert_snapshot!(text(&credit_note("en", "en")));
}

#[test]
fn a_credit_note_in_german() {
    assert_snapshot!(text(&credit_note("de", "de-AT")));
}

#[test]
fn a_credit_note_in_dutch() {
    assert_snapshot!(text(&credit_note("nl", "nl")));
}
