//! Settings: of products, and of the operator.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use crate::setting::{Setting, builder, product};

both_databases!(settings_of_a_product_are_checked_on_import);
async fn settings_of_a_product_are_checked_on_import(backend: Backend) {
    let setting = Setting::new(backend).await;
    for (settings, expected) in [
        (json!({"provider": "cloud", "plan": "small"}), "`provider` must be one of http, manual, memory"),
        (json!({"provider": "manual", "plan": " "}), "`plan`"),
        (json!({"provider": "manual", "plan": "x".repeat(101)}), "`plan`"),
        (json!({"provider": "manual", "plan": "small", "size": 3}), "`size`"),
        (json!({"provider": 3}), "string"),
    ] {
        let mut line = product("odd", "manual", 100);
        line["modules"]["services"] = settings;
        let outcome = setting.shop.import(&[line]).await.remove(0);
        let problems = outcome.expect_err("it is refused").into_iter().map(|problem| problem.reason);
        let problems = problems.collect::<Vec<_>>().join("; ");
        assert!(problems.contains(expected), "{problems}");
    }
    for settings in [json!({}), json!({"plan": "small"}), json!({"provider": "http"}), json!({"provider": null})] {
        let mut line = product("fine", "manual", 100);
        line["modules"]["services"] = settings;
        setting.shop.stock(&[line]).await;
    }
}

both_databases!(a_product_and_its_line_in_a_cart_tell_the_plan);
async fn a_product_and_its_line_in_a_cart_tell_the_plan(backend: Backend) {
    let setting = Setting::new(backend).await;
    let mut unnamed = product("unnamed", "manual", 100);
    unnamed["modules"]["services"] = serde_json::Value::Null;
    setting.shop.stock(&[unnamed]).await;
    for (slug, details) in [
        ("small", json!({"services": {"plan": "small"}})),
        ("unnamed", json!({"services": {"plan": "unnamed"}})),
        ("mug", json!({})),
    ] {
        let shown = setting.shop.client().get(&format!("/products/{slug}")).await.expect_status(200).json();
        assert_eq!(shown["data"]["details"], details);
        let line = json!({"product_id": shown["data"]["id"], "quantity": 1});
        let cart = setting.shop.client().post("/cart", &line).await.expect_status(200).json();
        assert_eq!(cart["data"]["lines"][0]["details"], details);
    }
}

#[test]
fn impossible_settings_stop_the_start() {
    for (settings, expected) in [
        ("grace_days = 4000", "`modules.services.grace_days`"),
        ("retry_seconds = [60, 0]", "`modules.services.retry_seconds`"),
        ("call_seconds = 0", "`modules.services.call_seconds`"),
        ("drift_hours = 0", "`modules.services.drift_hours`"),
        ("http.url = \"https://panel.example/stoa\"", "`modules.services.http.secret`"),
        ("http.secret = \"s3cret\"", "`modules.services.http.url`"),
        ("http = { url = \"http://panel.example\", secret = \"s3cret\" }", "`modules.services.http.url`"),
        ("http = { url = \"https://127.0.0.1/stoa\", secret = \"s3cret\" }", "`modules.services.http.url`"),
        ("http = { url = \"https://panel.example\", secret = \" \" }", "`modules.services.http.secret`"),
        ("plans.small = { capacity = -1 }", "capacity"),
        ("plans.small = { capcity = 1 }", "capcity"),
        ("providers.cloud = { key = 1 }", "`modules.services.providers.cloud`"),
        ("providers.memory = { acount = \"x\" }", "`modules.services.providers.memory`"),
        ("retries = 3", "retries"),
    ] {
        let config = format!("[modules.services]\n{settings}");
        let Err(problems) = builder(Backend::Sqlite).config(&config).freeze() else { panic!("{settings} is accepted") };
        assert!(problems.to_string().contains(expected), "{settings}: {problems}");
        assert!(!problems.to_string().contains("s3cret"), "{problems}");
    }
}
