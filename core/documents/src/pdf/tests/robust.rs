//! Whatever a document says, there is a file, and always the same.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::{invoice, seller};
use stoa_kernel::i18n::Texts;

use crate::pdf::{Document, DocumentDiscount, DocumentKind, DocumentLine, DocumentOption, Seller, TaxLine, render};

#[test]
fn the_same_document_is_the_same_file() {
    let document = invoice("de", "de", "EUR");
    let first = render(&document, &Texts::built_in()).expect("it can be written");
    let others = std::thread::spawn(move || render(&document, &Texts::built_in()).expect("it can be written"));
    assert_eq!(first, others.join().expect("it ends"));
}

#[test]
fn a_file_holds_only_the_glyphs_it_needs() {
    let file = render(&invoice("de", "de", "EUR"), &Texts::built_in()).expect("it can be written");
    assert!(file.len() < 60_000, "{} bytes", file.len());
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[A-Za-z ]{0,30}",
        "\\PC{0,40}",
        any::<String>(),
        "[\\x00-\\x1f\u{80}-\u{9f}\u{200b}-\u{200f}\u{202a}-\u{202e}\u{2066}-\u{2069}\u{feff}\u{fff9}-\u{ffff}a]{0,12}",
        "[אבגد中文\u{300}-\u{36f}👩‍👧🏽\u{fe0f} a1]{0,30}",
        "[a-z]{200,300}",
    ]
}

fn any_line() -> impl Strategy<Value = DocumentLine> {
    let option = (any_text(), any_text()).prop_map(|(label, display)| DocumentOption { label, display });
    (any_text(), vec(option, 0..3), any::<[i64; 5]>()).prop_map(|(label, options, numbers)| {
        let [quantity, unit_amount, discount_amount, tax_rate, line_total_amount] = numbers;
        DocumentLine {
            label,
            options,
            quantity,
            unit_amount,
            discount_amount,
            tax_rate,
            line_total_amount,
            ..DocumentLine::default()
        }
    })
}

fn any_seller() -> impl Strategy<Value = Seller> {
    (any_text(), vec(any_text(), 0..9), vec(option::of(any_text()), 7)).prop_map(|(name, address, rest)| Seller {
        name,
        address,
        tax_id: rest[0].clone(),
        registration: rest[1].clone(),
        email: rest[2].clone(),
        bank: rest[3].clone(),
        iban: rest[4].clone(),
        footer: rest[5].as_ref().map(|text| text.repeat(20)),
        ..seller()
    })
}

prop_compose! {
    fn any_document()(
        texts in vec(any_text(), 8),
        seller in any_seller(),
        buyer in vec(any_text(), 0..20),
        ship_to in option::of(vec(any_text(), 0..6)),
        lines in vec(any_line(), 0..12),
        taxes in vec(any::<[i64; 3]>(), 0..4),
        amounts in any::<[i64; 4]>(),
        (is_invoice, prices_include_tax) in any::<(bool, bool)>(),
        (locale, currency) in prop::sample::select(vec![("en", "EUR"), ("ar-EG", "KWD"), ("ja", "JPY"), ("?", "UAH")]),
    ) -> Document {
        let [subtotal_amount, discount_amount, shipping_amount, total_amount] = amounts;
        let taxes = taxes.into_iter().map(|[rate, net_amount, tax_amount]| TaxLine { rate, net_amount, tax_amount });
        Document {
            kind: if is_invoice { DocumentKind::Invoice } else { DocumentKind::CreditNote },
            number: texts[0].clone(),
            order_number: texts[1].clone(),
            invoice_number: Some(texts[2].clone()),
            reason: Some(texts[3].clone()),
            language: texts[4].clone(),
            seller,
            buyer,
            ship_to,
            lines,
            subtotal_amount,
            discount_amount,
            discount_code: Some(texts[5].clone()),
            further_discounts: vec![DocumentDiscount { label: texts[1].clone(), amount: subtotal_amount }],
            shipping_amount,
            shipping_label: Some(texts[6].clone()),
            tax_lines: taxes.collect(),
            tax_amount: subtotal_amount,
            total_amount,
            prices_include_tax,
            note: Some(texts[7].repeat(10)),
            ..invoice("de", locale, currency)
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn any_document_can_be_written_and_read(document in any_document()) {
        let file = render(&document, &Texts::built_in()).expect("it can be written");
        let pdf = lopdf::Document::load_mem(&file).expect("it can be read");
        prop_assert!(!pdf.get_pages().is_empty());
    }
}
