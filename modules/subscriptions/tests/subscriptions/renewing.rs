//! Renewals: when, how many, and at which price.

use chrono::{Months, TimeDelta};
use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::from_shop::FromShop;
use stoa_core::jobs::RunOutcome;
use stoa_core::orders::{CancelReason, cancel_order};
use stoa_core::payments::Payments;
use stoa_core::testing::both_databases;

use crate::kit::{
    Buyer, assert_sound, at, billing, builder, import, monthly, pay, product, renew_at, renew_on, shop_at, work_on,
};

const JANUARY_31: &str = "2026-01-31T12:00:00Z";

both_databases!(two_years_of_renewals_from_31_january_are_24_orders_on_the_last_days_of_the_months);
async fn two_years_of_renewals_from_31_january_are_24_orders_on_the_last_days_of_the_months(backend: Backend) {
    let shop = shop_at(builder(backend), JANUARY_31).await;
    let ada = Buyer::new(&shop).await;
    ada.buy(&shop, 1).await;
    for month in 1..=24_u32 {
        let ends_at = at(JANUARY_31) + Months::new(month);
        let before = ada.subscription(1).await;
        assert_eq!(at(before["current_period_end"].as_str().expect("a time")), ends_at, "month {month}");
        renew_on(&shop, ends_at - TimeDelta::days(7) - TimeDelta::seconds(1)).await;
        assert_eq!(ada.orders().await.0, i64::from(month), "not too early");
        renew_on(&shop, ends_at - TimeDelta::days(7)).await;
        // Whatever is repeated, and in parallel.
        renew_on(&shop, ends_at - TimeDelta::days(7)).await;
        let now = shop.now();
        tokio::join!(renew_at(&shop, now), renew_at(&shop, now), shop.run_jobs());
        let (count, order) = ada.orders().await;
        assert_eq!((count, ada.invoices().await), (i64::from(month) + 1, i64::from(month) + 1), "month {month}");
        let placed = ada.order(order).await;
        assert_eq!((&placed["status"], &placed["total_amount"]), (&json!("pending"), &json!(1995)));
        assert_eq!(ada.subscription(1).await["renewal_order_id"], order);
        pay(&shop, order).await;
        let after = ada.subscription(1).await;
        assert_eq!(
            (&after["status"], &after["current_period_start"]),
            (&json!("active"), &before["current_period_end"])
        );
    }
    let last = ada.subscription(1).await;
    assert_eq!(last["current_period_start"], "2028-01-31T12:00:00Z");
    assert_eq!(last["current_period_end"], "2028-02-29T12:00:00Z");
    assert_sound(&shop).await;
}

both_databases!(a_run_as_of_a_later_time_renews_and_its_payment_counts_today);
async fn a_run_as_of_a_later_time_renews_and_its_payment_counts_today(backend: Backend) {
    let shop = shop_at(builder(backend), JANUARY_31).await;
    let ada = Buyer::new(&shop).await;
    ada.buy(&shop, 1).await;
    for (run_at, period) in [
        ("2026-02-25T12:00:00Z", ("2026-02-28T12:00:00Z", "2026-03-31T12:00:00Z")),
        ("2026-03-31T12:00:00Z", ("2026-03-31T12:00:00Z", "2026-04-30T12:00:00Z")),
        ("2026-05-02T12:00:00Z", ("2026-04-30T12:00:00Z", "2026-05-31T12:00:00Z")),
    ] {
        assert_eq!(renew_at(&shop, at(run_at)).await, RunOutcome::Done);
        assert_eq!(renew_at(&shop, at(run_at)).await, RunOutcome::Done);
        let (_, order) = ada.orders().await;
        pay(&shop, order).await;
        let paid = ada.subscription(1).await;
        assert_eq!((&paid["current_period_start"], &paid["current_period_end"]), (&json!(period.0), &json!(period.1)));
        assert_eq!(paid["status"], "active");
    }
    assert_eq!(ada.orders().await.0, 4);
    assert_sound(&shop).await;
}

