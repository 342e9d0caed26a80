//! Paying at Stripe, from the checkout to its event.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::gateways::AttemptStatus;
use stoa_core::payments::CallbackState;
use stoa_core::testing::both_databases;
use stoa_fakes::stripe::Outcome;

use crate::till::{Till, assert_state};

both_databases!(a_customer_who_pays_at_stripe_has_a_paid_order);
async fn a_customer_who_pays_at_stripe_has_a_paid_order(backend: Backend) {
    let till = Till::new(backend).await;
    let begun = till.begin("stripe").await;
    Till::assert_states(&till.states(begun.order_id).await, "pending", "pending");
    let event = till.stripe.happens(&begun.gateway_attempt_id, Outcome::Pay);
    let callback = till.stripe.callback(&event);
    let answer = till.call("stripe", &callback).await.expect_status(200);
    assert_eq!(answer.header("cache-control"), Some("private, no-store"));
    let first = answer.json();
    let id = first["id"].as_i64().expect("an id");
    assert_eq!(first, json!({"ok": true, "id": id, "duplicate": false}));
    Till::assert_states(&till.states(begun.order_id).await, "paid", "paid");
    let kept = till.callback(id).await;
    assert_state(&kept, CallbackState::Processed);
    assert_eq!((kept.order_id, kept.attempt_id), (Some(begun.order_id), Some(begun.attempt_id)));
    assert_eq!((json!(kept.event_id), kept.event_type.as_str()), (event["id"].clone(), "checkout.session.completed"));
    assert_eq!(till.review(begun.order_id).await, None);
    let again = till.call("stripe", &callback).await.expect_status(200).json();
    assert_eq!(again, json!({"ok": true, "id": id, "duplicate": true}));
    assert_eq!(till.callbacks().await.len(), 1);
}

both_databases!(money_that_takes_days_makes_the_order_paid_when_it_comes);
async fn money_that_takes_days_makes_the_order_paid_when_it_comes(backend: Backend) {
    let till = Till::new(backend).await;
    let begun = till.begin("stripe").await;
    till.tell_stripe(&till.stripe.happens(&begun.gateway_attempt_id, Outcome::PayLater)).await;
    assert_eq!(till.attempt_status(&begun).await, AttemptStatus::Processing);
    Till::assert_states(&till.states(begun.order_id).await, "pending", "pending");
    till.tell_stripe(&till.stripe.happens(&begun.gateway_attempt_id, Outcome::MoneyArrives)).await;
    Till::assert_states(&till.states(begun.order_id).await, "paid", "paid");

    let other = till.begin("stripe").await;
    till.tell_stripe(&till.stripe.happens(&other.gateway_attempt_id, Outcome::PayLater)).await;
    till.tell_stripe(&till.stripe.happens(&other.gateway_attempt_id, Outcome::MoneyFails)).await;
    assert_eq!(till.attempt_status(&other).await, AttemptStatus::Failed);
    Till::assert_states(&till.states(other.order_id).await, "pending", "failed");
    let next = till.pay(other.order_id, "stripe").await;
    assert_ne!(next.gateway_attempt_id, other.gateway_attempt_id);
    till.tell_stripe(&till.stripe.happens(&next.gateway_attempt_id, Outcome::Pay)).await;
    Till::assert_states(&till.states(other.order_id).await, "paid", "paid");
}

both_databases!(a_page_that_expired_leaves_the_order_to_be_paid_anew);
async fn a_page_that_expired_leaves_the_order_to_be_paid_anew(backend: Backend) {
    let till = Till::new(backend).await;
    let begun = till.begin("stripe").await;
    let kept = till.tell_stripe(&till.stripe.happens(&begun.gateway_attempt_id, Outcome::Expire)).await;
    assert_state(&kept, CallbackState::Processed);
    assert_eq!(till.attempt_status(&begun).await, AttemptStatus::Expired);
    Till::assert_states(&till.states(begun.order_id).await, "pending", "pending");
    let next = till.pay(begun.order_id, "mollie").await;
    till.mollie.becomes(&next.gateway_attempt_id, "paid");
    till.tell("mollie", &till.mollie.callback(&next.gateway_attempt_id)).await;
    Till::assert_states(&till.states(begun.order_id).await, "paid", "paid");
}

both_databases!(events_that_mean_nothing_to_a_shop_are_kept_and_ignored);
async fn events_that_mean_nothing_to_a_shop_are_kept_and_ignored(backend: Backend) {
    let till = Till::new(backend).await;
    let begun = till.begin("stripe").await;
    let session = till.stripe.session(&begun.gateway_attempt_id);
    for kind in ["customer.created", "checkout.session.dreamt", "invoice.paid"] {
        let kept = till.tell_stripe(&till.stripe.event(kind, &session)).await;
        assert_state(&kept, CallbackState::Ignored);
        assert_eq!((kept.order_id, kept.next_try_at), (None, None));
    }
    assert_eq!(till.attempt_status(&begun).await, AttemptStatus::Pending);
}
