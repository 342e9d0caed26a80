//! Money that goes back through Mollie.

use stoa_core::gateways::{GatewayError, RefundRequest, RefundStatus};
use stoa_fakes::Fault;

use super::with_mollie;
use crate::requests::{euros, refund};

#[test]
fn money_goes_back_in_parts_up_to_what_was_paid() {
    with_mollie(async |setting| {
        let payment = setting.paid(1).await;
        for (number, cents, value) in [(1, 500, "5.00"), (2, 1_499, "14.99")] {
            let request = refund(number, &payment, Some(&payment), euros(cents));
            let report = setting.gateway.refund(&request).await.expect("it is refunded");
            assert_eq!(report.status, RefundStatus::Pending, "Mollie sends it later");
            let (body, key) = setting.last_body(&format!("/v2/payments/{payment}/refunds"));
            assert_eq!(key, request.reference.to_string());
            assert_eq!((&body["amount"]["value"], &body["metadata"]["reference"]), (&value.into(), &key.into()));
        }
        let too_much = refund(3, &payment, Some(&payment), euros(1));
        let refused = setting.gateway.refund(&too_much).await.expect_err("nothing is left");
        let words = String::from("amount: The amount is higher than the maximum (422)");
        assert_eq!(refused, GatewayError::Refused(words));
    });
}

#[test]
fn a_refund_whose_answer_was_lost_is_found_again_and_followed() {
    with_mollie(async |setting| {
        let payment = setting.paid(1).await;
        let request = refund(1, &payment, None, euros(700));
        setting.mollie.next(Fault::Fail(503));
        setting.gateway.refund(&request).await.expect_err("nobody knows");
        setting.mollie.next(Fault::Pass);
        setting.mollie.next(Fault::DoAndFail(500));
        setting.gateway.refund(&request).await.expect_err("nobody knows");
        assert_eq!(setting.mollie.refunds().len(), 1);
        let begun = setting.gateway.refund(&request).await.expect("it is refunded");
        setting.mollie.forget_idempotency_keys();
        assert_eq!(setting.gateway.refund(&request).await.expect("the same"), begun);
        assert_eq!(setting.mollie.refunds().len(), 1);

        let id = begun.gateway_refund_id.clone().expect("an id");
        let known = RefundRequest { refund_id: Some(id.clone()), ..request };
        for (status, expected) in [
            ("queued", RefundStatus::Pending),
            ("processing", RefundStatus::Pending),
            ("refunded", RefundStatus::Succeeded),
            ("failed", RefundStatus::Failed),
            ("canceled", RefundStatus::Failed),
        ] {
            setting.mollie.refund_becomes(&id, status);
            assert_eq!(setting.gateway.refund(&known).await.expect("an answer").status, expected, "{status}");
        }
    });
}
