//! Money that goes back through Stripe.

use stoa_core::gateways::{GatewayError, RefundRequest, RefundStatus};
use stoa_fakes::Fault;

use super::with_stripe;
use crate::requests::{euros, refund};

#[test]
fn money_goes_back_in_parts_up_to_what_was_paid() {
    with_stripe(async |setting| {
        let (session, intent) = setting.paid(1).await;
        for (number, cents) in [(1, 500), (2, 1_499)] {
            let request = refund(number, &session, Some(&intent), euros(cents));
            let report = setting.gateway.refund(&request).await.expect("it is refunded");
            assert_eq!(report.status, RefundStatus::Succeeded);
            let (form, key) = setting.last_form("/v1/refunds");
            assert_eq!(key, request.reference.to_string());
            assert_eq!(form["payment_intent"], intent);
            assert_eq!(form["amount"], cents.to_string());
            assert_eq!(form["metadata[reference]"], key);
            assert_eq!(form["metadata[reason]"], "one mug came broken");
        }
        let too_much = refund(3, &session, Some(&intent), euros(1));
        let refused = setting.gateway.refund(&too_much).await.expect_err("nothing is left");
        assert_eq!(refused, GatewayError::Refused(String::from("Charge has already been refunded. (400)")));
        assert_eq!(setting.stripe.refunds().len(), 2);
    });
}

#[test]
fn a_refund_whose_answer_was_lost_is_found_again() {
    with_stripe(async |setting| {
        let (session, intent) = setting.paid(1).await;
        let request = refund(1, &session, Some(&intent), euros(700));
        // The first request of a refund looks for it.
        setting.stripe.next(Fault::Fail(500));
        setting.gateway.refund(&request).await.expect_err("nobody knows");
        assert_eq!(setting.stripe.refunds().len(), 0);
        setting.stripe.next(Fault::Pass);
        setting.stripe.next(Fault::DoAndBreakOff);
        let lost = setting.gateway.refund(&request).await.expect_err("the answer is lost");
        assert!(matches!(lost, GatewayError::Unknown(_)), "{lost}");
        assert_eq!(setting.stripe.refunds().len(), 1);

        let done = setting.gateway.refund(&request).await.expect("it is refunded");
        for _ in 0..2 {
            assert_eq!(setting.gateway.refund(&request).await.expect("the same"), done);
            setting.stripe.forget_idempotency_keys();
        }
        let known = RefundRequest { refund_id: done.gateway_refund_id.clone(), ..request };
        let by_id = setting.gateway.refund(&known);
        assert_eq!(by_id.await.expect("the same"), done);
        assert_eq!(setting.stripe.refunds().len(), 1);
    });
}

#[test]
fn a_payment_intent_that_is_not_known_yet_is_asked_for() {
    with_stripe(async |setting| {
        let (session, _) = setting.paid(1).await;
        let report = setting.gateway.refund(&refund(1, &session, None, euros(1_999))).await.expect("it is refunded");
        assert_eq!(report.status, RefundStatus::Succeeded);

        let (_, unpaid) = setting.start(2).await;
        let refused = setting.gateway.refund(&refund(2, &unpaid, None, euros(1))).await.expect_err("nothing was paid");
        assert!(matches!(refused, GatewayError::Refused(_)), "{refused}");
    });
}
