//! Renewals that are not paid: overdue, suspended, ended, or paid after all.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::from_shop::FromShop;
use stoa_core::payments::Payments;
use stoa_core::testing::{TestShop, both_databases};

use crate::kit::{Buyer, assert_sound, at, builder, heard, pay, renew_on, shop_at, told, work_on};

/// A shop where the renewal of a month that ends on 28 February, at noon, waits to be paid.
async fn unpaid(backend: Backend, config: &str) -> (TestShop, Buyer, i64) {
    let shop = shop_at(builder(backend).config(config), "2026-01-31T12:00:00Z").await;
    let ada = Buyer::new(&shop).await;
    ada.buy(&shop, 1).await;
    renew_on(&shop, at("2026-02-21T12:00:00Z")).await;
    let (_, order) = ada.orders().await;
    (shop, ada, order)
}

both_databases!(an_unpaid_renewal_falls_due_is_suspended_and_ends_with_its_order);
async fn an_unpaid_renewal_falls_due_is_suspended_and_ends_with_its_order(backend: Backend) {
    let (shop, ada, order) = unpaid(backend, "").await;
    for (time, status, suspended) in [
        ("2026-02-28T11:59:59Z", "active", false),
        ("2026-02-28T12:00:00Z", "past_due", false),
        ("2026-03-07T11:59:59Z", "past_due", false),
        ("2026-03-07T12:00:00Z", "past_due", true),
        ("2026-03-30T11:59:59Z", "past_due", true),
    ] {
        renew_on(&shop, at(time)).await;
        assert_eq!(ada.subscription(1).await["status"], status, "{time}");
        let expected = if suspended { vec![told("EntitlementSuspended", 1)] } else { Vec::new() };
        assert_eq!(heard(&shop).await, expected, "{time}");
        assert_eq!(ada.order(order).await["status"], "pending");
        assert_sound(&shop).await;
    }
    renew_on(&shop, at("2026-03-30T12:00:00Z")).await;
    assert_eq!(ada.subscription(1).await["status"], "ended");
    assert_eq!(ada.order(order).await["status"], "cancelled");
    assert_eq!(heard(&shop).await, [told("EntitlementSuspended", 1), told("EntitlementEnded", 1)]);
    let shown = shop.command(&["subscriptions", "show", "1", "--json"]).await.json();
    assert_eq!((&shown["end_reason"], &shown["periods"][1]["state"]), (&json!("unpaid"), &json!("void")));
    work_on(&shop, at("2026-09-01T12:00:00Z")).await;
    assert_eq!(ada.orders().await.0, 2, "it is over");
    assert_sound(&shop).await;
}

both_databases!(a_late_payment_counts_from_the_due_date);
async fn a_late_payment_counts_from_the_due_date(backend: Backend) {
    let (shop, ada, order) = unpaid(backend, "").await;
    renew_on(&shop, at("2026-03-10T12:00:00Z")).await;
    assert_eq!(heard(&shop).await, [told("EntitlementSuspended", 1)]);
    pay(&shop, order).await;
    let resumed = ada.subscription(1).await;
    assert_eq!(resumed["status"], "active");
    assert_eq!(resumed["current_period_start"], "2026-02-28T12:00:00Z");
    assert_eq!(resumed["current_period_end"], "2026-03-31T12:00:00Z");
    assert_eq!(heard(&shop).await, [told("EntitlementSuspended", 1), told("EntitlementResumed", 1)]);
    assert_sound(&shop).await;
}

both_databases!(a_late_payment_counts_from_its_own_day_if_the_operator_wants_that);
async fn a_late_payment_counts_from_its_own_day_if_the_operator_wants_that(backend: Backend) {
    let (shop, ada, order) = unpaid(backend, "[modules.subscriptions]\nlate_payment = \"payment\"").await;
    renew_on(&shop, at("2026-03-10T12:00:00Z")).await;
    pay(&shop, order).await;
    let resumed = ada.subscription(1).await;
    assert_eq!(resumed["current_period_start"], "2026-03-10T12:00:00Z");
    assert_eq!(resumed["current_period_end"], "2026-04-10T12:00:00Z");
    renew_on(&shop, at("2026-04-05T12:00:00Z")).await;
    let (_, next) = ada.orders().await;
    pay(&shop, next).await;
    assert_eq!(ada.subscription(1).await["current_period_end"], "2026-05-10T12:00:00Z");
    assert_sound(&shop).await;
}

