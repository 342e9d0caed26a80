//! Events that PayPal sends.

use bytes::Bytes;
use http::{HeaderName, HeaderValue};
use serde_json::{Value, json};
use stoa_core::gateways::{AttemptStatus, CallbackError, Notice, Notification, RefundStatus};
use stoa_fakes::{Callback, Fault};

use super::{Setting, with_paypal};
use crate::requests::{attempt, euros, refund};

impl Setting {
    async fn verify(&self, callback: &Callback) -> Result<Notification, CallbackError> {
        self.gateway.verify(&callback.headers, &callback.body).await
    }

    /// What the gateway says about an event that is signed as it should be.
    pub(super) async fn told(&self, event: &Value) -> Notification {
        self.verify(&self.paypal.callback(event)).await.expect("it is verified")
    }
}

#[test]
fn an_agreement_is_asked_about_and_a_capture_tells_the_money() {
    with_paypal(async |setting| {
        let (_, id) = setting.start(1).await;
        let event = setting.paypal.approve(&id);
        let told = setting.told(&event).await;
        assert_eq!((json!(told.event_id), told.event_type.as_str()), (event["id"].clone(), "CHECKOUT.ORDER.APPROVED"));
        assert_eq!(told.notice, Notice::Ask);
        let subject = told.subject.expect("an order");
        assert_eq!(subject.reference, Some(attempt(&setting.shop, 1).reference));
        assert_eq!(subject.gateway_attempt_id, Some(id.clone()));

        setting.gateway.look_up(&id).await.expect("it is captured");
        for (status, kind, expected) in [
            ("PENDING", "PAYMENT.CAPTURE.PENDING", AttemptStatus::Processing),
            ("DECLINED", "PAYMENT.CAPTURE.DENIED", AttemptStatus::Failed),
            ("COMPLETED", "PAYMENT.CAPTURE.COMPLETED", AttemptStatus::Succeeded),
        ] {
            let capture = setting.paypal.capture_becomes(&id, status);
            let told = setting.told(&setting.paypal.event(kind, &capture)).await;
            let Notice::Attempt(report) = told.notice else { panic!("{:?}", told.notice) };
            assert_eq!((report.status, report.amount), (expected, Some(euros(1_999))), "{kind}");
            let subject = told.subject.expect("a capture");
            assert_eq!(subject.reference, Some(attempt(&setting.shop, 1).reference));
            assert_eq!((subject.gateway_attempt_id, subject.payment_id), (Some(id.clone()), report.payment_id));
        }
    });
}

#[test]
fn what_paypal_does_not_vouch_for_is_not_taken() {
    with_paypal(async |setting| {
        let (_, id) = setting.start(1).await;
        let event = setting.paypal.approve(&id);
        let good = setting.paypal.callback(&event);
        let before = setting.count("verify-webhook-signature");
        for name in ["auth-algo", "cert-url", "transmission-id", "transmission-sig", "transmission-time"] {
            let name = HeaderName::try_from(format!("paypal-{name}")).expect("a name");
            let mut without = good.clone();
            without.headers.remove(&name);
            let mut twice = good.clone();
            twice.headers.append(&name, good.headers[&name].clone());
            let mut empty = good.clone();
            empty.headers.insert(&name, HeaderValue::from_static(""));
            for callback in [without, twice, empty] {
                let refused = setting.verify(&callback).await.expect_err("a header is wrong");
                assert!(matches!(refused, CallbackError::Unverified(_)), "{name}: {refused}");
            }
        }
        for address in
            ["https://evil.example/cert", "http://api.paypal.com/cert", "https://api.paypal.com.evil.example/"]
        {
            let mut foreign = good.clone();
            foreign.headers.insert("paypal-cert-url", HeaderValue::from_static(address));
            setting.verify(&foreign).await.expect_err("the certificate is somebody else's");
        }
        for body in ["", "nothing", "{}, \"webhook_id\": \"x\"", "{\"a\": \"\u{1}\"}"] {
            let callback = Callback { body: Bytes::from(body), ..good.clone() };
            setting.verify(&callback).await.expect_err("the body is no JSON");
        }
        let not_text = Callback { body: Bytes::from_static(b"\"\xff\""), ..good.clone() };
        setting.verify(&not_text).await.expect_err("the body is no text");
        assert_eq!(setting.count("verify-webhook-signature"), before, "nobody had to be asked for that");

        let text = String::from_utf8(good.body.to_vec()).expect("text");
        let tampered = Callback { body: Bytes::from(text.replace("19.99", "10.99")), ..good.clone() };
        let rewritten = Callback { body: Bytes::from(event.to_string()), ..good.clone() };
        let other = setting.paypal.callback_for(&event, "0EH40505U7160970P");
        let mut later = good.clone();
        later.headers.insert("paypal-transmission-time", HeaderValue::from_static("2026-01-16T12:02:01Z"));
        for callback in [tampered, rewritten, other, later] {
            let refused = setting.verify(&callback).await.expect_err("the signature does not fit");
            assert!(matches!(refused, CallbackError::Unverified(_)), "{refused}");
        }
        setting.verify(&good).await.expect("it is verified, byte for byte");
    });
}

