//! What can be bought, and what cannot.

use chrono::TimeDelta;
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use crate::kit::{assert_sound, builder, buyer, cancel, pay, product, seated, shop_with, taken, with};

both_databases!(nothing_is_issued_before_the_order_is_paid);
async fn nothing_is_issued_before_the_order_is_paid(backend: Backend) {
    let shop = shop_with(backend, 10).await;
    let ada = buyer(&shop).await;
    let order = ada.place(&shop, "standing", 2).await;
    shop.run_jobs().await;
    assert_eq!((ada.tickets().await.len(), taken(&shop, "standing").await), (0, 2));
    pay(&shop, &order).await;
    shop.run_jobs().await;
    assert_eq!((ada.tickets().await.len(), taken(&shop, "standing").await), (2, 2));
    assert_sound(&shop.breaches().await);
}

both_databases!(no_more_is_sold_than_there_are_places);
async fn no_more_is_sold_than_there_are_places(backend: Backend) {
    let shop = shop_with(backend, 3).await;
    let (ada, bob) = (buyer(&shop).await, buyer(&shop).await);
    ada.place(&shop, "standing", 2).await;
    bob.fill(&shop, "standing", 2, &json!({})).await;
    let (reason, words) = bob.refusal_in_words().await;
    assert_eq!((reason.as_str(), words.as_str()), ("sold_out", "Only one ticket is left for “standing”."));
    assert_eq!(bob.client.get("/orders").await.json()["meta"]["total"], 0, "nothing of the order is left");
    let eve = buyer(&shop).await;
    eve.place(&shop, "standing", 1).await;
    assert_eq!(taken(&shop, "standing").await, 3);
    assert_sound(&shop.breaches().await);
}

both_databases!(the_lines_of_an_order_are_summed_up);
async fn the_lines_of_an_order_are_summed_up(backend: Backend) {
    let shop = builder(backend).open().await;
    shop.stock(&[seated("seats", &json!({"capacity": 2}))]).await;
    let ada = buyer(&shop).await;
    for seat in ["A1", "A2", "A3"] {
        ada.fill(&shop, "seats", 1, &json!({"seat": seat})).await;
    }
    assert_eq!(ada.refusal().await, "sold_out");
    assert_eq!(taken(&shop, "seats").await, 0);
}

both_databases!(a_cancelled_order_gives_its_places_back);
async fn a_cancelled_order_gives_its_places_back(backend: Backend) {
    let shop = builder(backend).open().await;
    shop.stock(&[seated("seats", &json!({"capacity": 1}))]).await;
    let (ada, bob) = (buyer(&shop).await, buyer(&shop).await);
    let order = ada.place_with(&shop, "seats", 1, &json!({"seat": "A1"})).await;
    cancel(&shop, &order).await;
    shop.run_jobs().await;
    assert_eq!(taken(&shop, "seats").await, 0, "it is given back once, though it is told twice");
    bob.buy_with(&shop, "seats", 1, &json!({"seat": "A1"})).await;
    assert_eq!((bob.tickets().await.len(), ada.tickets().await.len()), (1, 0));
    assert_sound(&shop.breaches().await);
}

both_databases!(an_order_that_is_not_paid_in_time_gives_its_places_back);
async fn an_order_that_is_not_paid_in_time_gives_its_places_back(backend: Backend) {
    let shop = shop_with(backend, 1).await;
    let (ada, bob) = (buyer(&shop).await, buyer(&shop).await);
    ada.place(&shop, "standing", 1).await;
    shop.advance(TimeDelta::days(20));
    shop.run_jobs().await;
    bob.place(&shop, "standing", 1).await;
    assert_sound(&shop.breaches().await);
}

both_databases!(a_free_order_has_its_tickets_at_once);
async fn a_free_order_has_its_tickets_at_once(backend: Backend) {
    let shop = builder(backend).open().await;
    shop.stock(&[with(product("free", &json!({})), &json!({"price_amount": 0}))]).await;
    let ada = buyer(&shop).await;
    assert_eq!(ada.place(&shop, "free", 2).await["status"], "paid");
    shop.run_jobs().await;
    assert_eq!(ada.statuses().await, ["issued", "issued"]);
    assert_sound(&shop.breaches().await);
}

both_databases!(a_past_event_cannot_be_bought);
async fn a_past_event_cannot_be_bought(backend: Backend) {
    let shop = builder(backend).open().await;
    shop.stock(&[
        product("past", &json!({"event": "Past", "starts_at": "2026-01-15T13:00:00+01:00"})),
        product("soon", &json!({"event": "Soon", "starts_at": "2026-01-15T13:00:01+01:00"})),
        product(
            "running",
            &json!({"event": "Running", "starts_at": "2026-01-15T08:00:00+01:00",
                                   "ends_at": "2026-01-15T13:00:01+01:00"}),
        ),
    ])
    .await;
    let ada = buyer(&shop).await;
    ada.place(&shop, "soon", 1).await;
    ada.place(&shop, "running", 1).await;
    ada.fill(&shop, "past", 1, &json!({})).await;
    assert_eq!(ada.refusal().await, "event_over");
    shop.advance(TimeDelta::seconds(1));
    for slug in ["soon", "running"] {
        let bob = buyer(&shop).await;
        bob.fill(&shop, slug, 1, &json!({})).await;
        assert_eq!(bob.refusal().await, "event_over", "{slug}");
    }
}