both_databases!(the_price_stays_as_it_was_agreed_on_and_the_tax_is_that_of_today);
async fn the_price_stays_as_it_was_agreed_on_and_the_tax_is_that_of_today(backend: Backend) {
    let taxed = builder(backend).config("[tax]\nrates = { NL = 2100 }");
    let shop = shop_at(taxed, JANUARY_31).await;
    let ada = Buyer::new(&shop).await;
    ada.buy(&shop, 1).await;
    assert_eq!(import(&shop, &[product("tea", 9999, json!({"interval": "year"}), &[])]).await, [""; 0]);
    renew_on(&shop, at("2026-02-21T12:00:00Z")).await;
    let (_, order) = ada.orders().await;
    let renewal = ada.order(order).await;
    assert_eq!((&renewal["total_amount"], &renewal["tax_amount"]), (&json!(1995), &json!(346)));
    assert_eq!(renewal["items"][0]["label"], "The tea");
    assert_eq!(renewal["billing_address"]["city"], "Amsterdam");
    assert_eq!(renewal["invoice"]["status"], "issued");
    pay(&shop, order).await;
    let renewed = ada.subscription(1).await;
    assert_eq!((&renewed["interval"], &renewed["price_amount"]), (&json!("month"), &json!(1995)));
    // Who subscribes today gets today's plan.
    let bob = Buyer::new(&shop).await;
    bob.buy(&shop, 1).await;
    assert_eq!(bob.client.get("/subscriptions").await.json()["data"][0]["price_amount"], 9999);
}

both_databases!(a_renewal_does_not_expire_and_delivers_nothing_that_was_granted_once);
async fn a_renewal_does_not_expire_and_delivers_nothing_that_was_granted_once(backend: Backend) {
    let shop = builder(backend).open().await;
    let box_of_tea = product("box", 2500, monthly(), &["shippable", "counted"]);
    assert_eq!(import(&shop, &[box_of_tea]).await, [""; 0]);
    let ada = Buyer::new(&shop).await;
    ada.client.post("/cart", &json!({"product_id": 1})).await.expect_status(200);
    let body = json!({"billing": billing(), "shipping_method_id": "standard"});
    let order = ada.client.post("/checkout", &body).await.expect_status(201).json()["data"]["id"].clone();
    pay(&shop, order.as_i64().expect("an id")).await;
    renew_on(&shop, shop.now() + TimeDelta::days(25)).await;
    let (count, renewal) = ada.orders().await;
    assert_eq!(count, 2);
    let lines = stoa_core::orders::sold_lines(&shop.parts.db, renewal).await.expect("they can be read");
    assert_eq!(lines[0].capabilities, ["shippable"]);
    assert_eq!(Value::Object(lines[0].module_settings.clone()), json!({}));
    let placed = ada.order(renewal).await;
    assert_eq!(placed["fulfillment_status"], "unfulfilled");
    assert_eq!(placed["shipping_address"]["city"], "Amsterdam");
    work_on(&shop, shop.now() + TimeDelta::days(5)).await;
    assert_eq!(ada.order(renewal).await["status"], "pending", "only its subscription ends it");
    assert_eq!(ada.subscription(1).await["status"], "active");
    assert_eq!(ada.client.get("/subscriptions").await.json()["meta"]["total"], 1);
}

