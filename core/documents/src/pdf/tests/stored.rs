//! The snapshot in the database: read for as long as the shop exists.

use serde_json::{Value, json};

use stoa_kernel::config::SellerConfig;
use stoa_kernel::i18n::{Language, Texts};

use super::{credit_note, invoice};
use crate::pdf::{Document, Seller, render};

#[test]
fn a_stored_document_is_read_as_it_was_written() {
    for document in [invoice("de", "de-DE", "EUR"), credit_note("en", "en")] {
        let stored = serde_json::to_string(&document).expect("it can be stored");
        assert_eq!(serde_json::from_str::<Document>(&stored).expect("it can be read"), document);
    }
}

#[test]
fn members_that_came_later_are_passed_over_and_missing_ones_have_defaults() {
    let mut stored = serde_json::to_value(invoice("de", "de", "EUR")).expect("it can be stored");
    stored["added_later"] = json!({ "x": 1 });
    stored["lines"][0]["added_later"] = json!(true);
    stored["seller"]["added_later"] = Value::Null;
    assert_eq!(serde_json::from_value::<Document>(stored).expect("it can be read"), invoice("de", "de", "EUR"));

    let bare = json!({ "kind": "credit_note", "number": "C-1", "issued_at": "2026-03-01", "currency": "EUR",
        "lines": [{ "label": "Lamp" }] });
    let bare: Document = serde_json::from_value(bare).expect("it can be read");
    assert_eq!((bare.total_amount, bare.lines[0].quantity), (0, 0));
    assert!(render(&bare, &Texts::built_in()).is_ok());
}

#[test]
fn amounts_and_days_are_stored_in_their_plainest_form() {
    let stored = serde_json::to_value(credit_note("en", "en")).expect("it can be stored");
    assert_eq!(stored["kind"], "credit_note");
    assert_eq!(stored["issued_at"], "2026-03-01");
    assert_eq!(stored["paid_at"], "2026-03-08T20:00:00Z");
    assert_eq!(stored["currency"], "EUR");
    assert_eq!(stored["lines"][0]["tax_rate"], 1900);
}

#[test]
fn a_seller_without_a_name_has_that_of_the_shop() {
    assert_eq!(Seller::new(&SellerConfig::default(), "Lamps", Language::EN).name, "Lamps");
    let config = SellerConfig { name: Some("Lamps Ltd".to_owned()), ..SellerConfig::default() };
    assert_eq!(Seller::new(&config, "Lamps", Language::EN).name, "Lamps Ltd");
}
