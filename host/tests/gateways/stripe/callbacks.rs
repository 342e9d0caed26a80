//! Events that Stripe sends.

use http::{HeaderMap, HeaderValue};
use serde_json::{Value, json};
use stoa_core::gateways::{AttemptStatus, CallbackError, Notice, Notification, RefundStatus};
use stoa_fakes::Fault;
use stoa_fakes::stripe::Outcome;

use super::{Setting, with_stripe};
use crate::requests::{attempt, euros, reference, refund};

impl Setting {
    /// What the gateway says about an event that is signed as it should be.
    async fn told(&self, event: &Value) -> Notification {
        let callback = self.stripe.callback(event);
        self.gateway.verify(&callback.headers, &callback.body).await.expect("it is verified")
    }
}

#[track_caller]
fn assert_unverified(result: Result<Notification, CallbackError>, why: &str) {
    match result {
        Err(CallbackError::Unverified(said)) => assert!(said.contains(why), "{said} instead of {why}"),
        other => panic!("{other:?} instead of {why}"),
    }
}

#[test]
fn events_of_a_session_tell_what_became_of_the_attempt() {
    with_stripe(async |setting| {
        for (number, outcomes, status) in [
            (1, &[Outcome::Pay][..], AttemptStatus::Succeeded),
            (2, &[Outcome::PayLater], AttemptStatus::Processing),
            (3, &[Outcome::PayLater, Outcome::MoneyArrives], AttemptStatus::Succeeded),
            (4, &[Outcome::PayLater, Outcome::MoneyFails], AttemptStatus::Failed),
            (5, &[Outcome::Expire], AttemptStatus::Expired),
        ] {
            let (_, id) = setting.start(number).await;
            let events: Vec<_> = outcomes.iter().map(|outcome| setting.stripe.happens(&id, *outcome)).collect();
            let event = events.last().expect("one at least");
            let told = setting.told(event).await;
            assert_eq!((&json!(told.event_id), &json!(told.event_type)), (&event["id"], &event["type"]));
            let subject = told.subject.expect("a session");
            assert_eq!(subject.reference, Some(attempt(&setting.shop, number).reference));
            assert_eq!(subject.gateway_attempt_id, Some(id));
            let Notice::Attempt(report) = told.notice else { panic!("{:?}", told.notice) };
            assert_eq!((report.status, report.amount), (status, Some(euros(1_999))), "{outcomes:?}");
            assert_eq!(report.payment_id, subject.payment_id);
        }
    });
}

#[test]
fn what_is_not_signed_by_stripe_is_not_taken() {
    with_stripe(async |setting| {
        let (_, id) = setting.start(1).await;
        let event = setting.stripe.happens(&id, Outcome::Pay);
        let now = setting.shop.now().timestamp();
        let secret = setting.stripe.settings().webhook_secret.clone();
        let good = setting.stripe.callback(&event);
        let verify = async |headers: &HeaderMap, body: &[u8]| setting.gateway.verify(headers, body).await;
        let with = |header: &str| {
            let mut headers = HeaderMap::new();
            headers.insert("stripe-signature", HeaderValue::from_str(header).expect("a header"));
            headers
        };
        let header = good.headers["stripe-signature"].to_str().expect("text").to_owned();
        let signature = header.split("v1=").nth(1).and_then(|rest| rest.split(',').next()).expect("one").to_owned();

        assert_unverified(verify(&HeaderMap::new(), &good.body).await, "there is no");
        for malformed in ["", "t=", "v1=00", "t=now,v1=00", "t=1,t=1,v1=00", &format!("t=-{now},v1={signature}")] {
            assert_unverified(verify(&with(malformed), &good.body).await, "malformed");
        }
        for none in [
            format!("t={now}"),
            format!("t={now},v1="),
            format!("t={now},v0={signature}"),
            format!("t={now},v1={}", &signature[..62]),
            format!("t={now},v1={}", "0".repeat(64)),
            format!("t={},v1={signature}", now + 1),
        ] {
            assert_unverified(verify(&with(&none), &good.body).await, "no signature fits");
        }
        let mut twice = good.headers.clone();
        twice.append("stripe-signature", HeaderValue::from_static("t=1,v1=00"));
        assert_unverified(verify(&twice, &good.body).await, "more than one");

        let mut tampered = good.body.to_vec();
        let place = tampered.windows(4).position(|four| four == b"1999").expect("the amount");
        tampered[place] = b'0';
        assert_unverified(verify(&good.headers, &tampered).await, "no signature fits");
        let other = setting.stripe.callback_signed(&event, &["whsec_another0123456789"], now);
        assert_unverified(verify(&other.headers, &other.body).await, "no signature fits");

        for seconds in [now - 301, now + 301, 0] {
            let late = setting.stripe.callback_signed(&event, &[&secret], seconds);
            assert_unverified(verify(&late.headers, &late.body).await, "too far");
        }
        for seconds in [now - 300, now + 300] {
            let near = setting.stripe.callback_signed(&event, &[&secret], seconds);
            verify(&near.headers, &near.body).await.expect("it is near enough");
        }
        let rolled = setting.stripe.callback_signed(&event, &["whsec_another0123456789", &secret], now);
        verify(&rolled.headers, &rolled.body).await.expect("one of two signatures fits");
    });
}

