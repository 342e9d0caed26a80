//! What documents say in the norm's terms.

use chrono::{DateTime, NaiveDate};
use en16931::DocumentReference;
use en16931_formats::{Policy, Recommendation, receive};

use stoa_kernel::i18n::Texts;
use stoa_kernel::money::Currency;

use super::{ElectronicInvoiceError, Syntax, electronic_invoice};
use crate::pdf::{Document, DocumentKind, DocumentLine, DocumentOption, PartyAddress, Seller, TaxLine, render};

/// Two lamps and three postcards at two rates, with a discount and shipping, sold from Berlin to Paris.
pub(crate) fn invoice() -> Document {
    let some = |text: &str| Some(text.to_owned());
    let line = |label: &str, quantity, unit_amount, discount_amount, tax_rate, tax_amount| DocumentLine {
        label: label.to_owned(),
        sku: some("L-1"),
        quantity,
        unit_amount,
        discount_amount,
        tax_rate,
        line_total_amount: quantity * unit_amount,
        tax_amount: Some(tax_amount),
        is_shipped: true,
        ..DocumentLine::default()
    };
    let mut lamp = line("Lamp <brass> & \u{1}„glass“", 2, 12_950, 2_590, 1_900, 3_722);
    lamp.options = vec![DocumentOption { label: "Color".to_owned(), display: "Green".to_owned() }];
    let document = serde_json::json!({ "kind": "invoice", "number": "INV-2026-000042", "issued_at": "2026-03-01",
        "currency": "EUR", "language": "de" });
    Document {
        order_number: "O-000117".to_owned(),
        seller: Seller {
            name: "Übermut Leuchten GmbH".to_owned(),
            street: some("Lampenweg 5"),
            postal_code: some("10115"),
            city: some("Berlin"),
            country: some("DE"),
            tax_id: some("DE123456789"),
            email: some("office@example.com"),
            phone: some("+49 30 1234567"),
            iban: some("DE89 3704 0044 0532 0130 00"),
            ..Seller::default()
        },
        buyer_address: Some(PartyAddress {
            name: "Anne Dupont".to_owned(),
            line1: "Rue de Rivoli 1".to_owned(),
            city: "Paris".to_owned(),
            postal_code: "75001".to_owned(),
            country: "FR".to_owned(),
            ..PartyAddress::default()
        }),
        buyer_email: some("anne@example.com"),
        delivery_address: Some(PartyAddress {
            city: "Lyon".to_owned(),
            postal_code: "69001".to_owned(),
            country: "FR".to_owned(),
            ..PartyAddress::default()
        }),
        payment_method: "manual".to_owned(),
        lines: vec![lamp, line("Postcard", 3, 100, 0, 700, 20)],
        subtotal_amount: 26_200,
        discount_amount: 2_590,
        discount_code: some("SPRING10"),
        shipping_amount: 495,
        shipping_label: some("DHL"),
        tax_lines: vec![
            TaxLine { rate: 1_900, net_amount: 20_004, tax_amount: 3_801 },
            TaxLine { rate: 700, net_amount: 280, tax_amount: 20 },
        ],
        tax_amount: 3_821,
        total_amount: 24_105,
        prices_include_tax: true,
        ..serde_json::from_value(document).expect("a document")
    }
}

/// The same where nobody charges tax.
fn untaxed() -> Document {
    let mut document = invoice();
    for line in &mut document.lines {
        (line.tax_rate, line.tax_amount) = (0, Some(0));
    }
    document.tax_lines.clear();
    document.tax_amount = 0;
    document
}

fn written(document: &Document, syntax: Syntax) -> String {
    electronic_invoice(document, &Texts::built_in(), syntax).expect("it has an electronic form")
}

fn refused(document: &Document, syntax: Syntax) -> ElectronicInvoiceError {
    electronic_invoice(document, &Texts::built_in(), syntax).expect_err("it has no electronic form")
}

/// Reads a document as somebody who gets it, and refuses what a rule of its profile forbids.
fn received(xml: &[u8]) -> en16931::Invoice {
    let received = receive(xml, &Policy::default());
    assert_eq!(received.recommendation, Recommendation::Accept, "{received}");
    received.invoice.expect("it is read")
}

#[test]
fn both_syntaxes_say_the_same_and_are_accepted_by_their_rules() {
    for document in [invoice(), untaxed()] {
        let cii = received(written(&document, Syntax::Cii).as_bytes());
        let mut ubl = received(written(&document, Syntax::Ubl).as_bytes());
        assert_eq!(cii.specification_id.as_deref(), Some("urn:cen.eu:en16931:2017"));
        let xrechnung = "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0";
        assert_eq!(ubl.specification_id.as_deref(), Some(xrechnung));
        ubl.specification_id.clone_from(&cii.specification_id);
        // UBL cannot say one number of an order without the other.
        assert_eq!(ubl.purchase_order_reference.take().as_ref().map(DocumentReference::as_str), Some("NA"));
        assert_eq!(cii, ubl);
    }
}

