//! Documents as PDF, as the client's `Accept` wants them.

use serde_json::{Value, json};
use stoa_core::customers::{anonymize_customer, export_customer, find_account};
use stoa_core::db::Backend;
use stoa_core::i18n::Texts;
use stoa_core::invoices::{invoice_document, verify_documents};
use stoa_core::pdf::{Document, render};
use stoa_core::refunds::RefundScope;
use stoa_core::testing::{TestClient, TestResponse, TestShop, both_databases};

use crate::shelf::{builder, buyer, id, refund, shop, stocked};

/// What is written on the invoice of this id, as it would be printed now.
async fn invoice(shop: &TestShop, invoice: &Value) -> Document {
    let found = invoice_document(&shop.parts.db, id(invoice)).await.expect("it is read");
    found.expect("it is there")
}

/// Everything that is written on a document, in one text. How it is printed is tested where that is done.
fn text(document: &Document) -> String {
    serde_json::to_string(document).expect("it is stored as JSON")
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
    let document = invoice(&shop, &order["invoice"]).await;
    assert_eq!(answer.body, render(&document, &Texts::built_in()).expect("it is written"));
    let written = text(&document);
    for part in ["INV-2026-000001", "Ada Buyer", "Keizersgracht 1", "Lamp", "4495", "Courier", "2100"] {
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
    let document = invoice(&shop, &order["data"]["invoice"]).await;
    let answer = file(&ada.client, "invoices", &order["data"]["invoice"]).await;
    assert_eq!(answer.body, render(&document, &Texts::built_in()).expect("it is written"));
    assert_eq!((document.language.as_str(), document.currency.code()), ("de", "UAH"));
    let written = text(&document);
    for part in ["Übermut Leuchten GmbH", "DE123456789", "Соломія Їжаченко", "Größe & Söhne", "Київ"]
    {
        assert!(written.contains(part), "{part} is missing in {written}");
    }
    assert!(document.paid_at.is_some());
    let note = record.credit_note.expect("it has one");
    let answer = file(&ada.client, "credit-notes", &json!({"id": note.credit_note.id})).await;
    assert_eq!(answer.body, render(&note.document, &Texts::built_in()).expect("it is written"));
    assert_eq!(answer.header("content-disposition"), Some("attachment; filename=\"CN-2026-000001.pdf\""));
    let written = text(&note.document);
    for part in ["INV-2026-000001", "Erstattung", "Соломія Їжаченко", "DE123456789"] {
        assert!(written.contains(part), "{part} is missing in {written}");
    }
}

both_databases!(an_invoice_says_what_became_of_it);
async fn an_invoice_says_what_became_of_it(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.place(&shop, &[("book", 1)]).await;
    let issued = invoice(&shop, &order["invoice"]).await;
    assert_eq!((issued.paid_at, issued.cancelled_at), (None, None));
    crate::crashes::pay_after_cancellation(&shop, &order).await;
    let void = invoice(&shop, &order["invoice"]).await;
    assert_eq!((void.paid_at, void.cancelled_at), (None, Some(shop.now())));
    assert_ne!(
        render(&void, &Texts::built_in()).expect("it is written"),
        render(&issued, &Texts::built_in()).expect("it is written")
    );
    let paid = ada.buy(&shop, &[("book", 1)]).await;
    let paid = invoice(&shop, &paid["invoice"]).await;
    assert_eq!((paid.paid_at, paid.cancelled_at), (Some(shop.now()), None));
}

both_databases!(an_export_has_all_that_stands_on_the_documents);
async fn an_export_has_all_that_stands_on_the_documents(backend: Backend) {
    let shop = shop(backend).await;
    let (ada, eve) = (buyer(&shop).await, buyer(&shop).await);
    let order = ada.buy(&shop, &[("lamp", 1)]).await;
    eve.buy(&shop, &[("book", 1)]).await;
    refund(&shop, &order, RefundScope::Amount(100)).await;
    let (db, events) = (&shop.parts.db, &shop.parts.events);
    let account = find_account(db, ada.customer.id).await.expect("it is read").expect("a customer");
    let export = export_customer(db, events, &account).await.expect("it is gathered");
    for (part, number) in [("invoices", "INV-2026-000001"), ("credit_notes", "CN-2026-000001")] {
        let kept = export[part].as_array().expect("a list");
        assert_eq!((kept.len(), &kept[0]["number"]), (1, &json!(number)));
        assert_eq!(kept[0]["buyer"][0], "Ada Buyer");
    }
}

both_databases!(documents_of_an_anonymized_customer_stay);
async fn documents_of_an_anonymized_customer_stay(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, &[("lamp", 1)]).await;
    refund(&shop, &order, RefundScope::Amount(100)).await;
    let before = file(&ada.client, "invoices", &order["invoice"]).await.body;
    anonymize_customer(&shop.parts.db, ada.customer.id).await.expect("it is erased");
    let after = invoice(&shop, &order["invoice"]).await;
    assert_eq!(render(&after, &Texts::built_in()).expect("it is written"), before);
    assert_eq!(verify_documents(&shop.parts.db).await.expect("they are looked through"), []);
}
