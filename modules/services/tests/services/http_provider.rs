//! The provider `http`, against a real endpoint.

use std::time::Duration;

use chrono::TimeDelta;
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::from_shop::FromShop;
use stoa_core::jobs::run_job;
use stoa_core::payments::Payments;
use stoa_core::queue::{EVENTS, Queue};
use stoa_core::testing::{TestShop, both_databases};

use crate::endpoint::{Endpoint, SECRET, Turn};
use crate::memory::Mood;
use crate::setting::{Setting, buy, list, product, refund};

async fn setting(backend: Backend) -> (Setting, Endpoint) {
    let (endpoint, url) = Endpoint::open().await;
    let config = format!(
        "call_seconds = 1\nhttp = {{ url = \"{url}\", secret = \"{SECRET}\", allow_private_destinations = true }}"
    );
    let setting = Setting::with(backend, &config).await;
    setting.shop.stock(&[product("site", "http", 1500)]).await;
    (setting, endpoint)
}

async fn statuses(shop: &TestShop) -> Vec<String> {
    let services = list(shop, &[]).await;
    services.iter().map(|service| service["status"].as_str().expect("a word").to_owned()).collect()
}

both_databases!(an_endpoint_makes_suspends_and_removes_a_service);
async fn an_endpoint_makes_suspends_and_removes_a_service(backend: Backend) {
    let (setting, endpoint) = setting(backend).await;
    let (ada, client) = setting.customer().await;
    crate::setting::add(&client, "site", 1, Some("ada.example")).await;
    let order = client.post("/checkout", &crate::setting::checkout()).await.expect_status(201).json()["data"].clone();
    stoa_core::payments::record_payment(&Payments::from_shop(&setting.shop.parts), crate::setting::id(&order))
        .await
        .expect("recorded");
    setting.work().await;
    let shown = client.get("/services/1").await.expect_status(200).json()["data"].clone();
    let key = setting.service().await["key"].as_str().expect("a key").to_owned();
    assert_eq!(shown["status"], "active");
    assert_eq!(shown["external_ref"], format!("site-{}", &key[..8]));
    assert_eq!(shown["credentials"], json!({"user": "ada", "password": format!("pw-{key}")}));

    let requests = endpoint.requests();
    let (headers, body) = requests.iter().find(|(_, body)| body["action"] == "create").expect("it was asked for");
    assert_eq!(headers["idempotency-key"], format!("{key}:create:0"));
    assert_eq!(headers["content-type"], "application/json");
    assert_eq!(
        body["service"],
        json!({"key": key, "number": "SV-000001", "plan": "site", "external_ref": null, "order_id": order["id"],
               "customer_id": ada.id, "product": "site",
               "parameters": {"domain": {"label": "Domain name", "value": "ada.example", "display": "ada.example"}}})
    );
    refund(&setting.shop, &order, 1).await;
    setting.work().await;
    assert_eq!(endpoint.states(), ["suspended"]);
    setting.shop.advance(TimeDelta::days(14));
    setting.work().await;
    assert_eq!(
        (statuses(&setting.shop).await, endpoint.states()),
        (vec![String::from("terminated")], vec!["terminated"])
    );
    setting.verify().await;
}

both_databases!(an_endpoint_that_does_not_answer_is_inspected_before_it_is_asked_again);
async fn an_endpoint_that_does_not_answer_is_inspected_before_it_is_asked_again(backend: Backend) {
    let (setting, endpoint) = setting(backend).await;
    endpoint.next(Turn::Silence);
    let (_, client) = setting.customer().await;
    buy(&setting.shop, &client, "site", 1).await;
    setting.work().await;
    assert_eq!(statuses(&setting.shop).await, ["provisioning"]);
    setting.shop.advance(TimeDelta::minutes(1));
    setting.work().await;
    assert_eq!(statuses(&setting.shop).await, ["active"]);
    let actions = endpoint.actions().into_iter().filter(|action| action != "capacity").collect::<Vec<_>>();
    assert_eq!(actions, ["create", "inspect"]);
    assert_eq!(endpoint.states(), ["active"]);
}

