//! Services follow what they belong to, such as a subscription, by its events.

use chrono::TimeDelta;
use serde_json::{Value, json};
use stoa_core::db::{Backend, DbError};
use stoa_core::entitlements::{EntitlementEnded, EntitlementResumed, EntitlementSuspended};
use stoa_core::events::CommittedEvent;
use stoa_core::testing::{TestShop, both_databases};

use crate::setting::{Setting, buy, id, refund};

/// Makes one of the events about a unit of the order's only item.
macro_rules! event {
    ($event:ident, $order:expr, $unit:expr) => {
        $event { order_id: id($order), order_line_id: id(&$order["items"][0]), unit: $unit, customer_id: 1 }
    };
}

async fn tell<E: CommittedEvent>(shop: &TestShop, event: E) {
    let told = shop.parts.db.write(async |tx| -> Result<(), DbError> { tx.emit(&event).await }).await;
    told.expect("the database can be written");
    shop.run_jobs().await;
}

both_databases!(a_unit_is_suspended_resumed_and_ended_with_its_entitlement);
async fn a_unit_is_suspended_resumed_and_ended_with_its_entitlement(backend: Backend) {
    let setting = Setting::new(backend).await;
    let (_, client) = setting.customer().await;
    let order = buy(&setting.shop, &client, "small", 2).await;
    setting.work().await;
    tell(&setting.shop, event!(EntitlementSuspended, &order, 2)).await;
    assert_eq!(setting.statuses().await, ["active", "suspended"]);
    tell(&setting.shop, event!(EntitlementSuspended, &order, 2)).await;
    tell(&setting.shop, event!(EntitlementResumed, &order, 2)).await;
    assert_eq!(setting.statuses().await, ["active", "active"]);
    assert_eq!(setting.service_of(2).await["suspended_at"], json!(null));
    tell(&setting.shop, event!(EntitlementEnded, &order, 2)).await;
    assert_eq!(setting.statuses().await, ["active", "suspended"]);
    setting.shop.advance(TimeDelta::days(14));
    setting.work().await;
    assert_eq!(setting.statuses().await, ["active", "terminated"]);
    assert_eq!(setting.account.deeds(), ["create", "create", "suspend", "resume", "suspend", "terminate"]);
    setting.verify().await;
}

both_databases!(what_the_operator_suspended_is_not_resumed_by_an_event);
async fn what_the_operator_suspended_is_not_resumed_by_an_event(backend: Backend) {
    let setting = Setting::new(backend).await;
    let (_, client) = setting.customer().await;
    let order = buy(&setting.shop, &client, "by-hand", 1).await;
    setting.work().await;
    setting.shop.command(&["services", "activate", "1"]).await.expect_success();
    setting.shop.command(&["services", "suspend", "1"]).await.expect_success();
    tell(&setting.shop, event!(EntitlementSuspended, &order, 1)).await;
    tell(&setting.shop, event!(EntitlementResumed, &order, 1)).await;
    assert_eq!(setting.statuses().await, ["suspended"]);
    setting.shop.command(&["services", "resume", "1"]).await.expect_success();
    assert_eq!(setting.statuses().await, ["active"]);
}

both_databases!(what_was_refunded_is_not_resumed_by_an_event);
async fn what_was_refunded_is_not_resumed_by_an_event(backend: Backend) {
    let setting = Setting::new(backend).await;
    let (_, client) = setting.customer().await;
    let order = buy(&setting.shop, &client, "small", 1).await;
    setting.work().await;
    refund(&setting.shop, &order, 1).await;
    tell(&setting.shop, event!(EntitlementSuspended, &order, 1)).await;
    tell(&setting.shop, event!(EntitlementResumed, &order, 1)).await;
    assert_eq!(setting.statuses().await, ["suspended"]);
    setting.verify().await;
}

both_databases!(a_hold_keeps_a_service_running_until_it_ends);
async fn a_hold_keeps_a_service_running_until_it_ends(backend: Backend) {
    let setting = Setting::new(backend).await;
    let (_, client) = setting.customer().await;
    let order = buy(&setting.shop, &client, "small", 1).await;
    setting.work().await;
    let hold = ["services", "hold", "1", "--until", "2026-01-20T12:00:00Z"];
    setting.shop.command(&hold).await.expect_success();
    tell(&setting.shop, event!(EntitlementSuspended, &order, 1)).await;
    assert_eq!(setting.statuses().await, ["active"]);
    setting.shop.advance(TimeDelta::days(4));
    setting.work().await;
    assert_eq!(setting.statuses().await, ["active"]);
    setting.shop.advance(TimeDelta::days(1));
    setting.work().await;
    assert_eq!(setting.statuses().await, ["suspended"]);
    setting.shop.command(&["services", "hold", "1", "--until", "2026-01-14T12:00:00Z"]).await.expect_failure(2);
    setting.verify().await;
}

both_databases!(events_about_what_is_no_service_do_nothing);
async fn events_about_what_is_no_service_do_nothing(backend: Backend) {
    let setting = Setting::new(backend).await;
    let (_, client) = setting.customer().await;
    let order = buy(&setting.shop, &client, "mug", 1).await;
    tell(&setting.shop, event!(EntitlementSuspended, &order, 1)).await;
    tell(&setting.shop, event!(EntitlementEnded, &order, 7)).await;
    let unknown = json!({"id": 4711, "items": [{"id": 4711}]});
    tell(&setting.shop, event!(EntitlementEnded, &unknown, 1)).await;
    assert_eq!(setting.services().await, [Value::Null; 0]);
    assert_eq!(client.get("/orders").await.expect_status(200).json()["meta"]["total"], 1);
}
