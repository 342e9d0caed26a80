//! What is known of a person is told to them, and forgotten with them.

use chrono::TimeDelta;
use serde_json::json;
use stoa_core::customers::{anonymize_customer, export_customer, find_account};
use stoa_core::db::Backend;
use stoa_core::from_shop::FromShop;
use stoa_core::payments::Payments;
use stoa_core::testing::both_databases;
use stoa_services::RemoteState;

use crate::setting::{Setting, add, buy, checkout, id};

both_databases!(a_customer_is_told_of_services_without_secrets);
async fn a_customer_is_told_of_services_without_secrets(backend: Backend) {
    let setting = Setting::new(backend).await;
    let (ada, client) = setting.customer().await;
    buy(&setting.shop, &client, "small", 1).await;
    setting.work().await;
    let services = &setting.shop.parts;
    let account = find_account(&services.db, ada.id).await.expect("it can be read").expect("there is one");
    let parts = export_customer(&services.db, &services.events, &account).await.expect("it is exported");
    assert_eq!(parts["services"][0]["number"], "SV-000001");
    assert_eq!(parts["services"][0]["parameters"], json!({}));
    assert!(!parts["services"].to_string().contains("secret-of"), "{parts:?}");
}

both_databases!(the_services_of_a_customer_who_is_forgotten_end);
async fn the_services_of_a_customer_who_is_forgotten_end(backend: Backend) {
    let setting = Setting::new(backend).await;
    let (ada, client) = setting.customer().await;
    add(&client, "small", 1, Some("ada-lovelace.example")).await;
    let order = client.post("/checkout", &checkout()).await.expect_status(201).json()["data"].clone();
    stoa_core::payments::record_payment(&Payments::from_shop(&setting.shop.parts), id(&order))
        .await
        .expect("it is recorded");
    setting.work().await;
    let (_, bob) = setting.customer().await;
    buy(&setting.shop, &bob, "small", 1).await;
    setting.work().await;

    anonymize_customer(&setting.shop.parts.db, ada.id).await.expect("it is done");
    let shown = setting.shop.command(&["services", "show", "1", "--credentials", "--json"]).await.json();
    assert_eq!(shown["parameters"], json!({}));
    assert_eq!(shown.get("credentials"), None);
    setting.work().await;
    assert_eq!(setting.statuses().await, ["suspended", "active"]);
    setting.shop.advance(TimeDelta::days(14));
    setting.work().await;
    assert_eq!(setting.statuses().await, ["terminated", "active"]);
    assert_eq!(setting.account.count(RemoteState::Terminated), 1);
    assert_eq!(setting.service_of(1).await["external_ref"], json!(null));
    assert!(!setting.services().await.iter().any(|service| service.to_string().contains("lovelace")));
    setting.verify().await;
}