#[test]
fn an_event_comes_again_while_paypal_cannot_be_asked() {
    with_paypal(async |setting| {
        let (_, id) = setting.start(1).await;
        let callback = setting.paypal.callback(&setting.paypal.approve(&id));
        for fault in [Fault::Fail(500), Fault::Fail(429), Fault::DoAndBreakOff, Fault::DoAndGarble] {
            setting.paypal.next(fault);
            let failure = setting.verify(&callback).await.expect_err("nobody answers");
            assert!(matches!(failure, CallbackError::Unavailable(_)), "{fault:?}: {failure}");
        }
        setting.paypal.next(Fault::Fail(400));
        let refused = setting.verify(&callback).await.expect_err("PayPal finds the headers strange");
        assert!(matches!(refused, CallbackError::Unverified(_)), "{refused}");
    });
}

#[test]
fn our_refunds_are_told_and_those_made_elsewhere_are_for_the_operator() {
    with_paypal(async |setting| {
        let (order, capture) = setting.paid(1).await;
        let request = refund(1, &order, Some(&capture), euros(500));
        setting.gateway.refund(&request).await.expect("it is refunded");
        let object = setting.paypal.refunds().remove(0);
        let told = setting.told(&setting.paypal.event("PAYMENT.CAPTURE.REFUNDED", &object)).await;
        let Notice::Refund { reference, report } = told.notice else { panic!("{:?}", told.notice) };
        assert_eq!((reference, report.status), (Some(request.reference), RefundStatus::Succeeded));
        assert_eq!(told.subject.expect("a capture").payment_id, Some(capture.clone()));

        let told = setting.told(&setting.paypal.refund_elsewhere(&capture, "2.50")).await;
        let Notice::Review(words) = told.notice else { panic!("{:?}", told.notice) };
        assert!(words.starts_with("a refund of 2.50 EUR that was not made here is COMPLETED"), "{words}");
        assert_eq!(told.subject.expect("a capture").payment_id, Some(capture));
    });
}

#[test]
fn disputes_and_reversals_are_for_the_operator() {
    with_paypal(async |setting| {
        let dispute = json!({
            "dispute_id": "PP-D-27803", "reason": "MERCHANDISE_OR_SERVICE_NOT_RECEIVED", "status": "OPEN",
            "disputed_transactions": [{"seller_transaction_id": "3BC38643YC807283D"}],
        });
        let told = setting.told(&setting.paypal.event("CUSTOMER.DISPUTE.CREATED", &dispute)).await;
        let words = "the dispute PP-D-27803 at PayPal (MERCHANDISE_OR_SERVICE_NOT_RECEIVED, now `OPEN`)";
        assert_eq!(told.notice, Notice::Review(words.to_owned()));
        assert_eq!(told.subject.expect("a capture").payment_id.as_deref(), Some("3BC38643YC807283D"));

        let reversal = json!({
            "id": "09E71677NS257044M", "status": "COMPLETED",
            "links": [{"rel": "up", "href": "https://api.paypal.com/v2/payments/captures/2Y7116757T", "method": "GET"}],
        });
        let told = setting.told(&setting.paypal.event("PAYMENT.CAPTURE.REVERSED", &reversal)).await;
        assert!(matches!(told.notice, Notice::Review(_)), "{told:?}");
        assert_eq!(told.subject.expect("a capture").payment_id.as_deref(), Some("2Y7116757T"));
    });
}

#[test]
fn an_agreement_that_was_taken_back_ends_the_attempt_and_the_rest_changes_nothing() {
    with_paypal(async |setting| {
        let reversed = json!({"order_id": "5O190127TN364715T", "purchase_units": []});
        let told = setting.told(&setting.paypal.event("CHECKOUT.PAYMENT-APPROVAL.REVERSED", &reversed)).await;
        let Notice::Attempt(report) = told.notice else { panic!("{:?}", told.notice) };
        assert_eq!(report.status, AttemptStatus::Cancelled);
        assert_eq!(told.subject.expect("an order").gateway_attempt_id.as_deref(), Some("5O190127TN364715T"));

        let told = setting.told(&setting.paypal.event("BILLING.PLAN.CREATED", &json!({"id": "P-1"}))).await;
        assert_eq!((told.subject, told.notice), (None, Notice::Nothing));

        let odd = setting.paypal.event("PAYMENT.CAPTURE.COMPLETED", &json!({"id": "x", "status": "DREAMING"}));
        let failure = setting.verify(&setting.paypal.callback(&odd)).await.expect_err("that is no state");
        assert!(matches!(failure, CallbackError::Unavailable(_)), "{failure}");
    });
}
