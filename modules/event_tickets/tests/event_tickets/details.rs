//! What customers are told of a ticket before they buy it.

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, both_databases};

use crate::kit::{buyer, cancel, id_of, product, refund, shop_with};

/// What the product says, alone and in the list, which must be the same.
async fn told(shop: &TestShop, slug: &str) -> Value {
    let shown = shop.client().get(&format!("/products/{slug}")).await.expect_status(200).json();
    let listed = shop.client().get("/products").await.expect_status(200).json();
    let listed = listed["data"].as_array().expect("a list").iter().find(|product| product["slug"] == slug).cloned();
    let details = shown["data"]["details"]["event_tickets"].clone();
    assert_eq!(listed.expect("it is listed")["details"]["event_tickets"], details);
    details
}

both_databases!(a_product_tells_its_event_and_every_sale_at_once);
async fn a_product_tells_its_event_and_every_sale_at_once(backend: Backend) {
    let shop = shop_with(backend, 5).await;
    let all = json!({"event": "Symposium", "venue": "Agora", "starts_at": "2031-05-01T17:00:00Z",
                     "starts_at_local": "2031-05-01T19:00:00",
                     "ticket_type": "Standing", "places_left": 5});
    assert_eq!(told(&shop, "standing").await, all);
    let left = async || told(&shop, "standing").await["places_left"].clone();
    let ada = buyer(&shop).await;
    let order = ada.place(&shop, "standing", 2).await;
    assert_eq!(left().await, 3, "reserved is taken");
    cancel(&shop, &order).await;
    assert_eq!(left().await, 5);
    let order = ada.buy(&shop, "standing", 4).await;
    assert_eq!(left().await, 1);
    refund(&shop, &order, 1).await;
    shop.run_jobs().await;
    assert_eq!(left().await, 2);
    ada.fill(&shop, "standing", 1, &json!({})).await;
    let cart = ada.client.get("/cart").await.expect_status(200).json();
    assert_eq!(cart["data"]["lines"][0]["details"]["event_tickets"], told(&shop, "standing").await);
}

both_databases!(places_that_types_share_and_lowered_capacities_are_told);
async fn places_that_types_share_and_lowered_capacities_are_told(backend: Backend) {
    let shop = shop_with(backend, 5).await;
    let shared = json!({"shared_capacity": {"name": "Hall", "capacity": 4}, "capacity": 3});
    let more = json!({"shared_capacity": {"name": "Hall", "capacity": 4}, "capacity": 100, "ticket_type": "Balcony"});
    shop.stock(&[product("standing", &shared), product("balcony", &more)]).await;
    let left = async |slug: &str| told(&shop, slug).await["places_left"].clone();
    assert_eq!((left("standing").await, left("balcony").await), (json!(3), json!(4)));
    let ada = buyer(&shop).await;
    ada.place(&shop, "balcony", 2).await;
    assert_eq!((left("standing").await, left("balcony").await), (json!(2), json!(2)));
    shop.stock(&[product("balcony", &json!({"capacity": 1, "ticket_type": "Balcony"}))]).await;
    assert_eq!(left("balcony").await, 0, "there are never fewer than none");
}

both_databases!(what_the_operator_changes_of_an_event_is_told);
async fn what_the_operator_changes_of_an_event_is_told(backend: Backend) {
    let shop = shop_with(backend, 5).await;
    let changed = ["event-tickets", "event", "set", "symposium-1", "--venue", "Stoa Poikile"];
    assert_eq!(shop.command(&changed).await.code, 0);
    assert_eq!(told(&shop, "standing").await["venue"], "Stoa Poikile");
    let id = id_of(&shop, "standing").await;
    shop.stock(&[json!({"type": "product", "slug": "standing", "modules": {"event_tickets": null}})]).await;
    assert_eq!(told(&shop, "standing").await, Value::Null, "product {id} sells nothing");
}