both_databases!(answers_are_judged_by_what_they_say_for_certain);
async fn answers_are_judged_by_what_they_say_for_certain(backend: Backend) {
    let (setting, endpoint) = setting(backend).await;
    let (_, client) = setting.customer().await;
    for (turn, status, attention) in [
        (Turn::Answer(422, json!({"message": "no such plan"}).to_string()), "failed", true),
        (Turn::Answer(500, String::new()), "provisioning", false),
        (Turn::Answer(429, String::new()), "provisioning", false),
        (Turn::Answer(200, String::from("done")), "provisioning", false),
        (Turn::Answer(200, json!({"status": "suspended"}).to_string()), "provisioning", false),
        (Turn::Answer(200, "x".repeat(70_000)), "provisioning", false),
        (Turn::Redirect(String::from("http://127.0.0.1:9/elsewhere")), "failed", true),
    ] {
        endpoint.next(turn.clone());
        buy(&setting.shop, &client, "site", 1).await;
        setting.work().await;
        let newest = list(&setting.shop, &[]).await.pop().expect("there is one");
        assert_eq!((&newest["status"], &newest["needs_attention"]), (&json!(status), &json!(attention)), "{turn:?}");
        assert_eq!(newest["activated_at"], json!(null));
        setting
            .shop
            .command(&["services", "terminate", newest["number"].as_str().expect("a number")])
            .await
            .expect_success();
    }
    setting.verify().await;
}

both_databases!(nothing_is_sent_to_an_address_that_is_not_public);
async fn nothing_is_sent_to_an_address_that_is_not_public(backend: Backend) {
    // A name can only be judged once it is looked up.
    let config = format!("http = {{ url = \"https://localhost.localdomain/stoa\", secret = \"{SECRET}\" }}");
    let setting = Setting::with(backend, &config).await;
    setting.shop.stock(&[product("site", "http", 1500)]).await;
    let (_, client) = setting.customer().await;
    buy(&setting.shop, &client, "site", 1).await;
    setting.work().await;
    let service = setting.service().await;
    assert!(["provisioning", "failed"].contains(&service["status"].as_str().expect("a word")), "{service}");
    assert!(service["last_error"].is_string(), "{service}");
}

both_databases!(the_room_of_an_endpoint_counts);
async fn the_room_of_an_endpoint_counts(backend: Backend) {
    let (setting, _) = setting(backend).await;
    setting.work().await;
    let (_, client) = setting.customer().await;
    crate::setting::add(&client, "site", 6, None).await;
    let refused = client.post("/checkout", &crate::setting::checkout()).await.expect_error(422, "invalid_state");
    assert_eq!(refused.json()["reason"], "capacity_exhausted");
}

both_databases!(a_provider_that_does_not_answer_holds_up_no_other);
async fn a_provider_that_does_not_answer_holds_up_no_other(backend: Backend) {
    let (_endpoint, url) = Endpoint::open().await;
    let config = format!(
        "call_seconds = 60\nhttp = {{ url = \"{url}\", secret = \"{SECRET}\", allow_private_destinations = true }}"
    );
    let setting = Setting::with(backend, &config).await;
    setting.shop.stock(&[product("site", "http", 1500)]).await;
    setting.account.always("small", Mood::Hangs);
    let (_, client) = setting.customer().await;
    buy(&setting.shop, &client, "small", 9).await;
    buy(&setting.shop, &client, "site", 1).await;
    setting.shop.uses::<Queue>().drain(EVENTS).await.expect("the database is there");
    let (parts, jobs) = (setting.shop.parts.clone(), setting.shop.registry.jobs.clone());
    let clock = setting.shop.clock.clone();
    let working = tokio::spawn(async move { run_job(&parts, &jobs, "services.provision", clock).await });
    let made = tokio::time::timeout(Duration::from_secs(20), async {
        while !statuses(&setting.shop).await.contains(&String::from("active")) || setting.account.calls().len() < 8 {
            tokio::task::yield_now().await;
        }
    });
    made.await.expect("the other provider is called meanwhile");
    assert_eq!(setting.account.calls().len(), 8, "so many at once for one provider");
    working.abort();
    setting.verify().await;
}
