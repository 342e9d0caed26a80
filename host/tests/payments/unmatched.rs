//! Messages about payments that are not known, or not known yet.

use chrono::TimeDelta;
use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::gateways::AttemptStatus;
use stoa_core::payments::CallbackState;
use stoa_core::testing::both_databases;
use stoa_fakes::Fault;
use stoa_fakes::stripe::Outcome;

use crate::till::{Till, assert_state};

/// The first session that the fake makes.
const FIRST_SESSION: &str = "cs_test_a1Fake000000000001";

/// The same event without the names that the shop has given.
fn without_names(mut event: Value) -> Value {
    event["data"]["object"]["client_reference_id"] = Value::Null;
    event["data"]["object"]["metadata"] = json!({});
    event
}

both_databases!(a_payment_that_nobody_knows_is_looked_for_a_day_long);
async fn a_payment_that_nobody_knows_is_looked_for_a_day_long(backend: Backend) {
    let till = Till::new(backend).await;
    let begun = till.begin("stripe").await;
    let mut session = till.stripe.session(&begun.gateway_attempt_id);
    for (member, value) in [
        ("id", "cs_test_of_another_shop"),
        ("payment_intent", "pi_of_another_shop"),
        ("status", "complete"),
        ("payment_status", "paid"),
    ] {
        session[member] = json!(value);
    }
    let event = without_names(till.stripe.event("checkout.session.completed", &session));
    let kept = till.tell_stripe(&event).await;
    assert_state(&kept, CallbackState::Unmatched);
    assert_eq!((kept.tries, kept.next_try_at), (0, Some(till.shop.now() + TimeDelta::minutes(1))));
    till.reconcile().await;
    assert_eq!(till.callback(kept.id).await.tries, 0, "it is not due yet");
    for tries in 1..=3 {
        till.shop.advance(TimeDelta::minutes(1));
        till.reconcile().await;
        assert_eq!(till.callback(kept.id).await.tries, tries);
    }
    till.shop.advance(TimeDelta::hours(24));
    till.reconcile().await;
    let left = till.callback(kept.id).await;
    assert_state(&left, CallbackState::Unmatched);
    assert_eq!((left.tries, left.next_try_at), (4, None));
    till.shop.advance(TimeDelta::days(2));
    till.reconcile().await;
    assert_eq!(till.callback(kept.id).await, left, "it is left alone, and there to be seen");
    Till::assert_states(&till.states(begun.order_id).await, "pending", "pending");
}

both_databases!(a_message_that_came_while_the_clock_was_years_ahead_is_looked_at_when_it_is_right);
async fn a_message_that_came_while_the_clock_was_years_ahead_is_looked_at_when_it_is_right(backend: Backend) {
    let (till, years) = (Till::new(backend).await, TimeDelta::days(3 * 365));
    let order_id = till.order("stripe").await;
    till.stripe.next(Fault::DoAndBreakOff);
    till.try_to_pay(order_id, "stripe").await.expect_error(422, "payment_failed");
    let callback = without_names(till.stripe.happens(FIRST_SESSION, Outcome::Pay));
    till.shop.advance(years);
    let kept = till.tell_stripe(&callback).await;
    assert_state(&kept, CallbackState::Unmatched);
    till.shop.advance(-years);
    till.reconcile().await;
    assert_eq!(till.callback(kept.id).await.tries, 1);
}

both_databases!(a_message_before_the_answer_to_the_start_is_matched_later);
async fn a_message_before_the_answer_to_the_start_is_matched_later(backend: Backend) {
    let till = Till::new(backend).await;
    let order_id = till.order("stripe").await;
    till.stripe.next(Fault::DoAndBreakOff);
    till.try_to_pay(order_id, "stripe").await.expect_error(422, "payment_failed");
    assert_eq!(till.stripe.session(FIRST_SESSION)["status"], "open", "it was begun, and nobody here knows");
    let callback = without_names(till.stripe.happens(FIRST_SESSION, Outcome::Pay));
    let kept = till.tell_stripe(&callback).await;
    assert_state(&kept, CallbackState::Unmatched);
    Till::assert_states(&till.states(order_id).await, "pending", "pending");
    // The job begins the attempt again, which is the same attempt at the provider.
    till.shop.advance(TimeDelta::minutes(15));
    till.reconcile().await;
    till.shop.advance(TimeDelta::minutes(1));
    till.reconcile().await;
    let kept = till.callback(kept.id).await;
    assert_state(&kept, CallbackState::Processed);
    assert_eq!(kept.order_id, Some(order_id));
    Till::assert_states(&till.states(order_id).await, "paid", "paid");
    assert_eq!(till.payments(order_id).await, 1);
}

both_databases!(our_own_name_for_an_attempt_is_enough_to_match_it);
async fn our_own_name_for_an_attempt_is_enough_to_match_it(backend: Backend) {
    let till = Till::new(backend).await;
    let order_id = till.order("stripe").await;
    till.stripe.next(Fault::DoAndBreakOff);
    till.try_to_pay(order_id, "stripe").await.expect_error(422, "payment_failed");
    let kept = till.tell_stripe(&till.stripe.happens(FIRST_SESSION, Outcome::Pay)).await;
    assert_state(&kept, CallbackState::Processed);
    Till::assert_states(&till.states(order_id).await, "paid", "paid");
    let attempt = till.attempt(kept.attempt_id.expect("an attempt")).await;
    assert_eq!(attempt.status, AttemptStatus::Succeeded);
    assert_eq!(attempt.gateway_attempt_id.as_deref(), Some(FIRST_SESSION), "refunds need it");
}
