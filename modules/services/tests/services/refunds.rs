//! What was refunded is suspended at once and terminated later; nothing else is.

use chrono::TimeDelta;
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;
use stoa_services::RemoteState;

use crate::setting::{Setting, buy, refund, tell_paid};

both_databases!(one_of_three_units_is_refunded);
async fn one_of_three_units_is_refunded(backend: Backend) {
    let setting = Setting::new(backend).await;
    let (_, client) = setting.customer().await;
    let order = buy(&setting.shop, &client, "small", 3).await;
    setting.work().await;
    refund(&setting.shop, &order, 1).await;
    setting.work().await;
    assert_eq!(setting.statuses().await, ["active", "active", "suspended"]);
    let suspended = setting.services().await[2].clone();
    assert_eq!(suspended["suspended_at"], "2026-01-15T12:00:00Z");
    assert_eq!(suspended["terminate_at"], "2026-01-29T12:00:00Z");
    setting.shop.advance(TimeDelta::days(14) - TimeDelta::seconds(1));
    setting.work().await;
    assert_eq!(setting.statuses().await, ["active", "active", "suspended"]);
    setting.shop.advance(TimeDelta::seconds(1));
    setting.work().await;
    assert_eq!(setting.statuses().await, ["active", "active", "terminated"]);
    assert_eq!(setting.account.count(RemoteState::Active), 2);
    assert_eq!(setting.account.count(RemoteState::Terminated), 1);
    assert_eq!(client.get("/services/3").await.json()["data"]["terminated_at"], "2026-01-29T12:00:00Z");
    setting.verify().await;
}

both_databases!(a_service_that_has_worked_is_refunded_last);
async fn a_service_that_has_worked_is_refunded_last(backend: Backend) {
    let setting = Setting::new(backend).await;
    let (_, client) = setting.customer().await;
    let order = buy(&setting.shop, &client, "by-hand", 2).await;
    setting.work().await;
    let second = setting.services().await[1]["number"].as_str().expect("a number").to_owned();
    setting.shop.command(&["services", "activate", &second]).await.expect_success();
    refund(&setting.shop, &order, 1).await;
    setting.work().await;
    assert_eq!(setting.statuses().await, ["suspended", "active"]);
    setting.verify().await;
}

both_databases!(the_grace_time_can_be_chosen);
async fn the_grace_time_can_be_chosen(backend: Backend) {
    let setting = Setting::with(backend, "grace_days = 0").await;
    let (_, client) = setting.customer().await;
    let order = buy(&setting.shop, &client, "small", 2).await;
    setting.work().await;
    refund(&setting.shop, &order, 1).await;
    setting.work().await;
    assert_eq!(setting.statuses().await, ["active", "terminated"]);
}

both_databases!(what_is_refunded_before_it_was_made_is_not_made);
async fn what_is_refunded_before_it_was_made_is_not_made(backend: Backend) {
    let setting = Setting::new(backend).await;
    let (ada, client) = setting.customer().await;
    let order = buy(&setting.shop, &client, "small", 2).await;
    refund(&setting.shop, &order, 1).await;
    // The news of the refund may well be dealt with first.
    setting.work().await;
    tell_paid(&setting.shop, &order, &ada).await;
    setting.work().await;
    assert_eq!(setting.account.made(), 1);
    assert_eq!(setting.statuses().await, ["active", "suspended"]);
    setting.shop.advance(TimeDelta::days(15));
    setting.work().await;
    assert_eq!(setting.statuses().await, ["active", "terminated"]);
    assert_eq!(setting.account.deeds(), ["create"]);
    setting.verify().await;
}

both_databases!(what_a_person_makes_is_suspended_at_once_too);
async fn what_a_person_makes_is_suspended_at_once_too(backend: Backend) {
    let setting = Setting::new(backend).await;
    let (_, client) = setting.customer().await;
    let order = buy(&setting.shop, &client, "by-hand", 3).await;
    setting.work().await;
    for service in ["1", "3"] {
        setting.shop.command(&["services", "activate", service]).await.expect_success();
    }
    refund(&setting.shop, &order, 2).await;
    setting.work().await;
    assert_eq!(setting.statuses().await, ["active", "suspended", "suspended"]);
    let refused = setting.shop.command(&["services", "activate", "2"]).await.expect_failure(1);
    assert!(refused.contains("SV-000002 is over"), "{refused}");
    let refused = setting.shop.command(&["services", "resume", "3"]).await.expect_failure(1);
    assert!(refused.contains("is over"), "{refused}");
    setting.shop.advance(TimeDelta::days(14));
    setting.work().await;
    assert_eq!(setting.statuses().await, ["active", "terminated", "terminated"]);
    setting.verify().await;
}

both_databases!(a_refund_of_an_amount_takes_nothing_until_all_is_refunded);
async fn a_refund_of_an_amount_takes_nothing_until_all_is_refunded(backend: Backend) {
    use stoa_core::refunds::{NewRefund, RefundScope, refund_order};
    let setting = Setting::new(backend).await;
    let (_, client) = setting.customer().await;
    let order = buy(&setting.shop, &client, "small", 2).await;
    setting.work().await;
    for (amount, expected) in [(700, "active"), (1300, "suspended")] {
        let order_id = crate::setting::id(&order);
        let new = NewRefund { order_id, scope: RefundScope::Amount(amount), reason: String::from("Sorry") };
        refund_order(&setting.shop.uses(), &new).await.expect("it goes back");
        setting.work().await;
        assert_eq!(setting.statuses().await, [expected; 2]);
    }
    assert_eq!(setting.service_of(1).await["over_reason"], json!("refunded"));
    setting.verify().await;
}