both_databases!(after_three_months_of_downtime_the_oldest_period_is_billed_first_and_one_at_a_time);
async fn after_three_months_of_downtime_the_oldest_period_is_billed_first_and_one_at_a_time(backend: Backend) {
    let shop = shop_at(builder(backend), JANUARY_31).await;
    let ada = Buyer::new(&shop).await;
    ada.buy(&shop, 1).await;
    shop.advance(at("2026-05-01T12:00:00Z") - shop.now());
    for (orders, (start, end)) in [
        (2, ("2026-02-28T12:00:00Z", "2026-03-31T12:00:00Z")),
        (3, ("2026-03-31T12:00:00Z", "2026-04-30T12:00:00Z")),
        (4, ("2026-04-30T12:00:00Z", "2026-05-31T12:00:00Z")),
    ] {
        renew_on(&shop, shop.now()).await;
        renew_on(&shop, shop.now()).await;
        let (count, order) = ada.orders().await;
        assert_eq!(count, orders, "one bill at a time");
        assert_eq!(ada.subscription(1).await["status"], "past_due");
        pay(&shop, order).await;
        let paid = ada.subscription(1).await;
        assert_eq!((&paid["current_period_start"], &paid["current_period_end"]), (&json!(start), &json!(end)));
    }
    renew_on(&shop, shop.now()).await;
    assert_eq!(ada.orders().await.0, 4);
    assert_eq!(ada.subscription(1).await["status"], "active");
    assert_sound(&shop).await;
}

both_databases!(after_downtime_one_run_charges_no_more_periods_than_it_may);
async fn after_downtime_one_run_charges_no_more_periods_than_it_may(backend: Backend) {
    let config = "[payments.development]\nenabled = true\n[modules.subscriptions]\ncatch_up_periods = 2";
    let shop = shop_at(builder(backend).config(config), JANUARY_31).await;
    let ada = Buyer::new(&shop).await;
    ada.place(1, "development").await;
    shop.run_jobs().await;
    shop.advance(at("2026-05-01T12:00:00Z") - shop.now());
    renew_on(&shop, shop.now()).await;
    assert_eq!(ada.orders().await.0, 3);
    assert_eq!(ada.subscription(1).await["current_period_end"], "2026-04-30T12:00:00Z");
    renew_on(&shop, shop.now() + TimeDelta::minutes(1)).await;
    assert_eq!(ada.orders().await.0, 4);
    let caught_up = ada.subscription(1).await;
    assert_eq!(
        (&caught_up["status"], &caught_up["current_period_end"]),
        (&json!("active"), &json!("2026-05-31T12:00:00Z"))
    );
    renew_on(&shop, shop.now()).await;
    assert_eq!(ada.orders().await.0, 4);
    assert_sound(&shop).await;
}

both_databases!(a_renewal_that_is_refused_is_tried_again_and_told);
async fn a_renewal_that_is_refused_is_tried_again_and_told(backend: Backend) {
    let shop = builder(backend).open().await;
    assert_eq!(import(&shop, &[product("box", 2500, monthly(), &["shippable"])]).await, [""; 0]);
    let ada = Buyer::new(&shop).await;
    ada.client.post("/cart", &json!({"product_id": 1})).await.expect_status(200);
    let body = json!({"billing": billing(), "shipping_method_id": "standard"});
    let order = ada.client.post("/checkout", &body).await.expect_status(201).json()["data"]["id"].clone();
    pay(&shop, order.as_i64().expect("an id")).await;
    // The shop delivers nowhere where Ada lives any more.
    let elsewhere = "[[shipping.methods]]\nid = \"local\"\nlabel = \"Local\"\namount = 0\ncountries = [\"DE\"]";
    let moved = builder(backend).config(elsewhere).on(shop.database()).clock(&shop.clock).seed(2).open().await;
    let due = shop.now() + TimeDelta::days(25);
    assert_eq!(renew_at(&moved, due).await, RunOutcome::Done);
    let shown = moved.command(&["subscriptions", "show", "1", "--json"]).await.json();
    assert!(shown["last_error"].as_str().is_some_and(|error| error.contains("NL")), "{shown}");
    assert_eq!((shown["status"].as_str(), ada.orders().await.0), (Some("active"), 1));
    // Within the hour nobody is bothered again; then the shop that can deliver does.
    assert_eq!(renew_at(&moved, due).await, RunOutcome::Done);
    renew_on(&shop, due + TimeDelta::hours(1)).await;
    assert_eq!(ada.orders().await.0, 2);
    let shown = shop.command(&["subscriptions", "show", "1", "--json"]).await.json();
    assert_eq!(shown["last_error"], json!(null));
    assert_sound(&shop).await;
}

