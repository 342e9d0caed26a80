//! Invoices and credit notes in the console: lists, and files of both kinds.

use stoa_core::db::Backend;
use stoa_core::orders::OrderNumber;
use stoa_core::refunds::{NewRefund, RefundScope, refund_order};
use stoa_core::testing::both_databases;

use crate::shelf::{browser, builder, filled, number, paid_order};

const SELLER: &str = "[seller]\nname = \"Lamp & Co\"\naddress = [\"Keizersgracht 1\", \"1015 AA Amsterdam\"]\n";

both_databases!(documents_are_listed_with_their_sums_and_are_files);
async fn documents_are_listed_with_their_sums_and_are_files(backend: Backend) {
    let shop = filled(builder(backend).config(SELLER)).await;
    let first = number(&paid_order(&shop, 1).await).parse::<OrderNumber>().expect("a number");
    paid_order(&shop, 2).await;
    let reason = String::from("It hums");
    let new = NewRefund { order_id: first.id(), scope: RefundScope::Amount(500), reason };
    refund_order(&shop.uses(), &new).await.expect("it goes back");
    let mut accountant = browser(&shop, "accountant").await;
    let all = accountant.get("/console/invoices").await.expect_status(200).text();
    assert!(all.contains("1–2 of 2"), "{all}");
    for (query, count) in [
        ("q=INV-2026-000001", "1–1 of 1"),
        ("q=inv-2026-000001", "1–1 of 1"),
        ("q=O-000002", "1–1 of 1"),
        ("q=customer", "1–2 of 2"),
        ("q=nobody", "0 of 0"),
        ("status=paid", "1–2 of 2"),
        ("status=void", "0 of 0"),
        ("from=2026-01-15&to=2026-01-15", "1–2 of 2"),
        ("from=2026-01-16", "0 of 0"),
        ("to=2026-01-14", "0 of 0"),
    ] {
        let page = accountant.get(&format!("/console/invoices?{query}")).await.expect_status(200).text();
        assert!(page.contains(count), "{query}: {page}");
    }
    let csv = accountant.get("/console/invoices?q=O-000001&format=csv").await.expect_status(200).text();
    assert!(csv.starts_with("Invoice,Issued,Status,Customer,Order,Net,Tax,Gross,Credited\r\n"), "{csv}");
    assert!(csv.contains(",2026-01-15,paid,Customer 1,O-000001,"), "{csv}");
    assert!(csv.trim_end().ends_with(",24.95,5.00"), "{csv}");
    let notes = accountant.get("/console/invoices/credit-notes").await.expect_status(200).text();
    assert!(notes.contains("It hums") && notes.contains("CN-2026-000001") && notes.contains("1–1 of 1"), "{notes}");
    for found in ["q=CN-2026-000001", "q=O-000001", "q=customer+1"] {
        let page = accountant.get(&format!("/console/invoices/credit-notes?{found}")).await.text();
        assert!(page.contains("1–1 of 1"), "{found}: {page}");
    }
    let pdf = accountant.get("/console/documents/CN-2026-000001").await.expect_status(200);
    assert_eq!(pdf.header("content-type"), Some("application/pdf"));
    accountant.get("/console/documents/INV-2026-000099/xml").await.expect_status(404);
    let mut warehouse = browser(&shop, "warehouse").await;
    warehouse.get("/console/invoices").await.expect_status(403);
    warehouse.get("/console/documents/INV-2026-000001/xml").await.expect_status(403);
}

both_databases!(a_document_without_electronic_form_says_what_it_lacks);
async fn a_document_without_electronic_form_says_what_it_lacks(backend: Backend) {
    let shop = filled(builder(backend)).await;
    paid_order(&shop, 1).await;
    let mut accountant = browser(&shop, "accountant").await;
    let refused = accountant.get("/console/documents/INV-2026-000001/xml").await.expect_status(409).text();
    assert!(refused.contains("INV-2026-000001 has no electronic form"), "{refused}");
}
