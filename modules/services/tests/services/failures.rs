//! Providers that are down, lose answers, hang and refuse: a paid service is made in the end, and once.

use chrono::TimeDelta;
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::testing::both_databases;
use stoa_services::RemoteState;
use tokio::task::JoinHandle;

use crate::memory::Mood;
use crate::setting::{Setting, buy, list, refund};

both_databases!(a_provider_that_times_out_after_it_has_created_makes_one_service);
async fn a_provider_that_times_out_after_it_has_created_makes_one_service(backend: Backend) {
    let setting = Setting::new(backend).await;
    setting.account.next("small", &[Mood::TimesOut]);
    let (_, client) = setting.customer().await;
    buy(&setting.shop, &client, "small", 1).await;
    setting.work().await;
    assert_eq!(setting.statuses().await, ["provisioning"], "nobody knows whether it is there");
    setting.shop.advance(TimeDelta::seconds(59));
    setting.work().await;
    assert_eq!(setting.account.calls(), ["create"], "not before a minute is over");
    setting.shop.advance(TimeDelta::seconds(1));
    setting.work().await;
    assert_eq!(setting.statuses().await, ["active"]);
    assert_eq!(setting.account.calls(), ["create", "inspect"]);
    assert_eq!(setting.account.made(), 1);
    setting.verify().await;
}

both_databases!(a_call_whose_fate_is_unknown_is_made_again_only_if_nothing_is_there);
async fn a_call_whose_fate_is_unknown_is_made_again_only_if_nothing_is_there(backend: Backend) {
    let setting = Setting::new(backend).await;
    setting.account.next("small", &[Mood::Silent, Mood::Silent]);
    let (_, client) = setting.customer().await;
    buy(&setting.shop, &client, "small", 1).await;
    setting.work().await;
    setting.shop.advance(TimeDelta::minutes(1));
    setting.work().await;
    assert_eq!(setting.account.calls(), ["create", "inspect"], "while it cannot be looked at, nothing is made");
    setting.shop.advance(TimeDelta::minutes(5));
    setting.work().await;
    assert_eq!(setting.account.calls(), ["create", "inspect", "inspect", "create"]);
    assert_eq!((setting.account.made(), setting.statuses().await), (1, vec![String::from("active")]));
}

both_databases!(a_provider_that_is_down_for_a_day_gets_its_attempts_and_then_the_operators);
async fn a_provider_that_is_down_for_a_day_gets_its_attempts_and_then_the_operators(backend: Backend) {
    let setting = Setting::new(backend).await;
    setting.account.always("small", Mood::Down);
    let (_, client) = setting.customer().await;
    buy(&setting.shop, &client, "small", 1).await;
    setting.work().await;
    for (attempts, wait) in [(1, 60), (2, 300), (3, 1800), (4, 7200), (5, 43_200)] {
        setting.shop.advance(TimeDelta::seconds(wait - 1));
        setting.work().await;
        let service = setting.service().await;
        assert_eq!((&service["attempts"], &service["status"]), (&json!(attempts), &json!("provisioning")));
        setting.shop.advance(TimeDelta::seconds(1));
        setting.work().await;
    }
    let service = setting.service().await;
    assert_eq!((&service["status"], &service["needs_attention"]), (&json!("failed"), &json!(true)));
    assert_eq!(list(&setting.shop, &["--attention"]).await.len(), 1);
    setting.shop.advance(TimeDelta::days(1));
    setting.work().await;
    assert_eq!(setting.account.calls().len(), 6, "nobody is asked any more");
    let shown = client.get("/services/1").await.expect_status(200).json();
    assert_eq!(shown["data"]["status"], "failed");
    setting.verify().await;

    let said = setting.shop.command(&["services", "retry", "1"]).await.expect_success();
    assert!(said.contains("no connection. The provider is asked again at"), "{said}");
    setting.account.always("small", Mood::Fine);
    setting.shop.command(&["services", "retry", "SV-000001"]).await.expect_success();
    assert_eq!(setting.statuses().await, ["active"]);
    assert_eq!(setting.account.made(), 1);
    setting.verify().await;
}

