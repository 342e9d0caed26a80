//! Money that goes back through PayPal.

use stoa_core::gateways::{GatewayError, RefundRequest, RefundStatus};
use stoa_fakes::Fault;

use super::with_paypal;
use crate::requests::{euros, refund};

#[test]
fn money_goes_back_in_parts_up_to_what_was_paid() {
    with_paypal(async |setting| {
        let (order, capture) = setting.paid(1).await;
        for (number, cents, value) in [(1, 500, "5.00"), (2, 1_499, "14.99")] {
            let request = refund(number, &order, Some(&capture), euros(cents));
            let report = setting.gateway.refund(&request).await.expect("it is refunded");
            assert_eq!(report.status, RefundStatus::Succeeded);
            let (body, request_id) = setting.last_body("/refund");
            assert_eq!(request_id, request.reference.to_string());
            assert_eq!(body["amount"], serde_json::json!({"currency_code": "EUR", "value": value}));
            assert_eq!(body["custom_id"], format!("refund-{request_id}"));
        }
        let too_much = refund(3, &order, Some(&capture), euros(1));
        let refused = setting.gateway.refund(&too_much).await.expect_err("nothing is left");
        assert!(refused.to_string().contains("CAPTURE_FULLY_REFUNDED"), "{refused}");
        assert!(matches!(refused, GatewayError::Refused(_)), "{refused}");
    });
}

#[test]
fn a_refund_whose_answer_was_lost_is_found_again() {
    with_paypal(async |setting| {
        let (order, _) = setting.paid(1).await;
        let request = refund(1, &order, None, euros(700));
        for faults in [&[Fault::DoAndBreakOff][..], &[Fault::Pass, Fault::DoAndBreakOff]] {
            for fault in faults {
                setting.paypal.next(*fault);
            }
            let lost = setting.gateway.refund(&request).await.expect_err("the answer is lost");
            assert!(matches!(lost, GatewayError::Unknown(_)), "{lost}");
        }
        assert_eq!(setting.paypal.refunds().len(), 1);
        let done = setting.gateway.refund(&request).await.expect("it is refunded");
        setting.paypal.forget_request_ids();
        assert_eq!(setting.gateway.refund(&request).await.expect("the same"), done);
        let known = RefundRequest { refund_id: done.gateway_refund_id.clone(), ..request };
        assert_eq!(setting.gateway.refund(&known).await.expect("the same"), done);
        assert_eq!(setting.paypal.refunds().len(), 1);

        let (_, unpaid) = setting.start(2).await;
        let refused = setting.gateway.refund(&refund(2, &unpaid, None, euros(1))).await.expect_err("nothing was paid");
        assert!(matches!(refused, GatewayError::Refused(_)), "{refused}");
    });
}
