//! `stoa subscriptions …`, and what operators are told besides.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::doctor::State;
use stoa_core::testing::both_databases;

use crate::kit::{Buyer, at, builder, renew_on, shop_at};

both_databases!(operators_see_subscriptions_and_what_is_billed_next);
async fn operators_see_subscriptions_and_what_is_billed_next(backend: Backend) {
    let shop = shop_at(builder(backend), "2026-01-31T12:00:00Z").await;
    let (ada, bob) = (Buyer::new(&shop).await, Buyer::new(&shop).await);
    ada.buy(&shop, 2).await;
    bob.place(1, "manual").await;
    let list = async |arguments: &[&str]| {
        let listed = shop.command(&[&["subscriptions", "list", "--json"], arguments].concat()).await.json();
        let rows = listed["data"].as_array().expect("a list").clone();
        rows.iter().map(|row| row["number"].as_str().expect("a number").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(list(&[]).await, ["S-000003", "S-000002", "S-000001"]);
    assert_eq!(list(&["--status", "pending"]).await, ["S-000003"]);
    assert_eq!(list(&["--customer", &ada.customer.email.to_uppercase()]).await, ["S-000002", "S-000001"]);
    assert_eq!(list(&["--limit", "1"]).await, ["S-000003"]);
    let table = shop.command(&["subscriptions", "list"]).await.expect_success();
    assert!(table.contains("S-000001") && table.contains("€19.95 / 1 month"), "{table}");
    let shown = shop.command(&["subscriptions", "show", "1"]).await.expect_success();
    assert!(shown.contains("2026-02-28T12:00:00Z") && shown.contains("O-000001"), "{shown}");
    let coming = shop.command(&["subscriptions", "preview", "1", "--periods", "2", "--json"]).await.json();
    assert_eq!(
        coming["data"],
        json!([
            {"number": 2, "bill_at": "2026-02-21T12:00:00Z", "starts_at": "2026-02-28T12:00:00Z",
             "ends_at": "2026-03-31T12:00:00Z", "price_amount": 1995, "currency": "EUR"},
            {"number": 3, "bill_at": "2026-03-24T12:00:00Z", "starts_at": "2026-03-31T12:00:00Z",
             "ends_at": "2026-04-30T12:00:00Z", "price_amount": 1995, "currency": "EUR"},
        ])
    );
    shop.command(&["subscriptions", "cancel", "1"]).await.expect_success();
    assert!(shop.command(&["subscriptions", "preview", "1"]).await.expect_success().contains("not be renewed"));
}

both_databases!(what_is_no_subscription_is_refused_with_what_was_expected);
async fn what_is_no_subscription_is_refused_with_what_was_expected(backend: Backend) {
    let shop = shop_at(builder(backend), "2026-01-31T12:00:00Z").await;
    for action in ["show", "cancel", "resume", "preview"] {
        let error = shop.command(&["subscriptions", action, "S-000042"]).await.expect_failure(1);
        assert!(error.contains("there is no subscription S-000042"), "{error}");
        let error = shop.command(&["subscriptions", action, "tea"]).await.expect_failure(2);
        assert!(error.contains("S-000042"), "{error}");
    }
    let error = shop.command(&["subscriptions", "list", "--status", "dead"]).await.expect_failure(2);
    assert!(error.contains("past_due"), "{error}");
}

both_databases!(doctor_and_metrics_tell_how_subscriptions_are);
async fn doctor_and_metrics_tell_how_subscriptions_are(backend: Backend) {
    let shop = shop_at(builder(backend), "2026-01-31T12:00:00Z").await;
    let ada = Buyer::new(&shop).await;
    ada.buy(&shop, 2).await;
    assert!(shop.examined().await.iter().all(|finding| finding.state == State::Ok));
    // No worker has run for weeks.
    shop.advance(at("2026-02-24T12:00:00Z") - shop.now());
    let found = shop.examined().await;
    assert!(found.iter().any(|finding| finding.check == "subscriptions.schedule" && finding.state == State::Warning));
    renew_on(&shop, at("2026-03-01T12:00:00Z")).await;
    let told = shop.measured().await;
    assert!(told.lines().any(|line| line.contains("past_due") && line.ends_with(" 2")), "{told}");
}
