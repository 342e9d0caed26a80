//! What providers tell about money that goes back, and what they are asked about it.

use chrono::TimeDelta;
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::gateways::RefundStatus;
use stoa_core::payments::CallbackState;
use stoa_core::refunds::{NewRefund, RefundOrderError, RefundScope, find_refund, refund_order};
use stoa_core::testing::both_databases;
use stoa_fakes::Fault;
use stoa_fakes::stripe::Outcome;

use crate::till::{Begun, Till, assert_state};

impl Till {
    /// An order that was paid at Stripe.
    pub(crate) async fn paid(&self) -> Begun {
        let begun = self.begin("stripe").await;
        self.tell_stripe(&self.stripe.happens(&begun.gateway_attempt_id, Outcome::Pay)).await;
        begun
    }

    /// Sends some of the money back; gives the refund's id and what the provider has made of it.
    async fn refund(&self, begun: &Begun, amount: i64) -> Result<i64, RefundOrderError> {
        let scope = RefundScope::Amount(amount);
        let new = NewRefund { order_id: begun.order_id, scope, reason: String::from("It came late") };
        Ok(refund_order(&self.shop.uses(), &new).await?.refund.id)
    }

    async fn refund_status(&self, id: i64) -> RefundStatus {
        find_refund(&self.shop.parts.db, &self.shop.parts.money, id)
            .await
            .expect("it is read")
            .expect("it is there")
            .refund
            .status
    }
}

both_databases!(a_refund_without_an_answer_is_asked_for_again_by_the_job_and_made_once);
async fn a_refund_without_an_answer_is_asked_for_again_by_the_job_and_made_once(backend: Backend) {
    let till = Till::new(backend).await;
    let begun = till.paid().await;
    // The list of refunds is answered, and the refund itself is made without an answer.
    till.stripe.next(Fault::Pass);
    till.stripe.next(Fault::DoAndBreakOff);
    let silent = till.refund(&begun, 500).await;
    assert!(matches!(silent, Err(RefundOrderError::Send(_))), "{silent:?}");
    till.reconcile().await;
    assert_eq!(till.states(begun.order_id).await.1, "paid", "it is not due yet");
    till.shop.advance(TimeDelta::minutes(5));
    till.reconcile().await;
    assert_eq!(till.states(begun.order_id).await.1, "partially_refunded");
    assert_eq!(till.stripe.refunds().len(), 1);
    till.shop.advance(TimeDelta::days(1));
    till.reconcile().await;
    assert_eq!(till.stripe.refunds().len(), 1, "it is over");
}

both_databases!(a_refund_of_a_clock_that_was_years_ahead_is_asked_for_when_it_is_right);
async fn a_refund_of_a_clock_that_was_years_ahead_is_asked_for_when_it_is_right(backend: Backend) {
    let (till, years) = (Till::new(backend).await, TimeDelta::days(3 * 365));
    let begun = till.paid().await;
    till.stripe.next(Fault::Pass);
    till.stripe.next(Fault::DoAndBreakOff);
    till.shop.advance(years);
    till.refund(&begun, 500).await.expect_err("the answer is lost");
    till.shop.advance(-years);
    till.reconcile().await;
    assert_eq!(till.states(begun.order_id).await.1, "partially_refunded");
    assert_eq!(till.stripe.refunds().len(), 1);
}

both_databases!(a_refund_that_fails_after_it_was_done_is_for_the_operator);
async fn a_refund_that_fails_after_it_was_done_is_for_the_operator(backend: Backend) {
    let till = Till::new(backend).await;
    let begun = till.paid().await;
    let id = till.refund(&begun, 500).await.expect("it is refunded");
    assert_eq!(till.refund_status(id).await, RefundStatus::Succeeded);
    let mut refund = till.stripe.refunds().remove(0);
    let kept = till.tell_stripe(&till.stripe.event("refund.updated", &refund)).await;
    assert_state(&kept, CallbackState::Processed);
    assert_eq!((kept.order_id, till.review(begun.order_id).await), (Some(begun.order_id), None));
    refund["status"] = json!("failed");
    let kept = till.tell_stripe(&till.stripe.event("refund.failed", &refund)).await;
    assert_state(&kept, CallbackState::Flagged);
    assert_eq!(till.review(begun.order_id).await.as_deref(), Some("refund_failed_later"));
    assert_eq!(till.refund_status(id).await, RefundStatus::Succeeded, "what was told to everybody is not taken back");
}

both_databases!(a_refund_that_was_not_made_here_is_for_the_operator);
async fn a_refund_that_was_not_made_here_is_for_the_operator(backend: Backend) {
    let till = Till::new(backend).await;
    let begun = till.paid().await;
    let payment = till.attempt(begun.attempt_id).await.gateway_payment_id.expect("a payment intent");
    let [refund, _] = till.stripe.refund_elsewhere(&payment, 300);
    assert_state(&till.tell_stripe(&refund).await, CallbackState::Flagged);
    let review = till.review(begun.order_id).await.expect("it is flagged");
    assert!(review.contains("not made here"), "{review}");
    Till::assert_states(&till.states(begun.order_id).await, "paid", "paid");
}
