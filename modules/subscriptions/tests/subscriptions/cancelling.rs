//! Cancelling: at once, with the period, and taken back.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::from_shop::FromShop;
use stoa_core::payments::Payments;
use stoa_core::testing::{TestShop, both_databases};

use crate::kit::{Buyer, assert_sound, at, builder, heard, pay, renew_at, renew_on, shop_at, told};

async fn subscribed(backend: Backend) -> (TestShop, Buyer) {
    let shop = shop_at(builder(backend), "2026-01-31T12:00:00Z").await;
    let ada = Buyer::new(&shop).await;
    ada.buy(&shop, 1).await;
    (shop, ada)
}

async fn run(shop: &TestShop, arguments: &[&str]) -> String {
    shop.command(&[&["subscriptions"], arguments].concat()).await.expect_success()
}

async fn refused(shop: &TestShop, arguments: &[&str]) -> String {
    shop.command(&[&["subscriptions"], arguments].concat()).await.expect_failure(1)
}

both_databases!(a_cancelled_subscription_ends_with_its_period_and_is_billed_no_more);
async fn a_cancelled_subscription_ends_with_its_period_and_is_billed_no_more(backend: Backend) {
    let (shop, ada) = subscribed(backend).await;
    run(&shop, &["cancel", "S-000001"]).await;
    // Once more changes nothing.
    run(&shop, &["cancel", "1"]).await;
    let leaving = ada.subscription(1).await;
    assert_eq!((&leaving["status"], &leaving["cancel_at_period_end"]), (&json!("active"), &json!(true)));
    assert_eq!(leaving["next_billing_at"], json!(null));
    renew_on(&shop, at("2026-02-28T11:59:59Z")).await;
    assert_eq!(ada.subscription(1).await["status"], "active");
    assert_eq!(heard(&shop).await, []);
    renew_on(&shop, at("2026-02-28T12:00:00Z")).await;
    renew_on(&shop, at("2026-02-28T12:00:00Z")).await;
    assert_eq!(ada.subscription(1).await["status"], "ended");
    assert_eq!(heard(&shop).await, [told("EntitlementEnded", 1)]);
    assert_eq!(ada.orders().await.0, 1);
    assert!(refused(&shop, &["resume", "1"]).await.contains("ended"));
    assert!(refused(&shop, &["cancel", "1"]).await.contains("ended"));
    assert_sound(&shop).await;
}

both_databases!(one_that_is_cancelled_now_is_over_now);
async fn one_that_is_cancelled_now_is_over_now(backend: Backend) {
    let (shop, ada) = subscribed(backend).await;
    renew_on(&shop, at("2026-02-22T12:00:00Z")).await;
    let (_, renewal) = ada.orders().await;
    let shown = shop.command(&["subscriptions", "cancel", "1", "--now", "--json"]).await.json();
    assert_eq!((&shown["status"], &shown["end_reason"]), (&json!("cancelled"), &json!("cancelled_now")));
    assert_eq!(ada.subscription(1).await["status"], "cancelled");
    assert_eq!(ada.order(renewal).await["status"], "cancelled", "renewals end with their subscription");
    shop.run_jobs().await;
    assert_eq!(heard(&shop).await, [told("EntitlementEnded", 1)]);
    assert!(refused(&shop, &["cancel", "1", "--now"]).await.contains("cancelled"));
    assert!(refused(&shop, &["resume", "1"]).await.contains("cancelled"));
    renew_on(&shop, at("2026-06-01T12:00:00Z")).await;
    assert_eq!(ada.orders().await.0, 2);
    assert_sound(&shop).await;
}