/// A rule of XRechnung's that the crate does not know (PEPPOL-EN16931-R008).
#[test]
fn nothing_is_empty_in_ubl() {
    for document in [invoice(), untaxed()] {
        let xml = written(&document, Syntax::Ubl);
        assert!(!xml.contains("></"), "{xml}");
    }
}

#[test]
fn amounts_are_net_and_add_up_to_what_is_charged() {
    let invoice = received(written(&invoice(), Syntax::Cii).as_bytes());
    let totals = &invoice.totals;
    let amounts = [totals.line_total, totals.taxable_total, totals.gross_total, totals.due];
    assert_eq!(amounts.map(|amount| amount.to_string()), ["220.45", "202.84", "241.05", "241.05"]);
    assert_eq!(totals.allowance_total.map(|amount| amount.to_string()).as_deref(), Some("21.77"));
    assert_eq!(totals.charge_total.map(|amount| amount.to_string()).as_deref(), Some("4.16"));
    let rows = invoice.vat_breakdown.iter().map(|row| {
        let rate = row.rate.map(|rate| rate.into_decimal().to_string()).unwrap_or_default();
        format!("{} {rate} {} {}", row.category, row.taxable_amount, row.tax_amount)
    });
    assert_eq!(rows.collect::<Vec<_>>(), ["S 7 2.80 0.20", "S 19 200.04 38.01"]);
    let [lamp, card] = invoice.lines.as_slice() else { panic!("two lines") };
    assert_eq!(lamp.item.name.as_deref(), Some("Lamp <brass> & „glass“"));
    assert_eq!((lamp.price.net_price.to_string().as_str(), lamp.price.base_quantity), ("217.65", Some(lamp.quantity)));
    assert_eq!(card.net_amount.to_string(), "2.80");
    assert_eq!(invoice.allowances[0].reason.as_deref(), Some("Rabatt (SPRING10)"));
}

#[test]
fn why_no_tax_is_charged_is_told_by_the_category() {
    let category = |document: &Document| {
        let invoice = received(written(document, Syntax::Ubl).as_bytes());
        let [row] = invoice.vat_breakdown.as_slice() else { panic!("one row") };
        let reason = row.exemption_reason_code.as_ref().map(ToString::to_string).or(row.exemption_reason.clone());
        format!("{} {}", row.category, reason.unwrap_or_default())
    };
    assert_eq!(category(&untaxed()), "Z ");
    let mut small = untaxed();
    small.seller.tax_exemption = Some("§ 19 UStG".to_owned());
    small.seller.tax_id = Some("27/123/45678".to_owned());
    assert_eq!(category(&small), "E § 19 UStG");
    let exported = |mut document: Document| {
        document.delivery_address.as_mut().expect("an address").country = "CH".to_owned();
        document
    };
    assert_eq!(category(&exported(small)), "E § 19 UStG");
    assert_eq!(category(&exported(untaxed())), "G VATEX-EU-G");
    let mut business = Document { reverse_charge: true, buyer_vat_id: Some("FR12345678901".to_owned()), ..untaxed() };
    assert_eq!(category(&business), "K VATEX-EU-IC");
    for line in &mut business.lines {
        line.is_shipped = false;
    }
    (business.shipping_amount, business.total_amount) = (0, 23_610);
    business.delivery_address = None;
    assert_eq!(category(&business), "AE VATEX-EU-AE");
}

#[test]
fn a_credit_note_names_its_invoice_and_is_paid() {
    let note = Document {
        kind: DocumentKind::CreditNote,
        number: "CN-2026-000003".to_owned(),
        invoice_number: Some("INV-2026-000042".to_owned()),
        invoice_issued_at: NaiveDate::from_ymd_opt(2026, 3, 1),
        reason: Some("Glass was broken".to_owned()),
        paid_at: DateTime::from_timestamp(1_773_000_000, 0),
        ..invoice()
    };
    let note = received(written(&note, Syntax::Ubl).as_bytes());
    assert_eq!(note.type_code.as_ref().map(ToString::to_string).as_deref(), Some("381"));
    let [preceding] = note.preceding_invoices.as_slice() else { panic!("one invoice") };
    assert_eq!(preceding.reference.as_str(), "INV-2026-000042");
    assert_eq!((note.totals.paid, note.totals.due.to_string().as_str()), (Some(note.totals.gross_total), "0.00"));
    assert_eq!(note.notes[0].note.as_deref(), Some("Glass was broken"));
}

