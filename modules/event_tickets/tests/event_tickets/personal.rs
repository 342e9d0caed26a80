//! What is personal is told to whom it belongs, and forgotten.

use serde_json::{Value, json};
use stoa_core::customers::{CustomerRecord, anonymize_customer, export_customer, find_account};
use stoa_core::db::Backend;
use stoa_core::module::ModuleEntry;
use stoa_core::testing::{TestShop, both_databases};
use stoa_event_tickets::EventTickets;

use crate::kit::{builder, buyer, seated};

async fn exported(shop: &TestShop, customer: &CustomerRecord) -> Value {
    let parts = &shop.parts;
    let account = find_account(&parts.db, customer.id).await.expect("it can be read").expect("there is one");
    let parts = export_customer(&parts.db, &parts.events, &account).await;
    parts.expect("it is exported")["event_tickets"].clone()
}

async fn door_list(shop: &TestShop) -> Vec<Value> {
    let list = shop.command(&["event-tickets", "door-list", "symposium-1", "--json"]).await.json();
    list["data"].as_array().expect("a list").iter().map(|ticket| ticket["holder"].clone()).collect()
}

both_databases!(a_customer_is_told_of_tickets_without_what_admits);
async fn a_customer_is_told_of_tickets_without_what_admits(backend: Backend) {
    let shop = builder(backend).open().await;
    shop.stock(&[seated("stalls", &json!({}))]).await;
    let (ada, bob) = (buyer(&shop).await, buyer(&shop).await);
    let order = ada.buy_with(&shop, "stalls", 1, &json!({"seat": "A1", "holder": "Ada"})).await;
    assert_eq!(
        exported(&shop, &ada.customer).await,
        json!([{"number": "ET-000001", "status": "issued", "event": "Symposium", "venue": "Agora",
                "starts_at": "2031-05-01T17:00:00Z", "ticket_type": "Standing", "holder": "Ada", "seat": "A1",
                "order_id": order["id"], "issued_at": "2026-01-15T12:00:00Z", "checked_in_at": null,
                "voided_at": null}])
    );
    assert_eq!(exported(&shop, &bob.customer).await, json!([]));
}

both_databases!(names_go_with_their_customer_even_while_the_module_is_off);
async fn names_go_with_their_customer_even_while_the_module_is_off(backend: Backend) {
    let shop = builder(backend).open().await;
    shop.stock(&[seated("stalls", &json!({}))]).await;
    let (ada, bob, eve) = (buyer(&shop).await, buyer(&shop).await, buyer(&shop).await);
    for (buyer, seat, holder) in [(&ada, "A1", "Ada"), (&bob, "A2", "Bob"), (&eve, "A3", "Eve")] {
        buyer.buy_with(&shop, "stalls", 1, &json!({"seat": seat, "holder": holder})).await;
    }
    anonymize_customer(&shop.parts.db, ada.customer.id).await.expect("it is done");
    assert_eq!(door_list(&shop).await, [Value::Null, json!("Bob"), json!("Eve")]);

    let entry = ModuleEntry::of::<EventTickets>("stoa-event-tickets", "0.1.0");
    let off = TestShop::builder(backend).linked_module(entry).on(shop.database()).seed(2).open().await;
    anonymize_customer(&off.parts.db, bob.customer.id).await.expect("it is done");
    assert_eq!(door_list(&shop).await, [Value::Null, json!("Bob"), json!("Eve")], "it waits");
    shop.run_jobs().await;
    assert_eq!(door_list(&shop).await, [Value::Null, Value::Null, json!("Eve")]);
}
