//! Orders of customers who are exported or anonymized.

use serde_json::json;
use stoa_core::customers::{anonymize_customer, export_customer, find_account};
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use crate::shelf::{buyer, record, shop};

both_databases!(an_export_holds_the_orders_of_the_customer_and_of_nobody_else);
async fn an_export_holds_the_orders_of_the_customer_and_of_nobody_else(backend: Backend) {
    let shop = shop(backend).await;
    let (ada, bob) = (buyer(&shop).await, buyer(&shop).await);
    let first = ada.place_with(&shop, &[("lamp", 1)], &json!({"note": "Ring twice."})).await;
    bob.place(&shop, &[("lamp", 1)]).await;
    let second = ada.place(&shop, &[("book", 2)]).await;
    let parts = &shop.parts;
    let account = find_account(&parts.db, ada.customer.id).await.expect("it is read").expect("it is there");
    let parts = export_customer(&parts.db, &parts.events, &account).await.expect("it is exported");
    assert_eq!(parts["orders"], json!([first, second]));
}

both_databases!(an_anonymized_customer_leaves_orders_without_notes);
async fn an_anonymized_customer_leaves_orders_without_notes(backend: Backend) {
    let shop = shop(backend).await;
    let (ada, bob) = (buyer(&shop).await, buyer(&shop).await);
    let note = json!({"note": "I am on holiday in May."});
    let order = ada.place_with(&shop, &[("lamp", 1)], &note).await;
    let bobs = bob.place_with(&shop, &[("lamp", 1)], &note).await;
    let before = record(&shop, &order).await;
    anonymize_customer(&shop.parts.db, ada.customer.id).await.expect("it is done");
    let after = record(&shop, &order).await;
    assert_eq!((after.order.note.as_deref(), after.customer_email.as_deref()), (None, None));
    let mut expected = before.order;
    expected.note = None;
    assert_eq!(after.order, expected, "the order itself is a record of business and stays");
    assert_eq!(bob.read(&bobs).await["note"], note["note"]);
    ada.client.get("/orders").await.expect_error(401, "unauthenticated");
}