#[test]
fn events_of_the_other_mode_are_not_taken() {
    with_stripe(async |setting| {
        let (_, id) = setting.start(1).await;
        let mut event = setting.stripe.happens(&id, Outcome::Pay);
        event["livemode"] = json!(true);
        let callback = setting.stripe.callback(&event);
        assert_unverified(setting.gateway.verify(&callback.headers, &callback.body).await, "test mode");
    });
}

#[test]
fn what_does_not_concern_the_shop_changes_nothing() {
    with_stripe(async |setting| {
        let unknown = setting.stripe.event("customer.created", &json!({"id": "cus_1", "object": "customer"}));
        let told = setting.told(&unknown).await;
        assert_eq!((told.subject, told.notice), (None, Notice::Nothing));

        let thin = json!({
            "id": "evt_test_65", "object": "v2.core.event", "type": "v1.billing.meter.error_report_triggered",
            "livemode": false, "created": "2026-01-15T12:00:00.000Z",
            "related_object": {"id": "mtr_1", "type": "billing.meter", "url": "/v1/billing/meters/mtr_1"},
        });
        let told = setting.told(&thin).await;
        assert_eq!((told.event_id.as_str(), told.notice), ("evt_test_65", Notice::Nothing));

        let (_, id) = setting.start(1).await;
        let mut subscription = setting.stripe.happens(&id, Outcome::Pay);
        subscription["data"]["object"]["mode"] = json!("subscription");
        assert_eq!(setting.told(&subscription).await.notice, Notice::Nothing);
    });
}

#[test]
fn a_signed_event_that_cannot_be_understood_comes_again() {
    with_stripe(async |setting| {
        for event in [
            json!({"id": "evt_1"}),
            json!([]),
            setting.stripe.event("checkout.session.completed", &json!({"object": "checkout.session"})),
        ] {
            let callback = setting.stripe.callback(&event);
            let failure = setting.gateway.verify(&callback.headers, &callback.body).await.expect_err("it says nothing");
            assert!(matches!(failure, CallbackError::Unavailable(_)), "{failure}");
        }
    });
}

#[test]
fn a_payment_of_somebody_else_carries_no_reference_of_ours() {
    with_stripe(async |setting| {
        let (_, id) = setting.start(1).await;
        let mut event = setting.stripe.happens(&id, Outcome::Pay);
        let session = &mut event["data"]["object"];
        (session["metadata"], session["client_reference_id"]) = (json!({}), json!("cart 5"));
        let subject = setting.told(&event).await.subject.expect("a session");
        assert_eq!((subject.reference, subject.gateway_attempt_id), (None, Some(id)));
    });
}

