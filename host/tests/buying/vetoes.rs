//! What modules can say against an order, and that nothing is left of one that was refused (contract 2.2, S6.1).

use serde_json::json;
use stoa_core::db::{Backend, Sql};
use stoa_core::sql;
use stoa_core::testing::both_databases;

use crate::shelf::{body, buyer, id, rows, shop};

const NOTE: Sql = sql!("SELECT value FROM installation WHERE name = $1");

both_databases!(a_check_before_the_transaction_refuses_the_order);
async fn a_check_before_the_transaction_refuses_the_order(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    ada.fill(&shop, &[("lamp", 1), ("forbidden", 1)]).await;
    let before = rows(&shop).await;
    let refused = ada.check_out(&json!({"idempotency_key": "k"})).await.expect_error(422, "invalid_state").json();
    assert_eq!((&refused["reason"], &refused["errors"]), (&json!("forbidden"), &json!({"cart": ["Not today."]})));
    assert_eq!((rows(&shop).await, ada.lines().await), (before, 2));
}

both_databases!(a_listener_inside_the_transaction_rejects_the_order_whole);
async fn a_listener_inside_the_transaction_rejects_the_order_whole(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    ada.fill(&shop, &[("lamp", 1), ("reserved", 1)]).await;
    let before = rows(&shop).await;
    let german = ada.client.with_header("accept-language", "de");
    let request = body(&json!({"idempotency_key": "k"}));
    let refused = german.post("/checkout", &request).await.expect_error(422, "invalid_state").json();
    assert_eq!((&refused["reason"], &refused["errors"]), (&json!("taken"), &json!({"items": ["Schon vergeben."]})));
    assert_eq!((rows(&shop).await, ada.lines().await), (before, 2));
}

both_databases!(a_listener_that_fails_leaves_nothing_of_the_order);
async fn a_listener_that_fails_leaves_nothing_of_the_order(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    ada.fill(&shop, &[("broken", 1)]).await;
    let before = rows(&shop).await;
    let failed = ada.check_out(&json!({"idempotency_key": "k"})).await.expect_error(500, "server_error");
    assert!(!failed.text().contains("ill"), "what went wrong inside is not told");
    assert_eq!((rows(&shop).await, ada.lines().await), (before, 1));
}

// The control of those above: where nobody objects, every one of these rows is written.
both_databases!(an_order_that_nobody_rejects_is_written_whole);
async fn an_order_that_nobody_rejects_is_written_whole(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let before = rows(&shop).await;
    let order = ada.place_with(&shop, &[("lamp", 1), ("book", 2)], &json!({"idempotency_key": "k"})).await;
    let after = rows(&shop).await;
    let (orders, items, payments) = (after.0 - before.0, after.1 - before.1, after.2 - before.2);
    assert_eq!((orders, items, payments), (1, 2, 1));
    let (history, keys, deliveries) = (after.3 - before.3, after.4 - before.4, after.6 - before.6);
    assert_eq!((history, keys), (1, 1));
    assert!(deliveries >= 1, "the listener of `OrderCreated` gets it");
    let note = shop.parts.db.read(NOTE).bind(format!("inspected-{}", id(&order))).scalar::<String>().await;
    assert_eq!(note.expect("the listener wrote it"), format!("2 of {}", order["number"].as_str().expect("a number")));
}
