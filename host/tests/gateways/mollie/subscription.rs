//! Signed events of a webhook subscription.

use std::future::Future;

use http::HeaderValue;
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::gateways::{AttemptStatus, CallbackError, Notice, RefundStatus};
use stoa_core::testing::run_test;

use super::Setting;
use crate::requests::{attempt, euros, refund};

const SECRET: &str = "a signing secret of 32 characters";

/// Runs a test in a shop that has a subscription.
fn with_subscription<F: Future<Output = ()>>(test: impl FnOnce(Setting) -> F) {
    let secret = SECRET.replace(' ', "-");
    run_test(Backend::Sqlite, async |_| test(Setting::new(&format!("webhook_secret = '{secret}'")).await).await);
}

fn secret() -> String {
    SECRET.replace(' ', "-")
}

#[test]
fn an_event_of_a_payment_tells_how_it_is_now() {
    with_subscription(async |setting| {
        let payment = setting.paid(1).await;
        let (body, _) = setting.last_body("/v2/payments");
        assert_eq!(body.get("webhookUrl"), None, "the subscription tells everything");
        let event = setting.mollie.event("payment.paid", &payment, None, &secret());
        let told = setting.verify(&event).await.expect("it is verified");
        assert!(told.event_id.starts_with("event_"), "{}", told.event_id);
        assert_eq!(told.event_type, "payment.paid");
        let Notice::Attempt(report) = told.notice else { panic!("{:?}", told.notice) };
        assert_eq!((report.status, report.amount), (AttemptStatus::Succeeded, Some(euros(1_999))));
        assert_eq!(told.subject.expect("a payment").reference, Some(attempt(&setting.shop, 1).reference));
    });
}

#[test]
fn what_is_not_signed_by_mollie_is_not_taken() {
    with_subscription(async |setting| {
        let payment = setting.paid(1).await;
        let unsigned = setting.mollie.callback(&payment);
        let other = setting.mollie.event("payment.paid", &payment, None, "another-secret-of-Mollie");
        let good = setting.mollie.event("payment.paid", &payment, None, &secret());
        let mut tampered = good.clone();
        tampered.body = String::from_utf8(good.body.to_vec()).expect("text").replace("paid", "pa1d").into();
        let mut twice = good.clone();
        twice.headers.append("x-mollie-signature", good.headers["x-mollie-signature"].clone());
        let mut bare = good.clone();
        let signature = good.headers["x-mollie-signature"].to_str().expect("text").replace("sha256=", "");
        bare.headers.insert("x-mollie-signature", HeaderValue::from_str(&signature).expect("a header"));
        let mut wrong = good.clone();
        wrong.headers.insert("x-mollie-signature", HeaderValue::from_str(&"0".repeat(64)).expect("a header"));
        let mut empty = good.clone();
        empty.headers.insert("x-mollie-signature", HeaderValue::from_static("sha256="));
        for (what, callback) in [
            ("unsigned", unsigned),
            ("other", other),
            ("tampered", tampered),
            ("twice", twice),
            ("wrong", wrong),
            ("empty", empty),
        ] {
            let refused = setting.verify(&callback).await.expect_err(what);
            assert!(matches!(refused, CallbackError::Unverified(_)), "{what}: {refused}");
        }
        // Mollie's own libraries know both forms.
        for callback in [good, bare] {
            setting.verify(&callback).await.expect("it is verified");
        }
    });
}

#[test]
fn events_of_refunds_and_chargebacks_are_understood() {
    with_subscription(async |setting| {
        let payment = setting.paid(1).await;
        let request = refund(1, &payment, None, euros(500));
        let id = setting.gateway.refund(&request).await.expect("it is refunded").gateway_refund_id.expect("an id");
        setting.mollie.refund_becomes(&id, "refunded");
        let entity = setting.mollie.refunds().remove(0);

        let whole = setting.mollie.event("refund.refunded", &id, Some(&entity), &secret());
        let told = setting.verify(&whole).await.expect("it is verified");
        let Notice::Refund { reference, report } = told.notice else { panic!("{:?}", told.notice) };
        assert_eq!((reference, report.status), (Some(request.reference), RefundStatus::Succeeded));
        assert_eq!(told.subject.expect("a payment").gateway_attempt_id, Some(payment.clone()));

        let simple = setting.mollie.event("refund.failed", &id, None, &secret());
        let Notice::Refund { reference, report } = setting.verify(&simple).await.expect("verified").notice else {
            panic!("a refund")
        };
        assert_eq!((reference, report.status, report.gateway_refund_id), (None, RefundStatus::Failed, Some(id)));

        let foreign = setting.mollie.refund_elsewhere(&payment, "1.00");
        let event = setting.mollie.event("refund.pending", "re_x", Some(&foreign), &secret());
        assert!(matches!(setting.verify(&event).await.expect("verified").notice, Notice::Review(_)));

        let chargeback = json!({"resource": "chargeback", "id": "chb_1", "paymentId": payment});
        let event = setting.mollie.event("chargeback.received", "chb_1", Some(&chargeback), &secret());
        let told = setting.verify(&event).await.expect("it is verified");
        assert_eq!(told.notice, Notice::Review(String::from("a chargeback at Mollie was received (chb_1)")));
        assert_eq!(told.subject.expect("a payment").gateway_attempt_id, Some(payment));

        let other = setting.mollie.event("payment-link.paid", "pl_1", None, &secret());
        assert_eq!(setting.verify(&other).await.expect("verified").notice, Notice::Nothing);
    });
}
