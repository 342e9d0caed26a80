//! Orders that stay unpaid (contract 2.3).

use chrono::TimeDelta;
use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::gateways::AttemptStatus;
use stoa_core::jobs::{RunOutcome, run_job};
use stoa_core::payments::PaymentStatus;
use stoa_core::testing::{TestShop, both_databases};

use crate::scripted::{Says, Script};
use crate::shelf::{Buyer, builder, buyer, fill, history, pay_with, record, shop};

/// Runs the job that cancels unpaid orders; true if nothing was in its way.
async fn expire(shop: &TestShop) -> bool {
    let ran = run_job(&shop.parts, &shop.registry.jobs, "orders.expire", shop.clock.clone()).await;
    ran.expect("the database can be reached") == RunOutcome::Done
}

async fn place_for(shop: &TestShop, ada: &Buyer, method: &str) -> Value {
    ada.place_with(shop, &[("lamp", 1)], &json!({"payment_method": method})).await
}

both_databases!(an_order_ends_when_it_is_not_paid_in_time);
async fn an_order_ends_when_it_is_not_paid_in_time(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = place_for(&shop, &ada, "scripted").await;
    let by_hand = place_for(&shop, &ada, "manual").await;
    let begun_by_hand = place_for(&shop, &ada, "scripted").await;
    ada.pay(&begun_by_hand, &pay_with("manual")).await;
    let free = ada.place(&shop, &[("sample", 1)]).await;
    shop.advance(TimeDelta::minutes(1440) - TimeDelta::seconds(1));
    assert!(expire(&shop).await);
    assert_eq!(ada.read(&order).await["status"], "pending");
    shop.advance(TimeDelta::seconds(1));
    assert!(expire(&shop).await && expire(&shop).await);
    let ended = ada.read(&order).await;
    assert_eq!((&ended["status"], &ended["payment_status"]), (&json!("cancelled"), &json!("expired")));
    assert_eq!(record(&shop, &order).await.cancel_reason.as_deref(), Some("expired"));
    assert_eq!(history(&shop, &order).await, ["placed by customer", "cancelled by system"]);
    assert_eq!(ada.read(&free).await["status"], "paid");
    for order in [&by_hand, &begun_by_hand] {
        assert_eq!(ada.read(order).await["status"], "pending", "money by hand takes its time");
    }
    shop.advance(TimeDelta::minutes(20_160 - 1440) - TimeDelta::seconds(1));
    assert!(expire(&shop).await);
    assert_eq!(ada.read(&by_hand).await["status"], "pending");
    shop.advance(TimeDelta::seconds(1));
    assert!(expire(&shop).await);
    for order in [&by_hand, &begun_by_hand] {
        assert_eq!(ada.read(order).await["status"], "cancelled");
    }
}

both_databases!(an_order_to_be_paid_by_hand_may_also_end_sooner_than_others_or_never);
async fn an_order_to_be_paid_by_hand_may_also_end_sooner_than_others_or_never(backend: Backend) {
    for (minutes, expected) in [(30, Some(TimeDelta::minutes(30))), (0, None)] {
        let config = format!("[payments.manual]\nexpiry_minutes = {minutes}");
        let shop = builder(backend).config(&config).open().await;
        fill(&shop).await;
        let ada = buyer(&shop).await;
        let (by_hand, other) = (place_for(&shop, &ada, "manual").await, place_for(&shop, &ada, "scripted").await);
        assert_eq!(record(&shop, &by_hand).await.expires_at, expected.map(|time| shop.now() + time));
        assert_eq!(record(&shop, &other).await.expires_at, Some(shop.now() + TimeDelta::minutes(1440)));
    }
}

both_databases!(a_shop_may_wait_for_ever);
async fn a_shop_may_wait_for_ever(backend: Backend) {
    let shop = builder(backend).config("[orders]\nunpaid_expiry_minutes = 0").open().await;
    fill(&shop).await;
    let ada = buyer(&shop).await;
    let order = place_for(&shop, &ada, "manual").await;
    assert_eq!(record(&shop, &order).await.expires_at, None);
    shop.advance(TimeDelta::days(4000));
    assert!(expire(&shop).await);
    assert_eq!(record(&shop, &order).await.order.status.as_str(), "pending");
}

both_databases!(what_was_begun_to_pay_is_ended_at_the_provider_first);
async fn what_was_begun_to_pay_is_ended_at_the_provider_first(backend: Backend) {
    let (shop, script) = (shop(backend).await, Script::new());
    let ada = buyer(&shop).await;
    let order = place_for(&shop, &ada, "scripted").await;
    ada.pay(&order, &script.body()).await;
    shop.advance(TimeDelta::minutes(1440));
    assert!(expire(&shop).await);
    assert_eq!(script.asked().last().map(String::as_str), Some("cancel"));
    let ended = record(&shop, &order).await.order;
    assert_eq!(
        (ended.status.as_str(), ended.payment_status.map(PaymentStatus::as_str)),
        ("cancelled", Some("expired"))
    );
}

both_databases!(money_that_came_at_the_last_moment_pays_the_order);
async fn money_that_came_at_the_last_moment_pays_the_order(backend: Backend) {
    let (shop, script) = (shop(backend).await, Script::new());
    let ada = buyer(&shop).await;
    let order = place_for(&shop, &ada, "scripted").await;
    ada.pay(&order, &script.body()).await;
    script.cancel(Says::Is(AttemptStatus::Succeeded));
    shop.advance(TimeDelta::minutes(1440));
    assert!(expire(&shop).await);
    let paid = record(&shop, &order).await;
    assert_eq!((paid.order.status.as_str(), paid.review_reason), ("paid", None));
}

both_databases!(an_order_whose_money_is_on_its_way_is_left_alone);
async fn an_order_whose_money_is_on_its_way_is_left_alone(backend: Backend) {
    let (shop, script) = (shop(backend).await, Script::new());
    let ada = buyer(&shop).await;
    let order = place_for(&shop, &ada, "scripted").await;
    script.start(Says::Is(AttemptStatus::Processing));
    ada.pay(&order, &script.body()).await;
    let asked = script.asked();
    shop.advance(TimeDelta::days(30));
    assert!(expire(&shop).await);
    assert_eq!(record(&shop, &order).await.order.status.as_str(), "pending");
    assert_eq!(script.asked(), asked, "the provider is not even asked");
}

both_databases!(a_provider_that_cannot_be_reached_keeps_only_its_own_orders);
async fn a_provider_that_cannot_be_reached_keeps_only_its_own_orders(backend: Backend) {
    let (shop, script) = (shop(backend).await, Script::new());
    let ada = buyer(&shop).await;
    let stuck = place_for(&shop, &ada, "scripted").await;
    let other = place_for(&shop, &ada, "scripted").await;
    ada.pay(&stuck, &script.body()).await;
    script.cancel(Says::Nothing);
    shop.advance(TimeDelta::minutes(1440));
    assert!(!expire(&shop).await, "the operator sees that the job has failed");
    assert_eq!(record(&shop, &stuck).await.order.status.as_str(), "pending");
    assert_eq!(record(&shop, &other).await.order.status.as_str(), "cancelled");
    script.cancel(Says::Is(AttemptStatus::Cancelled));
    assert!(expire(&shop).await);
    assert_eq!(record(&shop, &stuck).await.order.status.as_str(), "cancelled");
}
