//! Money that is not what was asked for: kept, told to the operator, and never taken for a payment (contract 2.3).

use chrono::TimeDelta;
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::gateways::AttemptStatus;
use stoa_core::payments::CallbackState;
use stoa_core::testing::both_databases;
use stoa_fakes::Callback;
use stoa_fakes::stripe::Outcome;

use crate::till::{Begun, Till, assert_state};

/// Brings a message about the wrong money, which changes nothing and is flagged.
async fn assert_flagged(till: &Till, gateway: &str, begun: &Begun, callback: &Callback) {
    let kept = till.tell(gateway, callback).await;
    assert_state(&kept, CallbackState::Flagged);
    assert_eq!((kept.reason.as_deref(), kept.order_id), (Some("amount_mismatch"), Some(begun.order_id)));
    Till::assert_states(&till.states(begun.order_id).await, "pending", "pending");
    assert_eq!(till.attempt_status(begun).await, AttemptStatus::Pending);
    assert_eq!(till.review(begun.order_id).await.as_deref(), Some("amount_mismatch"));
    assert_eq!(till.payments(begun.order_id).await, 0);
}

both_databases!(another_amount_or_currency_at_stripe_pays_nothing);
async fn another_amount_or_currency_at_stripe_pays_nothing(backend: Backend) {
    let till = Till::new(backend).await;
    for (member, value) in [
        ("amount_total", json!(1_998)),
        ("amount_total", json!(2_000)),
        ("amount_total", json!(0)),
        ("amount_total", json!(-1_999)),
        ("amount_total", json!(i64::MAX)),
        ("currency", json!("usd")),
    ] {
        let begun = till.begin("stripe").await;
        let mut event = till.stripe.happens(&begun.gateway_attempt_id, Outcome::Pay);
        event["data"]["object"][member] = value;
        assert_flagged(&till, "stripe", &begun, &till.stripe.callback(&event)).await;
    }
    assert_eq!(till.told().await.recorded, 0);
}

both_databases!(another_amount_at_mollie_or_paypal_pays_nothing);
async fn another_amount_at_mollie_or_paypal_pays_nothing(backend: Backend) {
    let till = Till::new(backend).await;
    for amount in [json!({"currency": "EUR", "value": "0.01"}), json!({"currency": "USD", "value": "19.99"})] {
        let begun = till.begin("mollie").await;
        till.mollie.becomes(&begun.gateway_attempt_id, "paid");
        till.mollie.set(&begun.gateway_attempt_id, "amount", amount);
        assert_flagged(&till, "mollie", &begun, &till.mollie.callback(&begun.gateway_attempt_id)).await;
    }
    for (member, value) in [("value", "0.01"), ("currency_code", "USD")] {
        let begun = till.begin("paypal").await;
        let unit = till.paypal.order(&begun.gateway_attempt_id)["purchase_units"][0].clone();
        let mut capture = json!({
            "id": format!("{member}CAPTURE"), "status": "COMPLETED", "amount": unit["amount"], "custom_id": unit["custom_id"],
            "supplementary_data": {"related_ids": {"order_id": begun.gateway_attempt_id}}, "links": [],
        });
        capture["amount"][member] = json!(value);
        let event = till.paypal.event("PAYMENT.CAPTURE.COMPLETED", &capture);
        assert_flagged(&till, "paypal", &begun, &till.paypal.callback(&event)).await;
    }
}

both_databases!(the_operator_is_told_once_however_often_the_provider_is_asked);
async fn the_operator_is_told_once_however_often_the_provider_is_asked(backend: Backend) {
    let till = Till::new(backend).await;
    let begun = till.begin("mollie").await;
    till.mollie.becomes(&begun.gateway_attempt_id, "paid");
    till.mollie.set(&begun.gateway_attempt_id, "amount", json!({"currency": "EUR", "value": "0.01"}));
    let before = till.mollie.requests().len();
    for _ in 0..4 {
        till.shop.advance(TimeDelta::days(1));
        till.reconcile().await;
    }
    assert_eq!(till.mollie.requests().len() - before, 4, "it is asked about still: money may come right");
    assert_eq!(till.history(begun.order_id, "needs_review").await, 1);
    let attempt = till.attempt(begun.attempt_id).await;
    let said = attempt.last_error.expect("what is wrong");
    assert!(said.contains("0.01") && said.contains("19.99"), "{said}");
}

both_databases!(a_message_that_names_two_payments_pays_neither);
async fn a_message_that_names_two_payments_pays_neither(backend: Backend) {
    let till = Till::new(backend).await;
    let (paid, other) = (till.begin("stripe").await, till.begin("stripe").await);
    let mut event = till.stripe.happens(&paid.gateway_attempt_id, Outcome::Pay);
    // The customer's own payment, with the name of another order that they would like to have paid.
    let reference = till.attempt(other.attempt_id).await.reference;
    event["data"]["object"]["client_reference_id"] = json!(reference);
    event["data"]["object"]["metadata"]["reference"] = json!(reference);
    let kept = till.tell_stripe(&event).await;
    assert_state(&kept, CallbackState::Flagged);
    assert_eq!((kept.order_id, kept.reason.as_deref()), (None, Some("it names two payments at once")));
    for begun in [paid, other] {
        Till::assert_states(&till.states(begun.order_id).await, "pending", "pending");
    }
}

both_databases!(what_was_begun_at_one_provider_is_not_paid_through_another);
async fn what_was_begun_at_one_provider_is_not_paid_through_another(backend: Backend) {
    let till = Till::new(backend).await;
    let (at_mollie, at_stripe) = (till.begin("mollie").await, till.begin("stripe").await);
    let reference = till.attempt(at_mollie.attempt_id).await.reference;
    let mut event = till.stripe.happens(&at_stripe.gateway_attempt_id, Outcome::Pay);
    for member in ["id", "payment_intent"] {
        event["data"]["object"][member] = json!(at_mollie.gateway_attempt_id);
    }
    event["data"]["object"]["client_reference_id"] = json!(reference);
    event["data"]["object"]["metadata"]["reference"] = json!(reference);
    assert_state(&till.tell_stripe(&event).await, CallbackState::Unmatched);
    Till::assert_states(&till.states(at_mollie.order_id).await, "pending", "pending");
}
