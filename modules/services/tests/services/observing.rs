//! What the operator is told: differences from providers, findings, measurements.

use chrono::TimeDelta;
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;
use stoa_services::RemoteState;

use crate::memory::Mood;
use crate::setting::{Setting, buy, list};

both_databases!(a_service_that_vanished_at_its_provider_is_noticed_and_made_again_on_demand);
async fn a_service_that_vanished_at_its_provider_is_noticed_and_made_again_on_demand(backend: Backend) {
    let setting = Setting::new(backend).await;
    let (_, client) = setting.customer().await;
    buy(&setting.shop, &client, "small", 2).await;
    setting.work().await;
    let key = setting.service_of(1).await["key"].as_str().expect("a key").to_owned();
    setting.account.put(&key, RemoteState::Suspended);
    setting.shop.advance(TimeDelta::hours(7));
    setting.work().await;
    let drifted = list(&setting.shop, &["--attention"]).await;
    assert_eq!(drifted.len(), 1);
    assert_eq!(drifted[0]["drift"], "the provider says that it is suspended");
    assert_eq!(setting.statuses().await, ["active", "active"], "nothing is changed without the operator");
    assert!(findings(&setting).await.iter().any(|finding| finding == "warning services.drift"));

    setting.shop.command(&["services", "retry", "1"]).await.expect_success();
    assert_eq!(setting.account.services()[&key], RemoteState::Active);
    assert_eq!(setting.service_of(1).await["drift"], json!(null));
    setting.shop.advance(TimeDelta::hours(7));
    setting.work().await;
    assert_eq!(list(&setting.shop, &["--attention"]).await.len(), 0);
    setting.verify().await;
}

both_databases!(doctor_tells_what_somebody_has_to_look_at);
async fn doctor_tells_what_somebody_has_to_look_at(backend: Backend) {
    let setting = Setting::with(backend, "plans.large = { capacity = 1 }").await;
    let (_, client) = setting.customer().await;
    assert!(findings(&setting).await.iter().all(|finding| finding.starts_with("ok ")));
    setting.account.next("small", &[Mood::Refuses]);
    for plan in ["small", "large", "by-hand"] {
        buy(&setting.shop, &client, plan, 1).await;
    }
    setting.work().await;
    setting.shop.advance(TimeDelta::days(3));
    setting.shop.stock(&[crate::setting::product("remote", "http", 900)]).await;
    let bad = findings(&setting).await.into_iter().filter(|finding| !finding.starts_with("ok ")).collect::<Vec<_>>();
    assert_eq!(
        bad,
        [
            "failure services.attention",
            "warning services.by_hand",
            "failure services.providers",
            "warning services.capacity"
        ]
    );
}

async fn findings(setting: &Setting) -> Vec<String> {
    let mut found = Vec::new();
    for examination in setting.shop.registry.examinations.iter().filter(|part| part.owner == "services") {
        for finding in examination.run(&setting.shop.parts).await.expect("it can be looked at") {
            let state = serde_json::to_value(finding.state).expect("a word");
            found.push(format!("{} {}", state.as_str().expect("a word"), finding.check));
        }
    }
    found
}

both_databases!(services_are_measured);
async fn services_are_measured(backend: Backend) {
    let setting = Setting::with(backend, "plans.small = { capacity = 5 }").await;
    let (_, client) = setting.customer().await;
    buy(&setting.shop, &client, "small", 2).await;
    buy(&setting.shop, &client, "by-hand", 1).await;
    setting.work().await;
    let measurement = setting.shop.registry.measurements.iter().find(|part| part.owner == "services");
    let samples = measurement.expect("it measures").run(&setting.shop.parts).await.expect("it measures");
    let text = format!("{samples:?}");
    for expected in ["stoa_services_used", "stoa_services_capacity", "\"pending\"", "stoa_services_attention"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}