both_databases!(what_is_paid_before_it_is_suspended_keeps_its_days);
async fn what_is_paid_before_it_is_suspended_keeps_its_days(backend: Backend) {
    let (shop, ada, order) = unpaid(backend, "[modules.subscriptions]\nlate_payment = \"payment\"").await;
    renew_on(&shop, at("2026-03-03T12:00:00Z")).await;
    assert_eq!(ada.subscription(1).await["status"], "past_due");
    pay(&shop, order).await;
    assert_eq!(ada.subscription(1).await["current_period_start"], "2026-02-28T12:00:00Z");
    assert_eq!(heard(&shop).await, []);
    assert_sound(&shop).await;
}

both_databases!(what_was_billed_late_falls_due_when_it_is_billed);
async fn what_was_billed_late_falls_due_when_it_is_billed(backend: Backend) {
    let shop = shop_at(builder(backend), "2026-01-31T12:00:00Z").await;
    let ada = Buyer::new(&shop).await;
    ada.buy(&shop, 1).await;
    // The shop was down for half a year.
    renew_on(&shop, at("2026-08-15T12:00:00Z")).await;
    assert_eq!(ada.subscription(1).await["status"], "past_due");
    assert_eq!(heard(&shop).await, []);
    renew_on(&shop, at("2026-08-22T12:00:00Z")).await;
    assert_eq!(heard(&shop).await, [told("EntitlementSuspended", 1)]);
    renew_on(&shop, at("2026-09-14T11:00:00Z")).await;
    assert_eq!(ada.subscription(1).await["status"], "past_due");
    renew_on(&shop, at("2026-09-14T12:00:00Z")).await;
    assert_eq!(ada.subscription(1).await["status"], "ended");
    assert_eq!(ada.orders().await.0, 2);
    assert_sound(&shop).await;
}

both_databases!(a_jump_over_everything_ends_what_was_billed_in_time);
async fn a_jump_over_everything_ends_what_was_billed_in_time(backend: Backend) {
    let (shop, ada, order) = unpaid(backend, "").await;
    renew_on(&shop, at("2026-12-01T12:00:00Z")).await;
    assert_eq!(ada.subscription(1).await["status"], "ended");
    assert_eq!(ada.order(order).await["status"], "cancelled");
    assert_eq!(ada.orders().await.0, 2);
}

both_databases!(paying_and_ending_at_once_come_to_one_of_both);
async fn paying_and_ending_at_once_come_to_one_of_both(backend: Backend) {
    use crate::kit::renew_at;
    use stoa_core::payments::record_payment;
    let (shop, ada, order) = unpaid(backend, "").await;
    let end = at("2026-03-30T12:00:00Z");
    shop.advance(end - shop.now());
    let payments = Payments::from_shop(&shop.parts);
    let (paid, _, _) = tokio::join!(record_payment(&payments, order), renew_at(&shop, end), renew_at(&shop, end));
    shop.run_jobs().await;
    shop.run_jobs().await;
    let (subscription, order) = (ada.subscription(1).await, ada.order(order).await);
    match (subscription["status"].as_str(), order["status"].as_str()) {
        (Some("active"), Some("paid")) => assert!(paid.is_ok()),
        (Some("ended"), Some("cancelled")) => assert!(paid.is_err()),
        // The money came after the decision: the operator is told.
        (Some("ended"), Some("paid")) => {
            let findings = shop.examined().await;
            assert!(findings.iter().any(|finding| finding.message.contains("O-000002")), "{findings:?}");
        }
        other => panic!("{other:?}"),
    }
    assert_sound(&shop).await;
}
