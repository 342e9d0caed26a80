//! Paying at PayPal, where the shop takes the money that the customer has agreed to.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::from_shop::FromShop;
use stoa_core::gateways::AttemptStatus;
use stoa_core::orders::{CancelReason, cancel_order};
use stoa_core::payments::{CallbackState, Payments};
use stoa_core::testing::both_databases;

use crate::till::{Till, assert_state};

impl Till {
    /// How often money was taken at PayPal.
    fn captures(&self) -> usize {
        self.paypal.requests().iter().filter(|request| request.path.ends_with("/capture")).count()
    }
}

both_databases!(a_customer_who_agrees_at_paypal_has_a_paid_order);
async fn a_customer_who_agrees_at_paypal_has_a_paid_order(backend: Backend) {
    let till = Till::new(backend).await;
    let begun = till.begin("paypal").await;
    let agreed = till.paypal.callback(&till.paypal.approve(&begun.gateway_attempt_id));
    assert_state(&till.tell("paypal", &agreed).await, CallbackState::Processed);
    Till::assert_states(&till.states(begun.order_id).await, "paid", "paid");
    assert_eq!(till.captures(), 1);
    // PayPal then tells what the shop has done itself.
    let capture = till.paypal.capture_becomes(&begun.gateway_attempt_id, "COMPLETED");
    let event = till.paypal.event("PAYMENT.CAPTURE.COMPLETED", &capture);
    let kept = till.tell("paypal", &till.paypal.callback(&event)).await;
    assert_state(&kept, CallbackState::Processed);
    assert_eq!((till.payments(begun.order_id).await, till.review(begun.order_id).await), (1, None));
    assert_eq!(till.call("paypal", &agreed).await.expect_status(200).json()["duplicate"], true);
    assert_eq!(till.captures(), 1);
}

both_databases!(an_agreement_that_was_taken_back_or_forgotten_ends_the_attempt);
async fn an_agreement_that_was_taken_back_or_forgotten_ends_the_attempt(backend: Backend) {
    let till = Till::new(backend).await;
    let begun = till.begin("paypal").await;
    let reversal = json!({"order_id": begun.gateway_attempt_id, "purchase_units": []});
    let event = till.paypal.event("CHECKOUT.PAYMENT-APPROVAL.REVERSED", &reversal);
    assert_state(&till.tell("paypal", &till.paypal.callback(&event)).await, CallbackState::Processed);
    assert_eq!(till.attempt_status(&begun).await, AttemptStatus::Cancelled);

    let next = till.pay(begun.order_id, "paypal").await;
    till.paypal.forget_order(&next.gateway_attempt_id);
    till.shop.advance(chrono::TimeDelta::minutes(5));
    till.reconcile().await;
    assert_eq!(till.attempt_status(&next).await, AttemptStatus::Expired);
    Till::assert_states(&till.states(begun.order_id).await, "pending", "pending");
}

both_databases!(a_declined_card_leaves_the_customer_to_choose_another_one);
async fn a_declined_card_leaves_the_customer_to_choose_another_one(backend: Backend) {
    let till = Till::new(backend).await;
    let begun = till.begin("paypal").await;
    till.paypal.decline_next_capture(&begun.gateway_attempt_id);
    till.tell("paypal", &till.paypal.callback(&till.paypal.approve(&begun.gateway_attempt_id))).await;
    assert_eq!(till.attempt_status(&begun).await, AttemptStatus::Pending);
    till.tell("paypal", &till.paypal.callback(&till.paypal.approve(&begun.gateway_attempt_id))).await;
    Till::assert_states(&till.states(begun.order_id).await, "paid", "paid");
}

both_databases!(nothing_is_taken_from_a_customer_who_agrees_after_the_order_was_cancelled);
async fn nothing_is_taken_from_a_customer_who_agrees_after_the_order_was_cancelled(backend: Backend) {
    let till = Till::new(backend).await;
    let begun = till.begin("paypal").await;
    cancel_order(&Payments::from_shop(&till.shop.parts), begun.order_id, CancelReason::Operator)
        .await
        .expect("it is cancelled");
    let agreed = till.paypal.callback(&till.paypal.approve(&begun.gateway_attempt_id));
    assert_state(&till.tell("paypal", &agreed).await, CallbackState::Processed);
    till.shop.advance(chrono::TimeDelta::days(1));
    till.reconcile().await;
    assert_eq!(till.captures(), 0);
    Till::assert_states(&till.states(begun.order_id).await, "cancelled", "cancelled");
}
