//! From the order to the subscription.

use chrono::TimeDelta;
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::from_shop::FromShop;
use stoa_core::orders::{CancelReason, cancel_order};
use stoa_core::payments::Payments;
use stoa_core::testing::both_databases;

use crate::kit::{
    Buyer, assert_sound, at, billing, builder, heard, id_of, import, monthly, pay, product, renew_on, shop_at,
};

const JANUARY_31: &str = "2026-01-31T12:00:00Z";

both_databases!(each_unit_becomes_a_subscription_that_begins_when_the_order_is_paid);
async fn each_unit_becomes_a_subscription_that_begins_when_the_order_is_paid(backend: Backend) {
    let shop = shop_at(builder(backend), JANUARY_31).await;
    let ada = Buyer::new(&shop).await;
    let order = ada.place(3, "manual").await;
    for id in 1..=3 {
        let pending = ada.subscription(id).await;
        assert_eq!((&pending["status"], &pending["order_id"]), (&json!("pending"), &order["id"]));
        assert_eq!((&pending["current_period_start"], &pending["next_billing_at"]), (&json!(null), &json!(null)));
    }
    pay(&shop, id_of(&order)).await;
    assert_eq!(
        ada.subscription(2).await,
        json!({
            "id": 2, "number": "S-000002", "status": "active", "product": {"id": 1, "slug": "tea", "name": "The tea"},
            "interval": "month", "interval_count": 1, "trial_days": 0, "price_amount": 1995, "price_formatted": "€19.95",
            "currency": "EUR", "current_period_start": "2026-01-31T12:00:00Z",
            "current_period_end": "2026-02-28T12:00:00Z", "next_billing_at": "2026-02-21T12:00:00Z",
            "cancel_at_period_end": false, "order_id": 1, "renewal_order_id": null,
        })
    );
    assert_eq!(ada.client.get("/subscriptions").await.json()["meta"]["total"], 3);
    assert_sound(&shop).await;
}

both_databases!(a_cancelled_order_starts_nothing);
async fn a_cancelled_order_starts_nothing(backend: Backend) {
    let shop = shop_at(builder(backend), JANUARY_31).await;
    let ada = Buyer::new(&shop).await;
    let order = id_of(&ada.place(2, "manual").await);
    cancel_order(&Payments::from_shop(&shop.parts), order, CancelReason::Expired).await.expect("it is cancelled");
    shop.run_jobs().await;
    assert_eq!(ada.subscription(1).await["status"], "cancelled");
    assert_eq!(ada.subscription(2).await["status"], "cancelled");
    renew_on(&shop, at("2026-06-01T12:00:00Z")).await;
    assert_eq!(ada.orders().await.0, 1);
    assert_eq!(heard(&shop).await, [], "what never began does not end");
    assert_sound(&shop).await;
}

both_databases!(a_payment_that_is_told_many_times_starts_once);
async fn a_payment_that_is_told_many_times_starts_once(backend: Backend) {
    use stoa_core::orders::{OrderPaid, OrderStatus};
    let shop = shop_at(builder(backend), JANUARY_31).await;
    let ada = Buyer::new(&shop).await;
    let order = ada.buy(&shop, 3).await;
    for _ in 0..5 {
        shop.advance(TimeDelta::days(1));
        let event = OrderPaid {
            order_id: order,
            order_number: String::from("O-000001"),
            customer_id: ada.customer.id,
            status: OrderStatus::Paid,
            total_amount: 5985,
            currency: String::from("EUR"),
            capabilities: None,
        };
        let parts = &shop.parts;
        parts.db.write(async |tx| tx.emit(&event).await).await.expect("it is written");
        // Two workers at once.
        tokio::join!(shop.run_jobs(), shop.run_jobs());
    }
    let started = ada.subscription(3).await;
    assert_eq!(started["current_period_start"], "2026-01-31T12:00:00Z");
    let shown = shop.command(&["subscriptions", "show", "3", "--json"]).await.json();
    assert_eq!(shown["periods"].as_array().map(Vec::len), Some(1));
    assert_sound(&shop).await;
}

both_databases!(a_product_without_a_plan_cannot_be_ordered);
async fn a_product_without_a_plan_cannot_be_ordered(backend: Backend) {
    let shop = shop_at(builder(backend), JANUARY_31).await;
    let ada = Buyer::new(&shop).await;
    let mut planless = product("planless", 100, monthly(), &[]);
    if let stoa_core::catalog::Record::Product(product) = &mut planless {
        product.modules = stoa_core::catalog::Member::Absent;
    }
    assert_eq!(import(&shop, &[planless]).await, [""; 0]);
    ada.client.post("/cart", &json!({"product_id": 2})).await.expect_status(200);
    let refused = ada.client.post("/checkout", &json!({"billing": billing()})).await;
    let refused = refused.expect_error(422, "invalid_state").json();
    assert_eq!(refused["reason"], "subscription_plan_missing");
    assert!(refused["errors"]["cart"].is_array(), "{refused}");
}

both_databases!(plans_are_checked_on_import);
async fn plans_are_checked_on_import(backend: Backend) {
    let shop = shop_at(builder(backend), JANUARY_31).await;
    for (settings, expected) in [
        (json!({}), "interval"),
        (json!({"interval": "fortnight"}), "fortnight"),
        (json!({"interval": "month", "interval_count": 0}), "`interval_count`"),
        (json!({"interval": "month", "interval_count": -1}), "`interval_count`"),
        (json!({"interval": "year", "interval_count": 11}), "`interval_count`"),
        (json!({"interval": "day", "interval_count": i64::MAX}), "`interval_count`"),
        (json!({"interval": "month", "trial_days": -1}), "`trial_days`"),
        (json!({"interval": "month", "trial_days": 1_000_000}), "`trial_days`"),
        (json!({"interval": "month", "price": 5}), "price"),
    ] {
        let problems = import(&shop, &[product("other", 100, settings.clone(), &[])]).await;
        assert!(problems.len() == 1 && problems[0].contains(expected), "{settings}: {problems:?}");
    }
}

#[test]
fn impossible_settings_stop_the_start() {
    for (setting, key) in [
        ("renew_ahead_days = 4000", "renew_ahead_days"),
        ("charge_ahead_days = 8", "charge_ahead_days"),
        ("end_after_days = 6", "end_after_days"),
        ("retry_days = [3, 1]", "retry_days"),
        ("retry_days = [0]", "retry_days"),
        ("reminder_days = [1, 3]", "reminder_days"),
        ("reminder_days = [5, 0]", "reminder_days"),
        ("trial_reminder_days = 4000", "trial_reminder_days"),
        ("catch_up_periods = 0", "catch_up_periods"),
        ("late_payment = \"sometimes\"", "late_payment"),
        ("renewed_capabilities = [\"subscribable\"]", "renewed_capabilities"),
    ] {
        let config = format!("[modules.subscriptions]\n{setting}");
        let Err(problems) = builder(Backend::Sqlite).config(&config).freeze() else { panic!("{setting} is accepted") };
        assert!(problems.to_string().contains(&format!("`modules.subscriptions.{key}`")), "{problems}");
    }
}
