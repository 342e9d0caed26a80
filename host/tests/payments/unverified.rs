//! Messages that do not prove who sent them: nothing of them is believed or kept.

use bytes::Bytes;
use http::HeaderValue;
use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::gateways::AttemptStatus;
use stoa_core::testing::{TestResponse, both_databases};
use stoa_fakes::stripe::Outcome;
use stoa_fakes::{Callback, Fault};

use crate::till::Till;

/// The body of S7, with a sentence for people and no word about why.
#[track_caller]
fn assert_refused(answer: TestResponse, what: &str) {
    let answer = answer.expect_error(403, "unauthorized");
    assert_eq!(answer.header("content-type"), Some("application/json"), "{what}");
    let body = answer.json();
    let members = body.as_object().expect("an object").keys().map(String::as_str).collect::<Vec<_>>();
    assert_eq!(members, ["message", "code"], "{what}");
    let message = body["message"].as_str().unwrap_or_default().to_lowercase();
    assert!(!message.contains("sign") && !message.contains("stripe"), "{what}: {message}");
}

fn text_of(callback: &Callback) -> String {
    String::from_utf8(callback.body.to_vec()).expect("text")
}

both_databases!(what_stripe_has_not_signed_is_refused_and_leaves_no_trace);
async fn what_stripe_has_not_signed_is_refused_and_leaves_no_trace(backend: Backend) {
    let till = Till::new(backend).await;
    let begun = till.begin("stripe").await;
    let event = till.stripe.happens(&begun.gateway_attempt_id, Outcome::Pay);
    let now = till.shop.now().timestamp();
    let secret = till.stripe.settings().webhook_secret.clone();
    let good = till.stripe.callback(&event);
    let header = good.headers["stripe-signature"].clone();
    let change = |change: &dyn Fn(&mut Callback)| {
        let mut callback = good.clone();
        change(&mut callback);
        callback
    };
    let cases = [
        ("no signature", change(&|callback| drop(callback.headers.remove("stripe-signature")))),
        (
            "an empty one",
            change(&|callback| drop(callback.headers.insert("stripe-signature", HeaderValue::from_static("")))),
        ),
        (
            "two of them",
            change(&|callback| {
                callback.headers.append("stripe-signature", header.clone());
            }),
        ),
        (
            "no text",
            change(&|callback| {
                callback.headers.insert("stripe-signature", HeaderValue::from_bytes(b"t=1,v1=\xff").expect("bytes"));
            }),
        ),
        ("an old time", till.stripe.callback_signed(&event, &[&secret], now - 301)),
        ("a time to come", till.stripe.callback_signed(&event, &[&secret], now + 301)),
        ("another secret", till.stripe.callback_signed(&event, &["whsec_another0123456789abcdef"], now)),
        ("the empty secret", till.stripe.callback_signed(&event, &[""], now)),
        ("no secret at all", till.stripe.callback_signed(&event, &[], now)),
        ("another amount", change(&|callback| callback.body = text_of(callback).replace("1999", "1").into())),
        ("a blank more", change(&|callback| callback.body = format!("{} ", text_of(callback)).into())),
        ("no body", change(&|callback| callback.body = Bytes::new())),
        ("no JSON", change(&|callback| callback.body = Bytes::from_static(b"{\"id\": "))),
    ];
    for (what, callback) in cases {
        assert_refused(till.call("stripe", &callback).await, what);
    }
    // What is signed for one gateway opens no other one.
    assert_refused(till.call("mollie", &good).await, "at Mollie");
    assert_refused(till.call("paypal", &good).await, "at PayPal");
    assert_eq!(till.callbacks().await, []);
    assert_eq!(till.attempt_status(&begun).await, AttemptStatus::Pending);
    Till::assert_states(&till.states(begun.order_id).await, "pending", "pending");
    // The same, signed, is believed: it was the signature that was missing.
    till.tell("stripe", &good).await;
    Till::assert_states(&till.states(begun.order_id).await, "paid", "paid");
}

