//! Pages, columns and characters.

use chrono::DateTime;

use super::{credit_note, invoice, pages, text};
use stoa_kernel::i18n::Texts;

use crate::pdf::{DocumentDiscount, render};

#[test]
fn umlauts_cyrillic_and_signs_of_currencies_can_be_read() {
    let said = text(&invoice("de", "uk", "UAH"));
    for part in ["Übermut Leuchten GmbH", "Straße des 17. Juni 135", "Größler", "Соломія Їжаченко", "01001 Київ", "₴"]
    {
        assert!(said.contains(part), "{part} is in\n{said}");
    }
    assert!(text(&invoice("en", "en", "EUR")).contains("€259.00"));
}

#[test]
fn amounts_have_the_decimals_of_their_currency() {
    let yen = text(&invoice("en", "en", "JPY"));
    assert!(yen.contains("¥24,105") && yen.contains("-¥2,590"), "{yen}");
    let dinar = text(&invoice("en", "en", "KWD"));
    assert!(dinar.contains("KWD\u{a0}24.105"), "{dinar}");
}

#[test]
fn two_hundred_lines_break_into_pages_with_a_head_each() {
    let mut document = invoice("en", "en", "EUR");
    let line = document.lines[1].clone();
    document.lines = (1..=200)
        .map(|index| {
            let mut line = line.clone();
            line.label = format!("Postcard number {index}.");
            line
        })
        .collect();
    let pages = pages(&document);
    assert!((5..=9).contains(&pages.len()), "{} pages", pages.len());
    for (index, page) in pages.iter().enumerate() {
        assert!(page.contains(&format!("Page {} of {}", index + 1, pages.len())), "{page}");
        assert_eq!(page.contains("Description"), page.contains("Postcard number"), "{page}");
        assert!(page.contains("DE123456789"), "{page}");
    }
    let all = pages.concat();
    for index in 1..=200 {
        assert_eq!(all.matches(&format!("Postcard number {index}.")).count(), 1);
    }
}

#[test]
fn a_label_of_any_length_is_there_as_a_whole() {
    let mut document = invoice("en", "en", "EUR");
    let words: Vec<_> = (0..2_000).map(|number| format!("word{number}")).collect();
    document.lines[0].label = words.join(" ");
    document.lines[1].label = "x".repeat(400);
    let said = text(&document);
    assert!(words.iter().all(|word| said.contains(word)));
    assert!(said.matches('x').count() >= 400);
}

#[test]
fn characters_without_a_glyph_are_boxes_that_keep_their_text() {
    let mut document = invoice("en", "en", "EUR");
    document.buyer = vec!["王小明".to_owned(), "שלום עולם".to_owned(), "a\u{0}b\u{7}c\u{202e}d".to_owned()];
    let file = render(&document, &Texts::built_in()).expect("it can be written");
    assert!(!file.is_empty());
    assert!(text(&document).contains("abcd"));
}

#[test]
fn no_line_of_an_address_is_lost() {
    let mut document = invoice("en", "en", "EUR");
    document.buyer = (0..70).map(|index| format!("Building {index}, a very long way from everything else.")).collect();
    let pages = pages(&document);
    assert!(pages.len() > 1);
    let said = pages.concat();
    assert!((0..70).all(|index| said.contains(&format!("Building {index},"))), "{said}");
}

#[test]
fn an_address_of_delivery_is_named_only_where_it_differs() {
    let mut document = invoice("en", "en", "EUR");
    assert!(text(&document).contains("Delivery address"));
    document.ship_to = Some(document.buyer.clone());
    assert!(!text(&document).contains("Delivery address"));
}

#[test]
fn a_credit_note_names_its_invoice_and_reason() {
    let said = text(&credit_note("en", "en"));
    assert!(said.contains("Credit note C-2026-000003") && said.contains("F-2026-000042"), "{said}");
    assert!(said.contains("Reason: Glass was broken") && said.contains("Refunded on 8 March 2026."), "{said}");
}

