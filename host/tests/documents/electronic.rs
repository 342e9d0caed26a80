//! Documents as electronic invoices, by HTTP (C10.5).

use en16931_formats::{Policy, Recommendation, receive};
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::refunds::RefundScope;
use stoa_core::testing::{TestShop, both_databases};

use crate::shelf::{TAXES, builder, buyer, refund, shop, stocked};

/// A seller of whom is known what the norm needs.
pub(crate) const SELLER: &str = "[seller]\nname = 'Lampen B.V.'\nstreet = 'Lampenweg 5'\npostal_code = '1015 AA'\ncity = 'Amsterdam'\n\
                      tax_id = 'NL004495445B01'\nemail = 'office@example.com'\nphone = '+31 20 1234567'";

async fn complete(backend: Backend) -> TestShop {
    stocked(builder(backend).config(TAXES).config(SELLER)).await
}

/// Reads a file as somebody who gets it, and refuses what a rule of its profile forbids.
#[track_caller]
pub(crate) fn received(file: &[u8]) -> en16931::Invoice {
    let received = receive(file, &Policy::default());
    assert_eq!(received.recommendation, Recommendation::Accept, "{received}\n{}", String::from_utf8_lossy(file));
    received.invoice.expect("it is read")
}

both_databases!(invoices_and_credit_notes_come_as_xrechnung_to_those_who_accept_xml);
async fn invoices_and_credit_notes_come_as_xrechnung_to_those_who_accept_xml(backend: Backend) {
    let shop = complete(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, &[("lamp", 2), ("book", 1)]).await;
    let note = refund(&shop, &order, RefundScope::Amount(700)).await.credit_note.expect("it has one");
    let xml = ada.client.with_header("accept", "application/xml");
    let path = format!("/invoices/{}", order["invoice"]["id"]);
    let answer = xml.get(&path).await.expect_status(200);
    assert_eq!(answer.header("content-type"), Some("application/xml"));
    assert_eq!(answer.header("content-disposition"), Some("attachment; filename=\"INV-2026-000001.xml\""));
    assert!(answer.headers.get_all("vary").iter().any(|value| value == "Accept"));
    let invoice = received(&answer.body);
    assert!(invoice.specification_id.as_deref().is_some_and(|id| id.ends_with("xrechnung_3.0")));
    assert_eq!(invoice.totals.gross_total.to_minor_units(), order["total_amount"].as_i64().expect("an amount"));
    let tax = invoice.totals.vat_total.expect("it has tax");
    assert_eq!(tax.to_minor_units(), order["tax_amount"].as_i64().expect("an amount"));
    let buyer = &invoice.buyer;
    assert_eq!((buyer.name.as_deref(), buyer.address.city.as_deref()), (Some("Ada Buyer"), Some("Amsterdam")));
    let email = buyer.electronic_address.as_ref().map(|address| address.content().to_owned());
    assert_eq!(email.as_deref(), Some(ada.customer.email.as_str()));
    assert!(invoice.totals.due.is_zero(), "it is paid");
    let head = xml.head(&path).await.expect_status(200);
    assert_eq!((head.header("content-type"), head.body.len()), (Some("application/xml"), 0));

    let credited = xml.get(&format!("/credit-notes/{}", note.credit_note.id)).await.expect_status(200);
    assert_eq!(credited.header("content-disposition"), Some("attachment; filename=\"CN-2026-000001.xml\""));
    let credited = received(&credited.body);
    assert_eq!(credited.totals.gross_total.to_minor_units(), 700);
    assert_eq!(credited.preceding_invoices[0].reference.as_str(), "INV-2026-000001");

    let pdf = ada.client.with_header("accept", "application/pdf, application/xml;q=0.9").get(&path).await;
    let inside = received(&pdf.expect_status(200).body);
    assert_eq!((inside.number, inside.totals), (invoice.number, invoice.totals));
}

both_databases!(somebody_elses_invoice_is_no_electronic_one_either);
async fn somebody_elses_invoice_is_no_electronic_one_either(backend: Backend) {
    let shop = complete(backend).await;
    let (ada, eve) = (buyer(&shop).await, buyer(&shop).await);
    let order = ada.place(&shop, &[("book", 1)]).await;
    let path = format!("/invoices/{}", order["invoice"]["id"]);
    eve.client.with_header("accept", "application/xml").get(&path).await.expect_error(404, "not_found");
}

both_databases!(without_what_the_norm_needs_there_is_a_pdf_and_no_xml);
async fn without_what_the_norm_needs_there_is_a_pdf_and_no_xml(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.place(&shop, &[("book", 1)]).await;
    let path = format!("/invoices/{}", order["invoice"]["id"]);
    let refused = ada.client.with_header("accept", "application/xml").get(&path).await;
    let refused = refused.expect_error(409, "invalid_state");
    assert_eq!(refused.json()["reason"], json!("not_electronic"));
    let pdf = ada.client.with_header("accept", "application/pdf").get(&path).await.expect_status(200);
    assert!(pdf.body.starts_with(b"%PDF-") && !pdf.body.windows(12).any(|bytes| bytes == b"factur-x.xml"));
}

both_databases!(an_electronic_invoice_stays_as_it_was_issued_whoever_asks_later);
async fn an_electronic_invoice_stays_as_it_was_issued_whoever_asks_later(backend: Backend) {
    let shop = complete(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, &[("lamp", 1)]).await;
    let invoice_id = order["invoice"]["id"].as_i64().expect("an id");
    let document = async || {
        let found = stoa_core::invoices::invoice_document(&shop.parts.db, invoice_id).await.expect("it is read");
        found.expect("it is there")
    };
    let before = document().await;
    stoa_core::customers::anonymize_customer(&shop.parts.db, ada.customer.id).await.expect("it is erased");
    assert_eq!(document().await, before);
    assert_eq!(before.buyer_email.as_deref(), Some(ada.customer.email.as_str()));
}
