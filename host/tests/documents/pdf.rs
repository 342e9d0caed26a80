//! Documents as PDF, as the client's `Accept` wants them.

use serde_json::{Value, json};
use stoa_core::customers::anonymize_customer;
use stoa_core::db::Backend;
use stoa_core::refunds::RefundScope;
use stoa_core::testing::{TestClient, TestResponse, TestShop, both_databases};

use crate::shelf::{builder, buyer, refund, shop, stocked};

/// The text of a file as programs extract it.
pub(crate) fn text(file: &[u8]) -> String {
    let pdf = lopdf::Document::load_mem(file).expect("a PDF");
    let pages = pdf.get_pages().into_keys();
    pages.map(|page| pdf.extract_text(&[page]).expect("its text can be read")).collect()
}

async fn file(client: &TestClient, what: &str, thing: &Value) -> TestResponse {
    let client = client.with_header("accept", "application/pdf");
    client.get(&format!("/{what}/{}", thing["id"])).await.expect_status(200)
}

async fn international(backend: Backend) -> TestShop {
    let config = "[shop]\ncurrency = 'UAH'\nlocale = 'uk'\n[seller]\nname = 'Übermut Leuchten GmbH'\n\
                  address = ['Lampenweg 5', '10115 Berlin']\ntax_id = 'DE123456789'";
    stocked(builder(backend).config(config)).await
}

both_databases!(an_invoice_comes_as_the_client_prefers_it);
async fn an_invoice_comes_as_the_client_prefers_it(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.place(&shop, &[("lamp", 2)]).await;
    let path = format!("/invoices/{}", order["invoice"]["id"]);
    for (accept, media_type) in [
        ("application/pdf", "application/pdf"),
        ("application/json;q=0.5, application/pdf", "application/pdf"),
        ("application/pdf;q=0.5, application/json", "application/json"),
        ("application/pdf;q=0", "application/json"),
        ("*/*", "application/json"),
        ("text/html", "application/json"),
    ] {
        let answer = ada.client.with_header("accept", accept).get(&path).await.expect_status(200);
        assert_eq!(answer.header("content-type"), Some(media_type), "{accept}");
        assert_eq!(answer.header("cache-control"), Some("private, no-store"));
        assert!(answer.headers.get_all("vary").iter().any(|value| value == "Accept"));
    }
    let answer = file(&ada.client, "invoices", &order["invoice"]).await;
    assert_eq!(answer.header("content-disposition"), Some("attachment; filename=\"INV-2026-000001.pdf\""));
    assert!(answer.body.starts_with(b"%PDF-"));
    let written = text(&answer.body);
    for part in ["INV-2026-000001", "Ada Buyer", "Keizersgracht 1", "Lamp", "€44.95", "Courier", "21%"] {
        assert!(written.contains(part), "{part} is missing in {written}");
    }
    let head = ada.client.with_header("accept", "application/pdf").head(&path).await.expect_status(200);
    assert_eq!((head.header("content-type"), head.body.len()), (Some("application/pdf"), 0));
}

both_databases!(letters_and_currencies_of_many_countries_are_printed);
async fn letters_and_currencies_of_many_countries_are_printed(backend: Backend) {
    let shop = international(backend).await;
    let ada = buyer(&shop).await;
    let german = crate::shelf::Buyer { client: ada.client.with_header("accept-language", "de"), ..ada.clone() };
    let billing = json!({"name": "Соломія Їжаченко", "company": "Größe & Söhne", "line1": "вул. Хрещатик 22",
                         "city": "Київ", "postal_code": "01001", "country": "UA"});
    let order =
        german.try_to_place(&shop, &[("lamp", 1)], &json!({"billing": billing})).await.expect_status(201).json();
    german.pay(&order["data"]).await;
    let record = refund(&shop, &order["data"], RefundScope::Amount(500)).await;
    let written = text(&file(&ada.client, "invoices", &order["data"]["invoice"]).await.body);
    for part in
        ["Rechnung", "Übermut Leuchten GmbH", "DE123456789", "Соломія Їжаченко", "Größe & Söhne", "Київ", "Bezahlt am"]
    {
        assert!(written.contains(part), "{part} is missing in {written}");
    }
    assert!(written.contains('₴') || written.contains("UAH"), "{written}");
    let note = json!({"id": record.credit_note.expect("it has one").credit_note.id});
    let answer = file(&ada.client, "credit-notes", &note).await;
    assert_eq!(answer.header("content-disposition"), Some("attachment; filename=\"CN-2026-000001.pdf\""));
    let written = text(&answer.body);
    for part in ["Gutschrift", "INV-2026-000001", "Erstattung", "Соломія Їжаченко"] {
        assert!(written.contains(part), "{part} is missing in {written}");
    }
}

both_databases!(an_invoice_says_what_became_of_it);
async fn an_invoice_says_what_became_of_it(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.place(&shop, &[("book", 1)]).await;
    let said = async || text(&file(&ada.client, "invoices", &order["invoice"]).await.body);
    assert!(said().await.contains("Amount due: €15.00"));
    crate::crashes::pay_after_cancellation(&shop, &order).await;
    let void = said().await;
    assert!(void.contains("Cancelled on 15 January 2026") && !void.contains("Amount due"), "{void}");
    let paid = ada.buy(&shop, &[("book", 1)]).await;
    assert!(text(&file(&ada.client, "invoices", &paid["invoice"]).await.body).contains("Paid on 15 January 2026"));
}

both_databases!(documents_of_an_anonymized_customer_stay);
async fn documents_of_an_anonymized_customer_stay(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, &[("lamp", 1)]).await;
    refund(&shop, &order, RefundScope::Amount(100)).await;
    let before = file(&ada.client, "invoices", &order["invoice"]).await.body;
    anonymize_customer(&shop.services.db, ada.customer.id).await.expect("it is erased");
    let id = order["invoice"]["id"].as_i64().expect("an id");
    let document = stoa_core::invoices::invoice_document(&shop.services.db, id).await.expect("it is read");
    let after = stoa_core::pdf::render(&document.expect("it stays")).expect("it is written");
    assert_eq!(text(&after), text(&before));
    assert_eq!(stoa_core::invoices::verify_documents(&shop.services.db).await.expect("they are looked through"), []);
}