#[test]
fn an_invoice_says_what_is_to_be_paid_until_it_is() {
    let mut document = invoice("en", "en", "EUR");
    assert!(text(&document).contains("Amount due: €241.05."));
    document.paid_at = chrono::DateTime::from_timestamp(1_773_000_000, 0);
    let said = text(&document);
    assert!(said.contains("Paid on 8 March 2026.") && !said.contains("Amount due"), "{said}");
    document.paid_at = None;
    document.total_amount = 0;
    assert!(!text(&document).contains("Amount due"));
}

#[test]
fn an_unknown_locale_falls_back_to_the_language() {
    assert_eq!(text(&invoice("de", "no such locale", "EUR")), text(&invoice("de", "de", "EUR")));
}

#[test]
fn the_file_names_title_language_and_level_of_archiving() {
    let file = render(&invoice("de", "de", "EUR"), &Texts::built_in()).expect("it can be written");
    let pdf = lopdf::Document::load_mem(&file).expect("it can be read");
    let catalog = pdf.catalog().expect("it has a catalog");
    assert_eq!(catalog.get(b"Lang").and_then(lopdf::Object::as_str).expect("a language"), b"de");
    assert!(catalog.get(b"StructTreeRoot").is_ok() && catalog.get(b"OutputIntents").is_ok());
    let metadata = catalog.get(b"Metadata").and_then(lopdf::Object::as_reference).expect("there is metadata");
    let metadata = pdf.get_object(metadata).and_then(lopdf::Object::as_stream).expect("it is a stream");
    let metadata = String::from_utf8_lossy(&metadata.content);
    assert!(metadata.contains("Rechnung F-2026-000042"), "{metadata}");
    assert!(metadata.contains("<pdfaid:part>3</pdfaid:part>"), "{metadata}");
}

#[test]
fn each_row_of_the_totals_is_headed_by_what_its_amount_is() {
    let file = render(&invoice("en", "en", "EUR"), &Texts::built_in()).expect("it can be written");
    let pdf = lopdf::Document::load_mem(&file).expect("it can be read");
    let heads = |scope: &[u8]| {
        let attributes =
            pdf.objects.values().filter_map(|object| object.as_dict().ok()?.get(b"A").ok()?.as_array().ok());
        let scopes = attributes.flatten().filter_map(|attribute| attribute.as_dict().ok()?.get(b"Scope").ok());
        scopes.filter(|found| found.as_name().is_ok_and(|found| found == scope)).count()
    };
    // Subtotal, discount, shipping, total and tax; and the columns of the lines and of the taxes.
    assert_eq!((heads(b"Row"), heads(b"Column")), (5, 5 + 4));
}

#[test]
fn a_cancelled_invoice_asks_for_nothing() {
    let mut document = invoice("en", "en", "EUR");
    assert!(text(&document).contains("Amount due"));
    document.cancelled_at = DateTime::from_timestamp(1_773_000_000, 0);
    let text = text(&document);
    assert!(text.contains("Cancelled on 8 March 2026") && !text.contains("Amount due"), "{text}");
}

#[test]
fn a_discount_with_a_name_has_a_row_of_its_own_beside_that_of_the_code() {
    let mut document = invoice("en", "en", "EUR");
    document.further_discounts = vec![DocumentDiscount { label: String::from("Bundle"), amount: 590 }];
    let said = text(&document);
    for row in ["Discount (SPRING10)", "-€20.00", "Bundle", "-€5.90"] {
        assert!(said.contains(row), "{row} is in\n{said}");
    }
    document.further_discounts[0].amount = document.discount_amount;
    assert!(!text(&document).contains("SPRING10"), "nothing is left for the code");
}

#[test]
fn whoever_owes_the_tax_is_told_in_their_language() {
    for (language, sentence) in
        [("en", "Reverse charge"), ("de", "Steuerschuldnerschaft des Leistungsempfängers"), ("nl", "Btw verlegd")]
    {
        for mut document in [invoice(language, language, "EUR"), credit_note(language, language)] {
            assert!(!text(&document).contains(sentence), "{language}");
            document.buyer_vat_id = Some(String::from("FR40303265045"));
            document.reverse_charge = true;
            let said = text(&document);
            assert!(said.contains(sentence) && said.contains("FR40303265045"), "{said}");
        }
    }
}