#[test]
fn what_is_missing_is_named() {
    let mut document = invoice();
    document.seller.phone = None;
    document.buyer_email = None;
    assert!(electronic_invoice(&document, &Texts::built_in(), Syntax::Cii).is_ok());
    let missing = ["`seller.phone`", "the buyer's e-mail address"].map(str::to_owned).to_vec();
    assert_eq!(refused(&document, Syntax::Ubl), ElectronicInvoiceError::Missing(missing));
    document.seller.country = None;
    document.buyer_address = None;
    let missing = ["`seller.country`", "the buyer's address"].map(str::to_owned).to_vec();
    assert_eq!(refused(&document, Syntax::Cii), ElectronicInvoiceError::Missing(missing));
}

#[test]
fn amounts_that_do_not_add_up_are_no_electronic_invoice() {
    let wrong = Document { total_amount: 24_106, ..invoice() };
    assert_eq!(refused(&wrong, Syntax::Cii), ElectronicInvoiceError::Amounts);
    let wrong = Document { shipping_amount: 0, ..invoice() };
    assert_eq!(refused(&wrong, Syntax::Cii), ElectronicInvoiceError::Amounts);
    let dinars = Document { currency: Currency::from_code("KWD").expect("a currency"), ..invoice() };
    assert_eq!(refused(&dinars, Syntax::Cii), ElectronicInvoiceError::Currency("KWD"));
}

#[test]
fn what_was_issued_before_taxes_of_lines_were_stored_says_the_same() {
    let mut old = invoice();
    for line in &mut old.lines {
        line.tax_amount = None;
    }
    assert_eq!(written(&old, Syntax::Cii), written(&invoice(), Syntax::Cii));
}

#[test]
fn the_file_in_the_pdf_is_the_electronic_invoice_and_nothing_forbidden_by_the_archive_is_there() {
    let pdf = render(&invoice(), &Texts::built_in()).expect("it is written");
    let extracted = en16931_formats::zugferd::extract(&pdf, &en16931_formats::zugferd::Limits::default());
    let extracted = extracted.expect("it is a hybrid invoice");
    assert_eq!(extracted.xml, written(&invoice(), Syntax::Cii).into_bytes());
    assert!(extracted.divergence.is_empty(), "{:?}", extracted.divergence);
    received(&pdf);
    let file = lopdf::Document::load_mem(&pdf).expect("it is read");
    let catalog = file.catalog().expect("a catalog");
    for key in [b"AF".as_slice(), b"Names", b"Metadata", b"OutputIntents", b"StructTreeRoot", b"MarkInfo", b"Lang"] {
        assert!(catalog.has(key), "{}", String::from_utf8_lossy(key));
    }
    assert!(!catalog.has(b"OpenAction") && !catalog.has(b"AA") && !file.trailer.has(b"Encrypt"));
    assert!(file.trailer.has(b"ID"));
    let metadata = catalog.get(b"Metadata").and_then(lopdf::Object::as_reference).expect("a reference");
    let metadata = file.get_object(metadata).and_then(lopdf::Object::as_stream).expect("a stream");
    let metadata = String::from_utf8(metadata.content.clone()).expect("text");
    let part = |name: &str, value: &str| {
        metadata.contains(&format!("<{name}>{value}</{name}>")) || metadata.contains(&format!("{name}=\"{value}\""))
    };
    for (name, value) in [
        ("pdfaid:part", "3"),
        ("pdfaid:conformance", "A"),
        ("fx:DocumentType", "INVOICE"),
        ("fx:DocumentFileName", "factur-x.xml"),
        ("fx:ConformanceLevel", "EN 16931"),
    ] {
        assert!(part(name, value), "{name} is not {value} in {metadata}");
    }
    for (id, object) in &file.objects {
        let Ok(dictionary) = object.as_dict().or_else(|_| object.as_stream().map(|stream| &stream.dict)) else {
            continue;
        };
        assert!(!dictionary.has(b"SMask") && !dictionary.has(b"JS"), "{id:?}");
        let is_descriptor =
            dictionary.get(b"Type").and_then(lopdf::Object::as_name).is_ok_and(|name| name == b"FontDescriptor");
        let is_embedded = [b"FontFile2".as_slice(), b"FontFile3"].into_iter().any(|key| dictionary.has(key));
        assert!(!is_descriptor || is_embedded, "{id:?}");
    }
}