both_databases!(a_service_that_failed_while_the_clock_was_years_ahead_is_made_when_it_is_right);
async fn a_service_that_failed_while_the_clock_was_years_ahead_is_made_when_it_is_right(backend: Backend) {
    const HOLD: Sql =
        sql!("UPDATE tasks SET due_at = $1, written_at = $1, lease = 'dead' WHERE kind = 'services.work'");
    let (setting, years) = (Setting::new(backend).await, TimeDelta::days(3 * 365));
    setting.account.next("small", &[Mood::Down]);
    let (_, client) = setting.customer().await;
    setting.shop.advance(years);
    let order = buy(&setting.shop, &client, "small", 1).await;
    setting.work().await;
    assert_eq!(setting.statuses().await, ["provisioning"]);
    setting.shop.advance(-years);
    setting.work().await;
    assert_eq!((setting.account.made(), setting.statuses().await), (1, vec![String::from("active")]));

    // What is planned for a time that far away waits for it, unless somebody who died holds it.
    refund(&setting.shop, &order, 1).await;
    setting.work().await;
    let end = setting.shop.now() + TimeDelta::days(14);
    let hold = async |tx: &mut Tx| tx.run(HOLD).bind(end + years).execute().await;
    assert_eq!(setting.shop.parts.db.write(hold).await.expect("it is changed"), 1);
    setting.work().await;
    assert_eq!(setting.statuses().await, ["suspended"]);
    setting.shop.advance(TimeDelta::days(14));
    setting.work().await;
    assert_eq!(setting.statuses().await, ["terminated"]);
}

both_databases!(a_provider_that_is_up_again_within_the_day_is_asked_by_itself);
async fn a_provider_that_is_up_again_within_the_day_is_asked_by_itself(backend: Backend) {
    let setting = Setting::new(backend).await;
    setting.account.always("small", Mood::Down);
    let (_, client) = setting.customer().await;
    buy(&setting.shop, &client, "small", 2).await;
    setting.work().await;
    setting.shop.advance(TimeDelta::minutes(1));
    setting.work().await;
    setting.account.always("small", Mood::Fine);
    setting.shop.advance(TimeDelta::minutes(5));
    setting.work().await;
    assert_eq!(setting.statuses().await, ["active"; 2]);
    assert_eq!(setting.account.made(), 2);
}

both_databases!(a_refusal_is_not_repeated);
async fn a_refusal_is_not_repeated(backend: Backend) {
    let setting = Setting::new(backend).await;
    setting.account.next("small", &[Mood::Refuses]);
    let (_, client) = setting.customer().await;
    buy(&setting.shop, &client, "small", 1).await;
    setting.work().await;
    let service = setting.service().await;
    assert_eq!(service["status"], "failed");
    assert!(service["last_error"].as_str().expect("a text").contains("the name is taken"), "{service}");
    setting.shop.advance(TimeDelta::days(2));
    setting.work().await;
    assert_eq!(setting.account.calls(), ["create"]);
    setting.shop.command(&["services", "retry", "1", "--json"]).await.expect_success();
    assert_eq!(setting.statuses().await, ["active"]);
}

both_databases!(one_failing_service_keeps_no_other_waiting);
async fn one_failing_service_keeps_no_other_waiting(backend: Backend) {
    let setting = Setting::new(backend).await;
    setting.account.next("small", &[Mood::Panics]);
    setting.account.next("large", &[Mood::Refuses]);
    let (_, client) = setting.customer().await;
    for plan in ["small", "large", "small", "large", "small"] {
        buy(&setting.shop, &client, plan, 1).await;
    }
    setting.work().await;
    let mut statuses = setting.statuses().await;
    statuses.sort_unstable();
    assert_eq!(statuses, ["active", "active", "active", "failed", "provisioning"]);
    setting.shop.advance(TimeDelta::minutes(1));
    setting.work().await;
    assert_eq!(setting.account.made(), 4, "the one that panicked had been made");
    setting.verify().await;
}

// The program dies between the provider's deed and our note of it.
both_databases!(after_a_crash_the_next_worker_looks_before_it_acts);
async fn after_a_crash_the_next_worker_looks_before_it_acts(backend: Backend) {
    let setting = Setting::new(backend).await;
    setting.account.next("small", &[Mood::Hangs]);
    let (_, client) = setting.customer().await;
    buy(&setting.shop, &client, "small", 1).await;
    tokio::select! {
        () = setting.work() => panic!("the provider hangs"),
        () = setting.account.hung.notified() => {}
    }
    let other = setting.instance(backend, 2).await;
    other.run_jobs().await;
    assert_eq!(setting.account.calls(), ["create"], "it is held by the worker that is gone");
    assert_eq!(setting.statuses().await, ["provisioning"]);
    setting.shop.advance(TimeDelta::minutes(11));
    tokio::join!(setting.work(), other.run_jobs());
    assert_eq!(setting.statuses().await, ["active"]);
    assert_eq!(setting.account.calls(), ["create", "inspect"]);
    assert_eq!(setting.account.made(), 1);
    setting.verify().await;
}