both_databases!(a_cancellation_that_is_taken_back_never_was);
async fn a_cancellation_that_is_taken_back_never_was(backend: Backend) {
    let (shop, ada) = subscribed(backend).await;
    assert!(refused(&shop, &["resume", "1"]).await.contains("not cancelled"));
    renew_on(&shop, at("2026-02-22T12:00:00Z")).await;
    let (_, withdrawn) = ada.orders().await;
    run(&shop, &["cancel", "1"]).await;
    assert_eq!(ada.order(withdrawn).await["status"], "cancelled");
    assert_eq!(ada.subscription(1).await["renewal_order_id"], json!(null));
    run(&shop, &["resume", "1"]).await;
    let back = ada.subscription(1).await;
    assert_eq!((&back["status"], &back["cancel_at_period_end"]), (&json!("active"), &json!(false)));
    renew_on(&shop, at("2026-02-23T12:00:00Z")).await;
    renew_on(&shop, at("2026-02-23T12:00:00Z")).await;
    let (count, order) = ada.orders().await;
    assert_eq!(count, 3);
    pay(&shop, order).await;
    renew_on(&shop, at("2026-03-01T12:00:00Z")).await;
    let renewed = ada.subscription(1).await;
    assert_eq!(
        (&renewed["status"], &renewed["current_period_end"]),
        (&json!("active"), &json!("2026-03-31T12:00:00Z"))
    );
    assert_eq!(heard(&shop).await, []);
    assert_sound(&shop).await;
}

both_databases!(what_was_paid_ahead_is_used_before_it_ends);
async fn what_was_paid_ahead_is_used_before_it_ends(backend: Backend) {
    let (shop, ada) = subscribed(backend).await;
    renew_on(&shop, at("2026-02-22T12:00:00Z")).await;
    let (_, order) = ada.orders().await;
    // The listener has not heard of the payment when the operator cancels.
    stoa_core::payments::record_payment(&Payments::from_shop(&shop.parts), order).await.expect("it is paid");
    run(&shop, &["cancel", "1"]).await;
    shop.run_jobs().await;
    assert_eq!(ada.order(order).await["status"], "paid");
    renew_on(&shop, at("2026-03-15T12:00:00Z")).await;
    assert_eq!(ada.subscription(1).await["status"], "active");
    renew_on(&shop, at("2026-03-31T12:00:00Z")).await;
    assert_eq!(ada.subscription(1).await["status"], "ended");
    assert_sound(&shop).await;
}

both_databases!(an_overdue_one_that_is_cancelled_has_no_period_left);
async fn an_overdue_one_that_is_cancelled_has_no_period_left(backend: Backend) {
    let (shop, ada) = subscribed(backend).await;
    renew_on(&shop, at("2026-03-02T12:00:00Z")).await;
    assert_eq!(ada.subscription(1).await["status"], "past_due");
    run(&shop, &["cancel", "1"]).await;
    assert_eq!(ada.subscription(1).await["status"], "ended");
    let (_, order) = ada.orders().await;
    assert_eq!(ada.order(order).await["status"], "cancelled");
    assert_sound(&shop).await;
}

both_databases!(one_that_has_not_begun_is_cancelled_with_its_order);
async fn one_that_has_not_begun_is_cancelled_with_its_order(backend: Backend) {
    let shop = shop_at(builder(backend), "2026-01-31T12:00:00Z").await;
    let ada = Buyer::new(&shop).await;
    ada.place(1, "manual").await;
    assert!(refused(&shop, &["cancel", "1", "--now"]).await.contains("stoa order cancel O-000001"));
    assert_eq!(ada.subscription(1).await["status"], "pending");
}

both_databases!(an_order_that_could_not_be_cancelled_in_time_is_cancelled_by_the_job);
async fn an_order_that_could_not_be_cancelled_in_time_is_cancelled_by_the_job(backend: Backend) {
    use stoa_core::customers::anonymize_customer;
    let (shop, ada) = subscribed(backend).await;
    renew_on(&shop, at("2026-02-22T12:00:00Z")).await;
    let (_, order) = ada.orders().await;
    // The transaction ends the subscription; the program dies before the order of the renewal is cancelled.
    anonymize_customer(&shop.parts.db, ada.customer.id).await.expect("it is done");
    let status = async || {
        let found = stoa_core::orders::find_order(&shop.parts.db, &shop.parts.money, order).await;
        found.expect("it can be read").expect("there is one").order.status
    };
    assert_eq!(status().await, stoa_core::orders::OrderStatus::Pending);
    renew_at(&shop, shop.now()).await;
    assert_eq!(status().await, stoa_core::orders::OrderStatus::Cancelled);
}
