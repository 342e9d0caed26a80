//! `stoa services`: what the operator does, and what is refused.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;
use stoa_services::RemoteState;

use crate::memory::Mood;
use crate::setting::{Setting, buy};

async fn fails(setting: &Setting, arguments: &[&str], expected: &str) {
    let error = setting.shop.command(&[&["services"], arguments].concat()).await.expect_failure(1);
    assert!(error.contains(expected), "{arguments:?}: {error}");
}

both_databases!(a_service_made_by_hand_goes_through_its_life);
async fn a_service_made_by_hand_goes_through_its_life(backend: Backend) {
    let setting = Setting::new(backend).await;
    let (_, client) = setting.customer().await;
    let order = buy(&setting.shop, &client, "by-hand", 1).await;
    setting.work().await;
    fails(&setting, &["suspend", "1"], "SV-000001 is not active").await;
    fails(&setting, &["resume", "1"], "SV-000001 was never active").await;

    let activate = ["services", "activate", "SV-000001", "--external-ref", "box-7", "--json"];
    let shown = setting.shop.command(&activate).await.json();
    assert_eq!(
        json!([
            shown["id"],
            shown["number"],
            shown["status"],
            shown["external_ref"],
            shown["order_id"],
            shown["provider"]
        ]),
        json!([1, "SV-000001", "active", "box-7", order["id"], "manual"])
    );
    assert_eq!(shown["activated_at"], "2026-01-15T12:00:00Z");
    assert_eq!(shown["product"]["slug"], "by-hand");
    fails(&setting, &["activate", "1"], "is active already").await;
    fails(&setting, &["resume", "1"], "is active, and was not suspended").await;

    setting.shop.advance(chrono::TimeDelta::hours(1));
    let said = setting.shop.command(&["services", "suspend", "1"]).await.expect_success();
    assert_eq!(said, "SV-000001 is suspended\n");
    let shown = client.get("/services/1").await.json()["data"].clone();
    assert_eq!((&shown["status"], &shown["suspended_at"]), (&json!("suspended"), &json!("2026-01-15T13:00:00Z")));
    fails(&setting, &["suspend", "1"], "is suspended already").await;
    fails(&setting, &["activate", "1"], "`stoa services resume`").await;

    setting.shop.command(&["services", "resume", "1"]).await.expect_success();
    let shown = client.get("/services/1").await.json()["data"].clone();
    assert_eq!((&shown["status"], &shown["suspended_at"]), (&json!("active"), &json!(null)));
    assert_eq!(shown["activated_at"], "2026-01-15T12:00:00Z", "the first time stays");

    setting.shop.command(&["services", "terminate", "1"]).await.expect_success();
    let shown = client.get("/services/1").await.json()["data"].clone();
    assert_eq!((&shown["status"], &shown["terminated_at"]), (&json!("terminated"), &json!("2026-01-15T13:00:00Z")));
    for command in ["activate", "suspend", "resume", "terminate"] {
        fails(&setting, &[command, "1"], "is terminated").await;
    }
    fails(&setting, &["retry", "1"], "has nothing that failed").await;
    fails(&setting, &["activate", "99"], "there is no service SV-000099").await;
    setting.shop.command(&["services", "activate", "O-1"]).await.expect_failure(2);

    let log = setting.shop.command(&["services", "log", "1", "--json"]).await.json();
    let entries = log["data"].as_array().expect("a list").iter();
    let entries = entries.map(|entry| json!([entry["action"], entry["actor"], entry["result"]])).collect::<Vec<_>>();
    assert_eq!(
        json!(entries),
        json!([
            ["create", "operator", "done"],
            ["suspend", "operator", "done"],
            ["resume", "operator", "done"],
            ["terminate", "operator", "done"]
        ])
    );
    setting.verify().await;
}

both_databases!(the_operator_has_a_provider_act_at_once);
async fn the_operator_has_a_provider_act_at_once(backend: Backend) {
    let setting = Setting::new(backend).await;
    let (_, client) = setting.customer().await;
    buy(&setting.shop, &client, "small", 1).await;
    setting.work().await;
    let key = setting.service().await["key"].as_str().expect("a key").to_owned();
    for (command, expected, remote) in [
        ("suspend", "suspended", RemoteState::Suspended),
        ("resume", "active", RemoteState::Active),
        ("terminate", "terminated", RemoteState::Terminated),
    ] {
        let shown = setting.shop.command(&["services", command, "1", "--json"]).await.json();
        assert_eq!(shown["status"], expected);
        assert_eq!(setting.account.services()[&key], remote);
    }
    assert_eq!(setting.account.calls(), ["create", "suspend", "resume", "terminate"]);
    setting.verify().await;
}