both_databases!(a_renewal_that_cannot_be_placed_holds_up_no_other);
async fn a_renewal_that_cannot_be_placed_holds_up_no_other(backend: Backend) {
    let shop = builder(backend).open().await;
    let products = [product("box", 2500, monthly(), &["shippable"]), product("tea", 1995, monthly(), &[])];
    assert_eq!(import(&shop, &products).await, [""; 0]);
    let ada = Buyer::new(&shop).await;
    for (product, shipping) in [(1, json!("standard")), (2, json!(null))] {
        ada.client.post("/cart", &json!({"product_id": product})).await.expect_status(200);
        let body = json!({"billing": billing(), "shipping_method_id": shipping});
        let order = ada.client.post("/checkout", &body).await.expect_status(201).json()["data"]["id"].clone();
        pay(&shop, order.as_i64().expect("an id")).await;
    }
    let elsewhere = "[[shipping.methods]]\nid = \"local\"\nlabel = \"Local\"\namount = 0\ncountries = [\"DE\"]";
    let moved = builder(backend).config(elsewhere).on(shop.database()).clock(&shop.clock).seed(2).open().await;
    assert_eq!(renew_at(&moved, shop.now() + TimeDelta::days(25)).await, RunOutcome::Done);
    let renewed = [ada.subscription(1).await, ada.subscription(2).await];
    let renewed = renewed.map(|subscription| subscription["renewal_order_id"].is_i64());
    assert_eq!(renewed, [false, true]);
    assert_sound(&shop).await;
}

both_databases!(whoever_cancels_the_order_of_a_renewal_does_not_want_the_next_period);
async fn whoever_cancels_the_order_of_a_renewal_does_not_want_the_next_period(backend: Backend) {
    let shop = shop_at(builder(backend), JANUARY_31).await;
    let ada = Buyer::new(&shop).await;
    ada.buy(&shop, 1).await;
    renew_on(&shop, at("2026-02-22T12:00:00Z")).await;
    let (_, order) = ada.orders().await;
    cancel_order(&Payments::from_shop(&shop.parts), order, CancelReason::Operator).await.expect("it is cancelled");
    shop.run_jobs().await;
    let leaving = ada.subscription(1).await;
    assert_eq!((&leaving["status"], &leaving["cancel_at_period_end"]), (&json!("active"), &json!(true)));
    renew_on(&shop, at("2026-02-27T12:00:00Z")).await;
    assert_eq!(ada.orders().await.0, 2);
    // It can be taken back, and the period is billed after all.
    shop.command(&["subscriptions", "resume", "1"]).await.expect_success();
    renew_on(&shop, at("2026-02-27T13:00:00Z")).await;
    assert_eq!(ada.orders().await.0, 3);
    assert_sound(&shop).await;
}

both_databases!(short_periods_are_not_billed_before_they_have_begun);
async fn short_periods_are_not_billed_before_they_have_begun(backend: Backend) {
    let shop = builder(backend).open().await;
    assert_eq!(import(&shop, &[product("paper", 100, json!({"interval": "day"}), &[])]).await, [""; 0]);
    let ada = Buyer::new(&shop).await;
    ada.buy(&shop, 1).await;
    renew_on(&shop, shop.now()).await;
    assert_eq!(ada.orders().await.0, 1);
    renew_on(&shop, shop.now() + TimeDelta::hours(12)).await;
    let (count, order) = ada.orders().await;
    assert_eq!(count, 2);
    pay(&shop, order).await;
    renew_on(&shop, shop.now()).await;
    assert_eq!(ada.orders().await.0, 2, "a day that is paid ahead is not followed by another bill at once");
    assert_sound(&shop).await;
}