both_databases!(what_mollie_and_paypal_do_not_vouch_for_is_refused_and_leaves_no_trace);
async fn what_mollie_and_paypal_do_not_vouch_for_is_refused_and_leaves_no_trace(backend: Backend) {
    let till = Till::new(backend).await;
    let (at_mollie, at_paypal) = (till.begin("mollie").await, till.begin("paypal").await);
    for body in ["", "id=", "id=tr_unknown", "id=..%2F..%2Fv2%2Fmethods", "id=a&id=b", "{}", "\u{0}"] {
        let callback = Callback { headers: http::HeaderMap::new(), body: Bytes::from(body) };
        assert_refused(till.call("mollie", &callback).await, body);
    }
    let event = till.paypal.approve(&at_paypal.gateway_attempt_id);
    let good = till.paypal.callback(&event);
    let tampered = Callback { body: text_of(&good).replace("19.99", "0.99").into(), ..good.clone() };
    let mut without = good.clone();
    without.headers.remove("paypal-transmission-sig");
    let mut twice = good.clone();
    twice.headers.append("paypal-transmission-sig", good.headers["paypal-transmission-sig"].clone());
    let other_shop = till.paypal.callback_for(&event, "0EH40505U7160970P");
    for (what, callback) in [("tampered", tampered), ("unsigned", without), ("twice", twice), ("elsewhere", other_shop)]
    {
        assert_refused(till.call("paypal", &callback).await, what);
    }
    assert_eq!(till.callbacks().await, []);
    for begun in [at_mollie, at_paypal] {
        Till::assert_states(&till.states(begun.order_id).await, "pending", "pending");
    }
}

both_databases!(a_provider_that_cannot_be_asked_is_to_send_its_message_again);
async fn a_provider_that_cannot_be_asked_is_to_send_its_message_again(backend: Backend) {
    let till = Till::new(backend).await;
    let (at_mollie, at_paypal) = (till.begin("mollie").await, till.begin("paypal").await);
    till.mollie.becomes(&at_mollie.gateway_attempt_id, "paid");
    let from_mollie = till.mollie.callback(&at_mollie.gateway_attempt_id);
    let from_paypal = till.paypal.callback(&till.paypal.approve(&at_paypal.gateway_attempt_id));
    let assert_failed = |answer: TestResponse| {
        let body = answer.expect_error(500, "server_error").json();
        let Value::Object(members) = &body else { panic!("{body}") };
        assert_eq!(members.keys().collect::<Vec<_>>(), ["message", "code"]);
        let message = members["message"].as_str().unwrap_or_default().to_lowercase();
        assert!(!message.contains("mollie") && !message.contains("paypal"), "{message}");
    };
    for fault in [Fault::Fail(500), Fault::Fail(429), Fault::DoAndBreakOff, Fault::DoAndGarble] {
        till.mollie.next(fault);
        assert_failed(till.call("mollie", &from_mollie).await);
        till.paypal.next(fault);
        assert_failed(till.call("paypal", &from_paypal).await);
    }
    assert_eq!(till.callbacks().await, []);
    till.tell("mollie", &from_mollie).await;
    till.tell("paypal", &from_paypal).await;
    for begun in [at_mollie, at_paypal] {
        Till::assert_states(&till.states(begun.order_id).await, "paid", "paid");
    }
}

both_databases!(an_event_of_the_wrong_mode_is_no_event_of_this_shop);
async fn an_event_of_the_wrong_mode_is_no_event_of_this_shop(backend: Backend) {
    let till = Till::new(backend).await;
    let begun = till.begin("stripe").await;
    let mut event = till.stripe.happens(&begun.gateway_attempt_id, Outcome::Pay);
    event["livemode"] = json!(true);
    assert_refused(till.call("stripe", &till.stripe.callback(&event)).await, "live");
    assert_eq!(till.callbacks().await, []);
}