both_databases!(a_provider_that_does_not_answer_the_operator_is_asked_again);
async fn a_provider_that_does_not_answer_the_operator_is_asked_again(backend: Backend) {
    let setting = Setting::new(backend).await;
    let (_, client) = setting.customer().await;
    buy(&setting.shop, &client, "small", 1).await;
    setting.work().await;
    setting.account.next("small", &[Mood::TimesOut]);
    let said = setting.shop.command(&["services", "suspend", "1"]).await.expect_success();
    assert!(
        said.starts_with("SV-000001 is active\n") && said.contains("asked again at 2026-01-15T12:01:00Z"),
        "{said}"
    );
    setting.shop.advance(chrono::TimeDelta::minutes(1));
    setting.work().await;
    assert_eq!(setting.statuses().await, ["suspended"]);
    assert_eq!(setting.account.calls(), ["create", "suspend", "inspect"]);
    let log = setting.shop.command(&["services", "log", "1", "--json"]).await.json();
    let results = log["data"].as_array().expect("a list").iter().map(|entry| json!([entry["action"], entry["result"]]));
    assert_eq!(
        json!(results.collect::<Vec<_>>()),
        json!([["create", "done"], ["suspend asked", "done"], ["suspend", "unknown"], ["inspect", "done"]])
    );
}

both_databases!(a_provider_that_refuses_the_operator_fails_the_command);
async fn a_provider_that_refuses_the_operator_fails_the_command(backend: Backend) {
    let setting = Setting::new(backend).await;
    let (_, client) = setting.customer().await;
    buy(&setting.shop, &client, "small", 1).await;
    setting.work().await;
    setting.account.next("small", &[Mood::Refuses]);
    let error = setting.shop.command(&["services", "terminate", "1"]).await.expect_failure(1);
    assert!(error.contains("the name is taken") && error.contains("stoa services retry SV-000001"), "{error}");
    setting.shop.command(&["services", "terminate", "1", "--by-hand"]).await.expect_success();
    assert_eq!(setting.statuses().await, ["terminated"]);
    setting.verify().await;
}

both_databases!(the_operator_takes_a_service_over_that_could_not_be_made);
async fn the_operator_takes_a_service_over_that_could_not_be_made(backend: Backend) {
    let setting = Setting::new(backend).await;
    setting.account.next("small", &[Mood::Refuses]);
    let (_, client) = setting.customer().await;
    buy(&setting.shop, &client, "small", 1).await;
    setting.work().await;
    assert_eq!(setting.statuses().await, ["failed"]);
    setting.shop.command(&["services", "activate", "1", "--external-ref", "by-hand-1"]).await.expect_success();
    setting.work().await;
    assert_eq!(setting.statuses().await, ["active"]);
    assert_eq!(setting.account.made(), 0);
    setting.verify().await;
}

both_databases!(services_are_listed_by_what_is_asked_for);
async fn services_are_listed_by_what_is_asked_for(backend: Backend) {
    let setting = Setting::new(backend).await;
    let (_, client) = setting.customer().await;
    buy(&setting.shop, &client, "small", 2).await;
    let order = buy(&setting.shop, &client, "by-hand", 1).await;
    setting.work().await;
    let number = order["number"].as_str().expect("a number");
    for (arguments, expected) in [
        (&["--status", "pending"][..], 1),
        (&["--status", "active"], 2),
        (&["--provider", "memory"], 2),
        (&["--order", number], 1),
        (&["--attention"], 0),
        (&["--limit", "2"], 2),
        (&[], 3),
    ] {
        assert_eq!(crate::setting::list(&setting.shop, arguments).await.len(), expected, "{arguments:?}");
    }
    setting.shop.command(&["services", "list", "--status", "lost"]).await.expect_failure(2);
    let table = setting.shop.command(&["services", "list"]).await.expect_success();
    assert!(table.starts_with("NUMBER") || table.trim_start().starts_with("NUMBER"), "{table}");
    let shown = setting.shop.command(&["services", "show", "3"]).await.expect_success();
    assert!(shown.contains("pending"), "{shown}");
}

both_databases!(credentials_are_shown_only_when_they_are_asked_for);
async fn credentials_are_shown_only_when_they_are_asked_for(backend: Backend) {
    let setting = Setting::new(backend).await;
    let (_, client) = setting.customer().await;
    buy(&setting.shop, &client, "small", 1).await;
    setting.work().await;
    let secret = format!("secret-of-{}", setting.service().await["key"].as_str().expect("a key"));
    for command in [&["services", "show", "1"][..], &["services", "list", "--json"], &["services", "log", "1"]] {
        let shown = setting.shop.command(command).await.expect_success();
        assert!(!shown.contains("secret-of"), "{shown}");
    }
    let shown = setting.shop.command(&["services", "show", "1", "--credentials", "--json"]).await.json();
    assert_eq!(shown["credentials"]["password"], json!(secret));
    let shown = setting.shop.command(&["services", "show", "1", "--credentials", "--refresh"]).await.expect_success();
    assert!(shown.contains(&secret), "{shown}");
}