#[test]
fn changes_of_a_payment_intent_are_asked_about() {
    with_stripe(async |setting| {
        let intent = json!({
            "id": "pi_1", "object": "payment_intent", "status": "succeeded",
            "metadata": {"reference": reference(1).to_string()},
        });
        let told = setting.told(&setting.stripe.event("payment_intent.succeeded", &intent)).await;
        assert_eq!(told.notice, Notice::Ask);
        let subject = told.subject.expect("an intent");
        assert_eq!((subject.reference, subject.payment_id.as_deref()), (Some(reference(1)), Some("pi_1")));

        let failed_try = setting.stripe.event("payment_intent.payment_failed", &intent);
        assert_eq!(setting.told(&failed_try).await.notice, Notice::Nothing);
    });
}

#[test]
fn our_refunds_are_told_and_those_made_elsewhere_are_for_the_operator() {
    with_stripe(async |setting| {
        let (session, intent) = setting.paid(1).await;
        let request = refund(1, &session, Some(&intent), euros(500));
        setting.gateway.refund(&request).await.expect("it is refunded");
        let mut object = setting.stripe.refunds().remove(0);
        object["status"] = json!("failed");
        object["failure_reason"] = json!("expired_or_canceled_card");
        let told = setting.told(&setting.stripe.event("refund.failed", &object)).await;
        let Notice::Refund { reference, report } = told.notice else { panic!("{:?}", told.notice) };
        assert_eq!((reference, report.status), (Some(request.reference), RefundStatus::Failed));
        assert_eq!(report.detail.as_deref(), Some("expired_or_canceled_card"));
        assert_eq!(told.subject.expect("an intent").payment_id, Some(intent.clone()));

        let charge = json!({"object": "charge", "id": "ch_1", "payment_intent": intent, "amount_refunded": 500});
        let ours_only = setting.stripe.event("charge.refunded", &charge);
        assert_eq!(setting.told(&ours_only).await.notice, Notice::Nothing);

        for event in setting.stripe.refund_elsewhere(&intent, 300) {
            let told = setting.told(&event).await;
            let Notice::Review(words) = told.notice else { panic!("{:?}", told.notice) };
            assert!(words.starts_with("a refund of 3.00 EUR that was not made here is succeeded"), "{words}");
            assert_eq!(told.subject.expect("an intent").payment_id, Some(intent.clone()));
        }

        setting.stripe.next(Fault::Fail(500));
        let callback = setting.stripe.callback(&ours_only);
        let failure = setting.gateway.verify(&callback.headers, &callback.body).await.expect_err("nobody can say");
        assert!(matches!(failure, CallbackError::Unavailable(_)), "{failure}");
    });
}

#[test]
fn disputes_are_for_the_operator() {
    with_stripe(async |setting| {
        let dispute = json!({
            "id": "du_1", "object": "dispute", "amount": 1_999, "currency": "eur", "payment_intent": "pi_1",
            "reason": "fraudulent", "status": "needs_response",
        });
        let told = setting.told(&setting.stripe.event("charge.dispute.created", &dispute)).await;
        let words = String::from("a dispute at Stripe (fraudulent, now `needs_response`)");
        assert_eq!(told.notice, Notice::Review(words));
        assert_eq!(told.subject.expect("an intent").payment_id.as_deref(), Some("pi_1"));
    });
}

#[test]
fn nothing_is_verified_without_a_secret_or_with_one_that_is_too_short() {
    use stoa_core::db::Backend;
    use stoa_core::testing::TestShop;
    with_stripe(async |setting| {
        let event = setting.stripe.event("customer.created", &json!({}));
        for secret in ["", "whsec_short"] {
            let config = format!("[payments.stripe]\nwebhook_secret = '{secret}'");
            let shop = TestShop::builder(Backend::Sqlite).clock(&setting.shop.clock).config(&config).open().await;
            let now = shop.now().timestamp();
            let callback = setting.stripe.callback_signed(&event, &[secret], now);
            let result = shop.gateway("stripe").verify(&callback.headers, &callback.body).await;
            assert_unverified(result, "there is no secret");
        }
    });
}
