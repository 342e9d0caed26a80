//! From a payment to a service, once for each unit whatever is repeated.

use std::collections::BTreeSet;

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::from_shop::FromShop;
use stoa_core::payments::Payments;
use stoa_core::testing::both_databases;
use stoa_services::RemoteState;

use crate::memory::Mood;
use crate::setting::{Setting, add, buy, checkout, id, place, tell_paid};

both_databases!(a_paid_unit_becomes_a_service);
async fn a_paid_unit_becomes_a_service(backend: Backend) {
    let setting = Setting::new(backend).await;
    let (ada, client) = setting.customer().await;
    add(&client, "small", 1, Some("ada.example")).await;
    let order = client.post("/checkout", &checkout()).await.expect_status(201).json()["data"].clone();
    setting.work().await;
    assert_eq!(setting.statuses().await, [""; 0], "nothing is made for an order that is not paid");
    assert_eq!(setting.account.calls(), [""; 0]);

    stoa_core::payments::record_payment(&Payments::from_shop(&setting.shop.parts), id(&order))
        .await
        .expect("it is recorded");
    setting.work().await;
    let service = setting.service().await;
    assert_eq!(service["status"], "active");
    assert_eq!(service["number"], "SV-000001");
    assert_eq!(service["order_id"], order["id"]);
    assert_eq!(service["customer_id"], ada.id);
    assert_eq!(service["activated_at"], "2026-01-15T12:00:00Z");
    let request = setting.account.last_request();
    assert_eq!(service["key"], json!(request.key));
    assert_eq!(request.plan, "small");
    assert_eq!(
        json!(request.parameters),
        json!({"domain": {"label": "Domain name", "value": "ada.example", "display": "ada.example"}})
    );
    setting.verify().await;
}

both_databases!(each_unit_is_a_service_of_its_own);
async fn each_unit_is_a_service_of_its_own(backend: Backend) {
    let setting = Setting::new(backend).await;
    let (_, client) = setting.customer().await;
    add(&client, "small", 2, Some("one.example")).await;
    add(&client, "small", 1, Some("two.example")).await;
    add(&client, "mug", 4, None).await;
    buy(&setting.shop, &client, "large", 1).await;
    setting.work().await;
    let services = setting.services().await;
    let units = services.iter().map(|service| (service["order_item_id"].to_string(), service["unit"].to_string()));
    assert_eq!(units.collect::<BTreeSet<_>>().len(), 4);
    assert_eq!(setting.account.count(RemoteState::Active), 4);
    setting.verify().await;
}

both_databases!(a_payment_that_is_told_ten_times_and_in_parallel_makes_each_unit_once);
async fn a_payment_that_is_told_ten_times_and_in_parallel_makes_each_unit_once(backend: Backend) {
    let setting = Setting::new(backend).await;
    let (ada, client) = setting.customer().await;
    let order = buy(&setting.shop, &client, "small", 3).await;
    for _ in 0..10 {
        tell_paid(&setting.shop, &order, &ada).await;
    }
    let (second, third) = (setting.instance(backend, 2).await, setting.instance(backend, 3).await);
    for _ in 0..3 {
        tokio::join!(setting.work(), second.run_jobs(), third.run_jobs());
    }
    assert_eq!(setting.statuses().await, ["active"; 3]);
    assert_eq!(setting.account.made(), 3);
    assert_eq!(setting.account.calls(), ["create"; 3]);
    setting.verify().await;
}

both_databases!(a_free_order_is_provisioned_too);
async fn a_free_order_is_provisioned_too(backend: Backend) {
    let setting = Setting::new(backend).await;
    let (_, client) = setting.customer().await;
    let order = place(&client, "free", 2).await;
    assert_eq!(order["status"], "paid");
    setting.work().await;
    assert_eq!(setting.statuses().await, ["active"; 2]);
    setting.verify().await;
}

both_databases!(a_service_that_is_being_made_is_not_active);
async fn a_service_that_is_being_made_is_not_active(backend: Backend) {
    let setting = Setting::new(backend).await;
    setting.account.next("small", &[Mood::Slow]);
    let (_, client) = setting.customer().await;
    buy(&setting.shop, &client, "small", 1).await;
    setting.work().await;
    assert_eq!(setting.statuses().await, ["provisioning"]);
    for expected in ["provisioning", "active"] {
        setting.shop.advance(chrono::TimeDelta::seconds(61));
        setting.work().await;
        assert_eq!(setting.statuses().await, [expected]);
    }
    assert_eq!(setting.service().await["activated_at"], "2026-01-15T12:02:02Z");
    assert_eq!(setting.account.calls(), ["create", "inspect", "inspect"]);
    setting.verify().await;
}

both_databases!(what_a_person_makes_waits_for_the_person);
async fn what_a_person_makes_waits_for_the_person(backend: Backend) {
    let setting = Setting::new(backend).await;
    let (_, client) = setting.customer().await;
    buy(&setting.shop, &client, "by-hand", 1).await;
    setting.work().await;
    setting.shop.advance(chrono::TimeDelta::days(3));
    setting.work().await;
    let shown = client.get("/services/1").await.expect_status(200).json();
    assert_eq!((&shown["data"]["status"], &shown["data"]["activated_at"]), (&json!("pending"), &json!(null)));
    setting.verify().await;
}

both_databases!(a_product_without_settings_is_made_by_hand);
async fn a_product_without_settings_is_made_by_hand(backend: Backend) {
    let setting = Setting::new(backend).await;
    let mut bare = crate::setting::product("bare", "manual", 700);
    bare.as_object_mut().expect("an object").remove("modules");
    setting.shop.stock(&[bare]).await;
    let (_, client) = setting.customer().await;
    buy(&setting.shop, &client, "bare", 1).await;
    setting.work().await;
    let service = setting.service().await;
    assert_eq!((&service["provider"], &service["plan"]), (&json!("manual"), &json!("bare")));
}
