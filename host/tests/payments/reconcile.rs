//! The job that asks providers about what nobody knows the end of.

use chrono::TimeDelta;
use stoa_core::db::Backend;
use stoa_core::from_shop::FromShop;
use stoa_core::gateways::AttemptStatus;
use stoa_core::payments::{CallbackState, Payments, Reconciled, reconcile_due, reconcile_order};
use stoa_core::testing::both_databases;
use stoa_fakes::Fault;
use stoa_fakes::stripe::Outcome;

use crate::till::{Till, assert_state, reconcile};

both_databases!(a_start_without_an_answer_is_asked_for_again_ever_later_and_never_guessed);
async fn a_start_without_an_answer_is_asked_for_again_ever_later_and_never_guessed(backend: Backend) {
    let till = Till::new(backend).await;
    let order_id = till.order("stripe").await;
    till.stripe.next(Fault::DoAndBreakOff);
    till.try_to_pay(order_id, "stripe").await.expect_error(422, "payment_failed");
    let mut asked = till.stripe.requests().len();
    for minutes in [15, 60, 180, 360, 720, 1_440, 1_440] {
        till.shop.advance(TimeDelta::minutes(minutes - 1));
        till.reconcile().await;
        assert_eq!(till.stripe.requests().len(), asked, "before {minutes} minutes are over");
        till.stripe.next(Fault::Fail(500));
        till.shop.advance(TimeDelta::minutes(1));
        till.reconcile().await;
        asked += 1;
        assert_eq!(till.stripe.requests().len(), asked, "after {minutes} minutes");
        Till::assert_states(&till.states(order_id).await, "pending", "pending");
    }
    till.shop.advance(TimeDelta::days(1));
    till.reconcile().await;
    let asked_for = till.stripe.requests();
    let keys = asked_for.iter().map(|request| &request.headers["idempotency-key"]).collect::<Vec<_>>();
    assert!(keys.iter().all(|key| *key == keys[0]), "each of them asks for the same attempt: {keys:?}");
    let found = reconcile_order(&Payments::from_shop(&till.shop.parts), order_id).await.expect("the database is there");
    let Reconciled { attempt_id, after, error, .. } = found.expect("it is open");
    assert_eq!((after, error), (AttemptStatus::Pending, None));
    let gateway_attempt_id = till.attempt(attempt_id).await.gateway_attempt_id.expect("it is known now");
    till.tell_stripe(&till.stripe.happens(&gateway_attempt_id, Outcome::Pay)).await;
    Till::assert_states(&till.states(order_id).await, "paid", "paid");
}

both_databases!(an_attempt_of_a_clock_that_was_years_ahead_is_asked_about_when_it_is_right);
async fn an_attempt_of_a_clock_that_was_years_ahead_is_asked_about_when_it_is_right(backend: Backend) {
    let (till, years) = (Till::new(backend).await, TimeDelta::days(3 * 365));
    till.shop.advance(years);
    let begun = till.begin("mollie").await;
    till.mollie.becomes(&begun.gateway_attempt_id, "paid");
    till.shop.advance(-years);
    till.reconcile().await;
    Till::assert_states(&till.states(begun.order_id).await, "paid", "paid");
}

both_databases!(a_callback_of_a_clock_that_was_years_ahead_is_looked_at_when_it_is_right);
async fn a_callback_of_a_clock_that_was_years_ahead_is_looked_at_when_it_is_right(backend: Backend) {
    let (till, years) = (Till::new(backend).await, TimeDelta::days(3 * 365));
    till.shop.advance(years);
    let begun = till.begin("paypal").await;
    let agreed = till.paypal.callback(&till.paypal.approve(&begun.gateway_attempt_id));
    till.paypal.next(Fault::Pass);
    till.paypal.next(Fault::Fail(500));
    assert_state(&till.tell("paypal", &agreed).await, CallbackState::Pending);
    till.shop.advance(-years);
    till.reconcile().await;
    Till::assert_states(&till.states(begun.order_id).await, "paid", "paid");
}

both_databases!(two_workers_at_once_ask_about_each_attempt_once);
async fn two_workers_at_once_ask_about_each_attempt_once(backend: Backend) {
    let till = Till::new(backend).await;
    let other = till.second_instance().await;
    let mut begun = Vec::new();
    for _ in 0..5 {
        begun.push(till.begin("mollie").await);
    }
    let before = till.mollie.requests().len();
    till.shop.advance(TimeDelta::minutes(5));
    tokio::join!(reconcile(&till.shop), reconcile(&other), reconcile(&till.shop), reconcile(&other));
    let requests = till.mollie.requests();
    let requests = &requests[before..];
    for one in &begun {
        let path = format!("/v2/payments/{}", one.gateway_attempt_id);
        assert_eq!(requests.iter().filter(|request| request.path == path).count(), 1, "{path}");
    }
    assert_eq!(requests.len(), begun.len());
}

both_databases!(what_one_provider_does_not_answer_keeps_no_other_waiting);
async fn what_one_provider_does_not_answer_keeps_no_other_waiting(backend: Backend) {
    let till = Till::new(backend).await;
    let (at_stripe, at_mollie) = (till.begin("stripe").await, till.begin("mollie").await);
    till.mollie.becomes(&at_mollie.gateway_attempt_id, "paid");
    till.shop.advance(TimeDelta::minutes(5));
    till.stripe.next(Fault::Fail(503));
    let mut asked = reconcile_due(&till.shop.uses()).await.expect("the database is there");
    asked.sort_by_key(|one| one.order_id);
    let [silent, answered] = asked.as_slice() else { panic!("{asked:?}") };
    assert_eq!((silent.before, silent.after), (AttemptStatus::Pending, AttemptStatus::Pending));
    assert!(silent.error.is_some() && silent.order_id == at_stripe.order_id, "{silent:?}");
    assert_eq!((answered.after, &answered.error), (AttemptStatus::Succeeded, &None));
    Till::assert_states(&till.states(at_mollie.order_id).await, "paid", "paid");
    assert_eq!(reconcile_due(&till.shop.uses()).await.expect("the database is there"), []);
}

both_databases!(a_provider_that_never_answers_about_its_own_message_is_told_to_the_operator);
async fn a_provider_that_never_answers_about_its_own_message_is_told_to_the_operator(backend: Backend) {
    let till = Till::new(backend).await;
    let begun = till.begin("paypal").await;
    let agreed = till.paypal.callback(&till.paypal.approve(&begun.gateway_attempt_id));
    till.paypal.next(Fault::Pass);
    for _ in 0..150 {
        till.paypal.next(Fault::Fail(500));
    }
    let kept = till.tell("paypal", &agreed).await;
    assert_state(&kept, CallbackState::Pending);
    let mut waits = Vec::new();
    let mut next = kept.next_try_at;
    while let Some(time) = next {
        waits.push((time - till.shop.now()).num_minutes());
        till.shop.clock.advance(time - till.shop.now());
        till.reconcile().await;
        next = till.callback(kept.id).await.next_try_at;
    }
    assert_eq!(waits[..8], [1, 2, 4, 8, 16, 32, 64, 64], "ever later, and every hour in the end");
    assert!((20..40).contains(&waits.len()), "{waits:?}");
    let left = till.callback(kept.id).await;
    assert_state(&left, CallbackState::Flagged);
    assert_eq!(left.reason.as_deref(), Some("callback_unanswered"));
    assert_eq!(till.review(begun.order_id).await.as_deref(), Some("callback_unanswered"));
    Till::assert_states(&till.states(begun.order_id).await, "pending", "pending");
}
