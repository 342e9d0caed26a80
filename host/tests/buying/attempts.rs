//! Attempts at a provider that refuses, is silent, or has moved on meanwhile (contract 2.3).

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::from_shop::FromShop;
use stoa_core::gateways::AttemptStatus;
use stoa_core::orders::{CancelOrderError, CancelReason, cancel_order};
use stoa_core::payments::{PaymentStatus, Payments, record_payment};
use stoa_core::testing::both_databases;

use crate::scripted::{Says, Script};
use crate::shelf::{buyer, history, id, pay_with, record, shop};

fn started(order: &serde_json::Value) -> String {
    format!("start {}", order["number"].as_str().expect("a number"))
}

both_databases!(a_refused_attempt_can_be_followed_by_another);
async fn a_refused_attempt_can_be_followed_by_another(backend: Backend) {
    let (shop, script) = (shop(backend).await, Script::new());
    let ada = buyer(&shop).await;
    let order = ada.place(&shop, &[("lamp", 1)]).await;
    script.start(Says::Refuses);
    ada.try_to_pay(&order, &script.body()).await.expect_error(422, "payment_failed");
    let failed = ada.read(&order).await;
    assert_eq!((&failed["status"], &failed["payment_status"]), (&json!("pending"), &json!("failed")));
    script.start(Says::Is(AttemptStatus::Pending));
    let attempt = ada.pay(&order, &script.body()).await;
    assert_eq!((&attempt["status"], &attempt["payment_status"]), (&json!("pending"), &json!("pending")));
    assert!(attempt["redirect_url"].as_str().is_some_and(|url| url.starts_with("https://provider.example/")));
}

both_databases!(an_attempt_without_an_answer_is_begun_again_with_the_same_reference);
async fn an_attempt_without_an_answer_is_begun_again_with_the_same_reference(backend: Backend) {
    let (shop, script) = (shop(backend).await, Script::new());
    let ada = buyer(&shop).await;
    let order = ada.place(&shop, &[("lamp", 1)]).await;
    script.start(Says::Nothing);
    let mut body = script.body();
    body["idempotency_key"] = json!("k");
    ada.try_to_pay(&order, &body).await.expect_error(422, "payment_failed");
    assert_eq!(ada.read(&order).await["payment_status"], "pending", "nobody knows, so nothing is failed");
    script.start(Says::Is(AttemptStatus::Pending));
    let attempt = ada.pay(&order, &body).await;
    let details = stoa_core::orders::details_of(&shop.parts.db, id(&order)).await.expect("they are read");
    assert_eq!(details.attempts.len(), 1);
    assert_eq!(attempt["attempt_id"], details.attempts[0].id);
    assert_eq!(script.asked(), [started(&order), started(&order)]);
    assert_eq!(ada.pay(&order, &script.body()).await["attempt_id"], attempt["attempt_id"]);
}

both_databases!(an_abandoned_attempt_is_answered_again);
async fn an_abandoned_attempt_is_answered_again(backend: Backend) {
    let (shop, script) = (shop(backend).await, Script::new());
    let ada = buyer(&shop).await;
    let order = ada.place(&shop, &[("lamp", 1)]).await;
    let attempt = ada.pay(&order, &script.body()).await;
    assert_eq!(ada.pay(&order, &script.body()).await, attempt);
    assert_eq!(script.asked(), [started(&order), String::from("look_up")]);
    // Other URLs: the page at the provider leads elsewhere, so it is closed before a new one is opened.
    let mut elsewhere = script.body();
    elsewhere["cancel_url"] = json!("https://shop.example/elsewhere");
    let other = ada.pay(&order, &elsewhere).await;
    assert_ne!(other["attempt_id"], attempt["attempt_id"]);
    assert_eq!(script.asked()[2..], [String::from("cancel"), started(&order)]);
}

both_databases!(an_abandoned_attempt_that_was_paid_settles_the_order);
async fn an_abandoned_attempt_that_was_paid_settles_the_order(backend: Backend) {
    for other_gateway in [false, true] {
        let (shop, script) = (shop(backend).await, Script::new());
        let ada = buyer(&shop).await;
        let order = ada.place(&shop, &[("lamp", 1)]).await;
        ada.pay(&order, &script.body()).await;
        script.look_up(Says::Is(AttemptStatus::Succeeded));
        script.cancel(Says::Is(AttemptStatus::Succeeded));
        let body = if other_gateway { pay_with("development") } else { script.body() };
        let answer = ada.try_to_pay(&order, &body).await.expect_error(409, "invalid_state").json();
        assert_eq!(answer["reason"], "already_paid");
        assert_eq!(ada.read(&order).await["payment_status"], "paid");
        let expected = ["placed by customer", "payment_recorded by gateway:scripted", "paid by gateway:scripted"];
        assert_eq!(history(&shop, &order).await, expected);
    }
}