both_databases!(tickets_are_sold_in_their_time_alone);
async fn tickets_are_sold_in_their_time_alone(backend: Backend) {
    let shop = builder(backend).open().await;
    let window = json!({"on_sale_from": "2026-01-15T13:00:00Z", "on_sale_until": "2026-01-15T14:00:00Z"});
    shop.stock(&[product("window", &window)]).await;
    let ada = buyer(&shop).await;
    ada.fill(&shop, "window", 1, &json!({})).await;
    assert_eq!(ada.refusal().await, "not_on_sale");
    shop.advance(TimeDelta::hours(1));
    ada.check_out().await.expect_status(201);
    shop.advance(TimeDelta::hours(1));
    ada.fill(&shop, "window", 1, &json!({})).await;
    assert_eq!(ada.refusal().await, "not_on_sale");
}

both_databases!(a_product_without_an_event_is_not_on_sale);
async fn a_product_without_an_event_is_not_on_sale(backend: Backend) {
    let shop = builder(backend).open().await;
    shop.stock(&[with(product("nothing", &json!({})), &json!({"modules": {}}))]).await;
    let ada = buyer(&shop).await;
    ada.fill(&shop, "nothing", 1, &json!({})).await;
    assert_eq!(ada.refusal().await, "not_on_sale");
}

both_databases!(a_seat_of_an_event_is_sold_once);
async fn a_seat_of_an_event_is_sold_once(backend: Backend) {
    let shop = builder(backend).open().await;
    let balcony = json!({"ticket_type": "Balcony"});
    let other = json!({"starts_at": "2031-05-02T19:00:00+02:00"});
    shop.stock(&[seated("stalls", &json!({})), seated("balcony", &balcony), seated("friday", &other)]).await;
    let (ada, bob) = (buyer(&shop).await, buyer(&shop).await);
    ada.place_with(&shop, "stalls", 1, &json!({"seat": "A1"})).await;
    for slug in ["stalls", "balcony"] {
        bob.client.delete("/cart").await;
        let bob = buyer(&shop).await;
        bob.fill(&shop, slug, 1, &json!({"seat": "A1"})).await;
        assert_eq!(bob.refusal().await, "seat_taken", "{slug}");
    }
    bob.place_with(&shop, "stalls", 1, &json!({"seat": "A2"})).await;
    bob.place_with(&shop, "friday", 1, &json!({"seat": "A1"})).await;
    assert_sound(&shop.breaches().await);
}

both_databases!(a_seat_cannot_be_bought_twice_with_one_order);
async fn a_seat_cannot_be_bought_twice_with_one_order(backend: Backend) {
    let shop = builder(backend).open().await;
    shop.stock(&[seated("stalls", &json!({}))]).await;
    let (ada, bob) = (buyer(&shop).await, buyer(&shop).await);
    ada.fill(&shop, "stalls", 2, &json!({"seat": "A1"})).await;
    assert_eq!(ada.refusal().await, "seat_taken");
    // Lines that differ in the name have one seat all the same.
    for holder in ["Bob", "Bobby"] {
        bob.fill(&shop, "stalls", 1, &json!({"seat": "A1", "holder": holder})).await;
    }
    assert_eq!(bob.refusal().await, "seat_taken");
    assert_eq!(taken(&shop, "stalls").await, 0);
}

both_databases!(types_share_a_capacity_beside_their_own);
async fn types_share_a_capacity_beside_their_own(backend: Backend) {
    let shop = builder(backend).open().await;
    let hall = json!({"name": "Hall", "capacity": 5});
    shop.stock(&[
        product("seat", &json!({"ticket_type": "Seat", "capacity": 2, "shared_capacity": hall})),
        product("standing", &json!({"capacity": 4, "shared_capacity": hall})),
        product("box", &json!({"ticket_type": "Box", "capacity": 2, "shared_capacity": hall})),
    ])
    .await;
    let (ada, bob, eve) = (buyer(&shop).await, buyer(&shop).await, buyer(&shop).await);
    ada.place(&shop, "standing", 3).await;
    let order = bob.place(&shop, "seat", 2).await;
    eve.fill(&shop, "standing", 1, &json!({})).await;
    let (reason, words) = eve.refusal_in_words().await;
    assert_eq!((reason.as_str(), words.as_str()), ("sold_out", "“standing” is sold out."), "the hall has no room");
    assert_sound(&shop.breaches().await);
    cancel(&shop, &order).await;
    eve.check_out().await.expect_status(201);
    let quotas = shop.command(&["event-tickets", "quota", "list", "--json"]).await.json();
    assert_eq!(quotas["data"], json!([{"event": "symposium-1", "name": "Hall", "capacity": 5, "taken": 4}]));
    let dan = buyer(&shop).await;
    for slug in ["seat", "box"] {
        dan.fill(&shop, slug, 1, &json!({})).await;
    }
    let (reason, words) = dan.refusal_in_words().await;
    assert_eq!((reason.as_str(), words.as_str()), ("sold_out", "Only one place is left for these tickets together."));
    assert_sound(&shop.breaches().await);
}

both_databases!(an_order_may_have_so_many_tickets_of_a_product);
async fn an_order_may_have_so_many_tickets_of_a_product(backend: Backend) {
    let shop = builder(backend).config("[modules.event_tickets]\nmax_per_order = 2").open().await;
    shop.stock(&[product("standing", &json!({}))]).await;
    let ada = buyer(&shop).await;
    ada.fill(&shop, "standing", 3, &json!({})).await;
    assert_eq!(ada.refusal().await, "too_many_tickets");
    let bob = buyer(&shop).await;
    bob.place(&shop, "standing", 2).await;
}

#[test]
fn impossible_settings_stop_the_start() {
    let config = "[modules.event_tickets]\nrevocation_days = 0";
    let Err(problems) = builder(Backend::Sqlite).config(config).freeze() else { panic!("it is accepted") };
    assert!(problems.to_string().contains("`modules.event_tickets.revocation_days`"), "{problems}");
}
