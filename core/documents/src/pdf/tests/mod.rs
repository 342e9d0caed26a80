//! Documents as their readers see them.

mod layout;
mod leaflet;
mod robust;
mod snapshots;
mod stored;

use chrono::{DateTime, NaiveDate};

use stoa_kernel::i18n::Texts;
use stoa_kernel::money::Currency;

use super::{Document, DocumentKind, DocumentLine, DocumentOption, Seller, TaxLine, render};

/// An invoice with everything on it, of a shop that ships from Berlin to Kyiv.
fn invoice(language: &str, locale: &str, currency: &str) -> Document {
    let line = |label: &str, quantity: i64, unit_amount: i64, discount_amount: i64, tax_rate: i64| DocumentLine {
        label: label.to_owned(),
        quantity,
        unit_amount,
        discount_amount,
        tax_rate,
        line_total_amount: quantity * unit_amount,
        ..DocumentLine::default()
    };
    let mut lamp = line("Messingleuchte „Übermut“ für große Räume", 2, 12_950, 2_590, 1_900);
    lamp.options = vec![
        DocumentOption { label: "Farbe".to_owned(), display: "Grün".to_owned() },
        DocumentOption { label: "Gravur".to_owned(), display: "З любов'ю, Їжак".to_owned() },
    ];
    Document {
        kind: DocumentKind::Invoice,
        number: "F-2026-000042".to_owned(),
        issued_at: NaiveDate::from_ymd_opt(2026, 3, 1).expect("a day"),
        order_number: "O-000117".to_owned(),
        invoice_number: None,
        invoice_issued_at: None,
        reason: None,
        language: language.to_owned(),
        currency: Currency::from_code(currency).expect("a currency"),
        locale: locale.to_owned(),
        seller: seller(),
        buyer: ["Соломія Їжаченко", "вул. Хрещатик 22, кв. 7", "01001 Київ", "Ukraine"].map(str::to_owned).to_vec(),
        ship_to: Some(
            ["Anna Größler", "Straße des 17. Juni 135", "10623 Berlin", "Germany"].map(str::to_owned).to_vec(),
        ),
        buyer_address: None,
        buyer_email: None,
        delivery_address: None,
        buyer_vat_id: None,
        reverse_charge: false,
        payment_method: String::new(),
        lines: vec![lamp, line("Postcard", 3, 100, 0, 700)],
        subtotal_amount: 26_200,
        discount_amount: 2_590,
        discount_code: Some("SPRING10".to_owned()),
        further_discounts: Vec::new(),
        shipping_amount: 495,
        shipping_label: Some("DHL".to_owned()),
        tax_lines: vec![
            TaxLine { rate: 1_900, net_amount: 20_004, tax_amount: 3_801 },
            TaxLine { rate: 700, net_amount: 280, tax_amount: 20 },
        ],
        tax_amount: 3_821,
        total_amount: 24_105,
        prices_include_tax: true,
        paid_at: None,
        cancelled_at: None,
        note: Some("Thank you for your order.".to_owned()),
    }
}

fn seller() -> Seller {
    let some = |text: &str| Some(text.to_owned());
    Seller {
        name: "Übermut Leuchten GmbH".to_owned(),
        address: ["Lampenweg 5", "10115 Berlin", "Germany"].map(str::to_owned).to_vec(),
        tax_id: some("DE123456789"),
        registration: some("Amtsgericht Charlottenburg, HRB 12345"),
        email: some("office@example.com"),
        phone: some("+49 30 1234567"),
        website: some("www.example.com"),
        bank: some("Example Bank"),
        iban: some("DE89 3704 0044 0532 0130 00"),
        footer: some("Geschäftsführerin: Ada Größe"),
        ..Seller::default()
    }
}

/// The credit note for one of the two lamps.
fn credit_note(language: &str, locale: &str) -> Document {
    let mut document = invoice(language, locale, "EUR");
    document.kind = DocumentKind::CreditNote;
    document.number = "C-2026-000003".to_owned();
    document.invoice_number = Some("F-2026-000042".to_owned());
    document.reason = Some("Glass was broken".to_owned());
    document.lines.truncate(1);
    document.lines[0].quantity = 1;
    document.lines[0].line_total_amount = 12_950;
    document.lines[0].discount_amount = 1_295;
    document.subtotal_amount = 12_950;
    document.discount_amount = 1_295;
    document.shipping_amount = 0;
    document.shipping_label = None;
    document.tax_lines = vec![TaxLine { rate: 1_900, net_amount: 9_794, tax_amount: 1_861 }];
    document.tax_amount = 1_861;
    document.total_amount = 11_655;
    document.paid_at = DateTime::from_timestamp(1_773_000_000, 0);
    document.note = None;
    document
}

/// The text of each page as programs extract it.
fn pages(document: &Document) -> Vec<String> {
    let file = render(document, &Texts::built_in()).expect("it can be written");
    let pdf = lopdf::Document::load_mem(&file).expect("it can be read");
    let numbers = pdf.get_pages().into_keys();
    numbers.map(|number| pdf.extract_text(&[number]).expect("its text can be read")).collect()
}

/// The text of all pages.
fn text(document: &Document) -> String {
    pages(document).concat()
}