both_databases!(money_that_is_on_its_way_keeps_others_out);
async fn money_that_is_on_its_way_keeps_others_out(backend: Backend) {
    let (shop, script) = (shop(backend).await, Script::new());
    let ada = buyer(&shop).await;
    let order = ada.place(&shop, &[("lamp", 1)]).await;
    let attempt = ada.pay(&order, &script.body()).await;
    script.look_up(Says::Is(AttemptStatus::Processing));
    script.cancel(Says::Is(AttemptStatus::Processing));
    let same = ada.pay(&order, &script.body()).await;
    assert_eq!((&same["attempt_id"], &same["status"]), (&attempt["attempt_id"], &json!("processing")));
    let refused = ada.try_to_pay(&order, &pay_with("development")).await.expect_error(409, "invalid_state").json();
    assert_eq!(refused["reason"], "payment_processing");
    let cancelled = cancel_order(&Payments::from_shop(&shop.parts), id(&order), CancelReason::Operator).await;
    assert!(matches!(cancelled, Err(CancelOrderError::Processing)), "{cancelled:?}");
    script.look_up(Says::Is(AttemptStatus::Succeeded));
    ada.try_to_pay(&order, &script.body()).await.expect_error(409, "invalid_state");
    assert_eq!(ada.read(&order).await["status"], "paid");
}

both_databases!(a_silent_provider_starts_no_second_attempt);
async fn a_silent_provider_starts_no_second_attempt(backend: Backend) {
    let (shop, script) = (shop(backend).await, Script::new());
    let ada = buyer(&shop).await;
    let order = ada.place(&shop, &[("lamp", 1)]).await;
    ada.pay(&order, &script.body()).await;
    script.look_up(Says::Nothing);
    script.cancel(Says::Nothing);
    for body in [script.body(), pay_with("development")] {
        ada.try_to_pay(&order, &body).await.expect_error(422, "payment_failed");
    }
    let cancelled = cancel_order(&Payments::from_shop(&shop.parts), id(&order), CancelReason::Operator).await;
    assert!(matches!(cancelled, Err(CancelOrderError::Provider(_))), "{cancelled:?}");
    assert_eq!(ada.read(&order).await["status"], "pending");
    let recorded =
        record_payment(&Payments::from_shop(&shop.parts), id(&order)).await.expect("the operator has seen the money");
    assert!(recorded.still_open.is_some(), "the operator is warned");
    assert_eq!(ada.read(&order).await["status"], "paid");
}

both_databases!(another_amount_pays_nothing_and_is_flagged);
async fn another_amount_pays_nothing_and_is_flagged(backend: Backend) {
    let (shop, script) = (shop(backend).await, Script::new());
    let ada = buyer(&shop).await;
    let order = ada.place(&shop, &[("lamp", 1)]).await;
    ada.pay(&order, &script.body()).await;
    for amount in [1999, 2001, 0] {
        script.look_up(Says::Paid(amount));
        ada.pay(&order, &script.body()).await;
        let record = record(&shop, &order).await;
        assert_eq!(record.review_reason.as_deref(), Some("amount_mismatch"));
        assert_eq!(
            (record.order.status.as_str(), record.order.payment_status.map(PaymentStatus::as_str)),
            ("pending", Some("pending"))
        );
    }
    script.look_up(Says::Paid(2000));
    ada.try_to_pay(&order, &script.body()).await.expect_error(409, "invalid_state");
    assert_eq!(ada.read(&order).await["status"], "paid");
}

both_databases!(an_attempt_that_ends_by_itself_makes_room);
async fn an_attempt_that_ends_by_itself_makes_room(backend: Backend) {
    for end in [AttemptStatus::Failed, AttemptStatus::Cancelled, AttemptStatus::Expired] {
        let (shop, script) = (shop(backend).await, Script::new());
        let ada = buyer(&shop).await;
        let order = ada.place(&shop, &[("lamp", 1)]).await;
        let first = ada.pay(&order, &script.body()).await;
        script.look_up(Says::Is(end));
        let second = ada.pay(&order, &script.body()).await;
        assert_ne!(first["attempt_id"], second["attempt_id"], "{end:?}");
        assert_eq!((&second["status"], &second["payment_status"]), (&json!("pending"), &json!("pending")), "{end:?}");
    }
}