both_databases!(an_answer_that_comes_after_the_lease_does_not_count);
async fn an_answer_that_comes_after_the_lease_does_not_count(backend: Backend) {
    let setting = Setting::new(backend).await;
    let (_, client) = setting.customer().await;
    let order = buy(&setting.shop, &client, "small", 1).await;
    setting.account.next("small", &[Mood::Hangs]);
    tokio::select! {
        () = setting.work() => panic!("the provider hangs"),
        () = setting.account.hung.notified() => {}
    }
    refund(&setting.shop, &order, 1).await;
    setting.shop.advance(TimeDelta::minutes(11));
    setting.work().await;
    assert_eq!(setting.statuses().await, ["suspended"]);
    assert_eq!(setting.service().await["activated_at"], json!(null), "what was refunded is never shown as active");
    assert_eq!(setting.account.calls(), ["create", "inspect", "suspend"]);
    assert_eq!(setting.account.count(RemoteState::Suspended), 1);
    setting.verify().await;
}

both_databases!(a_service_that_cannot_be_suspended_stays_as_it_is_and_is_listed);
async fn a_service_that_cannot_be_suspended_stays_as_it_is_and_is_listed(backend: Backend) {
    let setting = Setting::with(backend, "retry_seconds = [10]").await;
    let (_, client) = setting.customer().await;
    let order = buy(&setting.shop, &client, "small", 1).await;
    setting.work().await;
    setting.account.always("small", Mood::Down);
    refund(&setting.shop, &order, 1).await;
    setting.work().await;
    setting.shop.advance(TimeDelta::seconds(10));
    setting.work().await;
    let service = setting.service().await;
    assert_eq!((&service["status"], &service["needs_attention"]), (&json!("active"), &json!(true)));
    setting.account.always("small", Mood::Fine);
    setting.shop.command(&["services", "retry", "1"]).await.expect_success();
    assert_eq!(setting.statuses().await, ["suspended"]);
    setting.verify().await;
}

/// What the log says was done, by whom, and what came of it.
async fn logged(setting: &Setting) -> serde_json::Value {
    let log = setting.shop.command(&["services", "log", "1", "--json"]).await.json();
    let entries = log["data"].as_array().expect("a list").iter();
    entries.map(|entry| json!([entry["action"], entry["actor"], entry["result"]])).collect()
}

/// A service whose provider has been called by another instance, and has not answered yet.
async fn called_by_other(setting: &Setting, backend: Backend) -> JoinHandle<()> {
    setting.account.next("small", &[Mood::Late]);
    let (_, client) = setting.customer().await;
    buy(&setting.shop, &client, "small", 1).await;
    let runner = setting.instance(backend, 2).await.runner();
    let working = tokio::spawn(async move { runner.tick().await.expect("the worker reaches the database") });
    setting.account.hung.notified().await;
    working
}

both_databases!(what_a_provider_answers_after_the_operator_has_said_how_it_is_does_not_count);
async fn what_a_provider_answers_after_the_operator_has_said_how_it_is_does_not_count(backend: Backend) {
    let setting = Setting::new(backend).await;
    let working = called_by_other(&setting, backend).await;
    setting.shop.command(&["services", "activate", "1", "--external-ref", "mine"]).await.expect_success();
    setting.account.answered.notify_one();
    working.await.expect("it ends");
    let service = setting.service().await;
    assert_eq!((&service["external_ref"], &service["next_attempt_at"]), (&json!("mine"), &json!(null)));
    assert_eq!(logged(&setting).await, json!([["create", "operator", "done"]]));
    setting.verify().await;
}

both_databases!(what_a_provider_answers_after_somebody_else_has_taken_over_does_not_count);
async fn what_a_provider_answers_after_somebody_else_has_taken_over_does_not_count(backend: Backend) {
    let setting = Setting::new(backend).await;
    let working = called_by_other(&setting, backend).await;
    setting.shop.advance(TimeDelta::minutes(11));
    setting.work().await;
    setting.account.answered.notify_one();
    working.await.expect("it ends");
    assert_eq!(setting.account.calls(), ["create", "inspect"]);
    assert_eq!(logged(&setting).await, json!([["inspect", "worker", "done"]]));
    assert_eq!(setting.statuses().await, ["active"]);
    setting.verify().await;
}

both_databases!(what_is_wanted_while_a_provider_is_being_called_is_done_after_it);
async fn what_is_wanted_while_a_provider_is_being_called_is_done_after_it(backend: Backend) {
    let setting = Setting::new(backend).await;
    let working = called_by_other(&setting, backend).await;
    setting.shop.command(&["services", "terminate", "1"]).await.expect_success();
    assert_eq!(setting.account.calls(), ["create"], "one call at a time");
    setting.account.answered.notify_one();
    working.await.expect("it ends");
    assert_eq!(setting.account.calls(), ["create", "terminate"]);
    assert_eq!(setting.statuses().await, ["terminated"]);
    setting.verify().await;
}
