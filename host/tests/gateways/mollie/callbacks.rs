//! Callbacks of single payments, which say nothing but an id.

use http::HeaderMap;
use serde_json::json;
use stoa_core::gateways::{AttemptStatus, CallbackError, Notice};
use stoa_fakes::Fault;

use super::with_mollie;
use crate::requests::{attempt, euros, refund};

#[test]
fn what_a_callback_means_is_asked_of_mollie() {
    with_mollie(async |setting| {
        let (_, id) = setting.start(1).await;
        let mut seen = Vec::new();
        for (status, expected) in [
            ("open", AttemptStatus::Pending),
            ("pending", AttemptStatus::Processing),
            ("failed", AttemptStatus::Failed),
            ("paid", AttemptStatus::Succeeded),
        ] {
            setting.mollie.becomes(&id, status);
            let told = setting.verify(&setting.mollie.callback(&id)).await.expect("it is verified");
            let again = setting.verify(&setting.mollie.callback(&id)).await.expect("it is verified");
            assert_eq!(told, again, "a repetition has the same identity");
            assert!(!seen.contains(&told.event_id), "{} is new", told.event_id);
            seen.push(told.event_id);
            let Notice::Attempt(report) = told.notice else { panic!("{:?}", told.notice) };
            assert_eq!((report.status, report.amount), (expected, Some(euros(1_999))));
            let subject = told.subject.expect("a payment");
            assert_eq!(subject.reference, Some(attempt(&setting.shop, 1).reference));
            assert_eq!(subject.gateway_attempt_id, Some(id.clone()));
        }
    });
}

#[test]
fn a_callback_that_names_no_payment_of_the_account_reveals_nothing() {
    with_mollie(async |setting| {
        setting.start(1).await;
        for body in ["", "id=", "id=tr_unknown", "id=../methods", "id=a&id=b", "payment=tr_Fake000001", "{}", "\u{0}"] {
            let refused = setting.gateway.verify(&HeaderMap::new(), body.as_bytes()).await.expect_err("no payment");
            assert!(matches!(refused, CallbackError::Unverified(_)), "{body}: {refused}");
        }
        let (_, id) = setting.start(2).await;
        setting.mollie.next(Fault::Fail(500));
        let failure = setting.verify(&setting.mollie.callback(&id)).await.expect_err("Mollie does not answer");
        assert!(matches!(failure, CallbackError::Unavailable(_)), "{failure}");
    });
}

#[test]
fn refunds_and_chargebacks_are_told_apart() {
    with_mollie(async |setting| {
        let payment = setting.paid(1).await;
        let callback = setting.mollie.callback(&payment);
        let ours = setting.gateway.refund(&refund(1, &payment, None, euros(500))).await.expect("it is refunded");
        let first = setting.verify(&callback).await.expect("it is verified");
        assert_eq!(first.notice, Notice::Ask, "ours: what became of it is asked");
        setting.mollie.refund_becomes(&ours.gateway_refund_id.expect("an id"), "refunded");
        let second = setting.verify(&callback).await.expect("it is verified");
        assert_ne!(first.event_id, second.event_id, "a refund went on, although the sums are the same");

        let foreign = setting.mollie.refund_elsewhere(&payment, "2.50");
        let told = setting.verify(&callback).await.expect("it is verified");
        let id = foreign["id"].as_str().expect("an id");
        let words = format!("a refund of 2.50 EUR that was not made here is pending ({id})");
        assert_eq!(told.notice, Notice::Review(words));

        setting.mollie.set(&payment, "amountChargedBack", json!({"currency": "EUR", "value": "19.99"}));
        let told = setting.verify(&callback).await.expect("it is verified");
        assert_eq!(told.notice, Notice::Review(String::from("19.99 EUR were charged back at Mollie")));
    });
}

#[test]
fn a_payment_of_another_system_on_the_account_carries_no_reference_of_ours() {
    with_mollie(async |setting| {
        let payment = setting.paid(1).await;
        for metadata in [json!(null), json!("cart 5"), json!({"reference": "cart 5"}), json!([1])] {
            setting.mollie.set(&payment, "metadata", metadata);
            let told = setting.verify(&setting.mollie.callback(&payment)).await.expect("it is verified");
            assert_eq!(told.subject.expect("a payment").reference, None);
        }
    });
}
