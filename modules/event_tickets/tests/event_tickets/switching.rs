//! The module off, and on again.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::module::ModuleEntry;
use stoa_core::testing::{TestShop, both_databases};
use stoa_event_tickets::EventTickets;

use crate::kit::{assert_sound, builder, buyer, cancel, id_of, pay, product, refund, shop_with, taken, text};

/// The same shop with the module off.
async fn off(shop: &TestShop, backend: Backend) -> TestShop {
    let entry = ModuleEntry::of::<EventTickets>("stoa-event-tickets", "0.1.0");
    TestShop::builder(backend).linked_module(entry).on(shop.database()).clock(&shop.clock).seed(2).open().await
}

both_databases!(a_disabled_module_is_not_there);
async fn a_disabled_module_is_not_there(backend: Backend) {
    let shop = shop_with(backend, 10).await;
    let ada = buyer(&shop).await;
    ada.buy(&shop, "standing", 1).await;
    let before = ada.tickets().await;
    let off = off(&shop, backend).await;
    let client = off.client().token(&ada.customer, &["*"]).await;
    for path in [String::from("/event-tickets"), format!("/event-tickets/{}", text(&before[0]["token"]))] {
        client.get(&path).await.expect_error(404, "not_found");
        off.client().get(&path).await.expect_error(404, "not_found");
    }
    let line = json!({"product_id": id_of(&shop, "standing").await});
    client.post("/cart", &line).await.expect_error(422, "validation_error");
    assert_eq!(ada.tickets().await, before, "everything is there again");
}

both_databases!(what_happens_meanwhile_is_made_up_for);
async fn what_happens_meanwhile_is_made_up_for(backend: Backend) {
    let shop = shop_with(backend, 10).await;
    let (ada, bob, eve) = (buyer(&shop).await, buyer(&shop).await, buyer(&shop).await);
    let (unpaid, cancelled) = (ada.place(&shop, "standing", 1).await, bob.place(&shop, "standing", 2).await);
    let refunded = eve.buy(&shop, "standing", 2).await;
    let off = off(&shop, backend).await;
    pay(&off, &unpaid).await;
    cancel(&off, &cancelled).await;
    refund(&off, &refunded, 1).await;
    off.run_jobs().await;
    assert_eq!(taken(&shop, "standing").await, 3, "what was reserved is given back at once");
    assert_eq!((ada.statuses().await.len(), eve.statuses().await), (0, vec![String::from("issued"); 2]), "it waits");
    shop.run_jobs().await;
    assert_eq!(ada.statuses().await, ["issued"]);
    assert_eq!(eve.statuses().await, ["issued", "void"]);
    assert_eq!(taken(&shop, "standing").await, 2);
    assert_sound(&shop.breaches().await);
}

both_databases!(products_that_are_imported_meanwhile_can_be_sold_afterwards);
async fn products_that_are_imported_meanwhile_can_be_sold_afterwards(backend: Backend) {
    let shop = builder(backend).open().await;
    let off = off(&shop, backend).await;
    off.stock(&[product("early", &json!({})), product("job", &json!({"ticket_type": "Seated"}))]).await;
    shop.refresh_catalog().await;
    let ada = buyer(&shop).await;
    ada.buy(&shop, "early", 1).await;
    assert_eq!(ada.tickets().await[0]["event"], "Symposium");
    shop.advance(chrono::TimeDelta::minutes(2));
    shop.run_jobs().await;
    assert_eq!(taken(&shop, "job").await, 0);
    assert_sound(&shop.breaches().await);
}
