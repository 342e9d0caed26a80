//! Trials: the first period, which costs nothing.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, both_databases};

use crate::kit::{Buyer, assert_sound, at, billing, builder, import, pay, product, renew_on, shop_at};

async fn with_trial(backend: Backend, days: i64) -> (TestShop, Buyer) {
    let shop = shop_at(builder(backend), "2026-01-17T12:00:00Z").await;
    let plan = json!({"interval": "month", "trial_days": days});
    assert_eq!(import(&shop, &[product("tea", 1995, plan, &[])]).await, [""; 0]);
    let ada = Buyer::new(&shop).await;
    (shop, ada)
}

both_databases!(a_trial_is_the_first_period_and_costs_nothing_in_cart_and_order);
async fn a_trial_is_the_first_period_and_costs_nothing_in_cart_and_order(backend: Backend) {
    let (shop, ada) = with_trial(backend, 14).await;
    let cart = ada.client.post("/cart", &json!({"product_id": 1, "quantity": 2})).await.expect_status(200).json();
    let line = &cart["data"]["lines"][0];
    assert_eq!((&line["unit_amount"], &line["available"]), (&json!(0), &json!(true)));
    assert_eq!(cart["data"]["subtotal_amount"], 0);
    let body = json!({"billing": billing(), "expected_total_amount": 0});
    let order = ada.client.post("/checkout", &body).await.expect_status(201).json()["data"].clone();
    // It is paid in the transaction that places it.
    assert_eq!((&order["status"], &order["total_amount"]), (&json!("paid"), &json!(0)));
    shop.run_jobs().await;
    let trial = ada.subscription(2).await;
    assert_eq!((&trial["status"], &trial["price_amount"]), (&json!("active"), &json!(1995)));
    assert_eq!(trial["current_period_end"], "2026-01-31T12:00:00Z");
    assert_eq!(trial["next_billing_at"], "2026-01-24T12:00:00Z");
    assert_sound(&shop).await;
}

both_databases!(what_follows_the_trial_is_billed_at_the_full_price_and_counts_from_its_end);
async fn what_follows_the_trial_is_billed_at_the_full_price_and_counts_from_its_end(backend: Backend) {
    let (shop, ada) = with_trial(backend, 14).await;
    ada.place(1, "manual").await;
    shop.run_jobs().await;
    for (bill_at, end) in [
        ("2026-01-24T12:00:00Z", "2026-02-28T12:00:00Z"),
        ("2026-02-21T12:00:00Z", "2026-03-31T12:00:00Z"),
        ("2026-03-24T12:00:00Z", "2026-04-30T12:00:00Z"),
    ] {
        renew_on(&shop, at(bill_at)).await;
        let (_, order) = ada.orders().await;
        assert_eq!(ada.order(order).await["total_amount"], 1995);
        pay(&shop, order).await;
        assert_eq!(ada.subscription(1).await["current_period_end"], end);
    }
    assert_eq!(ada.orders().await.0, 4);
    assert_sound(&shop).await;
}

both_databases!(a_trial_that_is_cancelled_costs_nothing);
async fn a_trial_that_is_cancelled_costs_nothing(backend: Backend) {
    let (shop, ada) = with_trial(backend, 14).await;
    ada.place(1, "manual").await;
    shop.run_jobs().await;
    renew_on(&shop, at("2026-01-25T12:00:00Z")).await;
    shop.command(&["subscriptions", "cancel", "1"]).await.expect_success();
    renew_on(&shop, at("2026-01-31T12:00:00Z")).await;
    assert_eq!(ada.subscription(1).await["status"], "ended");
    let (_, order) = ada.orders().await;
    assert_eq!(ada.order(order).await["status"], "cancelled");
    assert_sound(&shop).await;
}

both_databases!(a_trial_that_nobody_pays_on_falls_due_with_its_end);
async fn a_trial_that_nobody_pays_on_falls_due_with_its_end(backend: Backend) {
    let (shop, ada) = with_trial(backend, 14).await;
    ada.place(1, "manual").await;
    shop.run_jobs().await;
    renew_on(&shop, at("2026-01-31T11:59:59Z")).await;
    assert_eq!(ada.subscription(1).await["status"], "active");
    renew_on(&shop, at("2026-01-31T12:00:00Z")).await;
    assert_eq!(ada.subscription(1).await["status"], "past_due");
    assert_sound(&shop).await;
}

both_databases!(a_product_that_is_no_subscription_has_its_price_whatever_its_settings_say);
async fn a_product_that_is_no_subscription_has_its_price_whatever_its_settings_say(backend: Backend) {
    let (shop, ada) = with_trial(backend, 14).await;
    let plan = json!({"interval": "month", "trial_days": 14});
    let mut plain = product("plain", 500, plan, &[]);
    if let stoa_core::catalog::Record::Product(product) = &mut plain {
        product.capabilities = stoa_core::catalog::Member::Value(Vec::new());
    }
    assert_eq!(import(&shop, &[plain]).await, [""; 0]);
    let plain = shop.client().get("/products/plain").await.expect_status(200).json()["data"]["id"].clone();
    let cart = ada.client.post("/cart", &json!({"product_id": plain})).await.expect_status(200).json();
    assert_eq!(cart["data"]["subtotal_amount"], 500);
}
