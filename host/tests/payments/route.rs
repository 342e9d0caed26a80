//! Where callbacks come in, and what is no callback at all.

use axum::body::Body;
use bytes::Bytes;
use http::{HeaderMap, Method};
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::{TestResponse, TestShop, both_databases};
use stoa_fakes::Callback;
use stoa_fakes::stripe::Outcome;

use crate::till::Till;

/// Largest body of a callback, in bytes.
const LARGEST: usize = 256 * 1024;

async fn post_to(shop: &TestShop, path: &str) -> TestResponse {
    let client = shop.client();
    client.send(client.site_request(Method::POST, path, Body::from("id=tr_1"))).await
}

both_databases!(callbacks_go_to_gateways_that_have_some_and_are_switched_on);
async fn callbacks_go_to_gateways_that_have_some_and_are_switched_on(backend: Backend) {
    let till = Till::with(backend, "[payments.development]\nenabled = true").await;
    let names = [
        "nobody",
        "manual",
        "development",
        "",
        "/",
        "stripe/",
        "stripe/x",
        "STRIPE",
        "Stripe",
        "stripe%20",
        "stripe%00",
        "stripe%2Fx",
        "..%2Fstripe",
        "%ff",
        "%c3%28",
        "stripe;x",
        "%e2%80%ae",
        "orders",
        &"s".repeat(5_000),
    ];
    for name in names {
        let answer = post_to(&till.shop, &format!("/webhooks/payments/{name}")).await.expect_error(404, "not_found");
        assert_eq!(answer.json().as_object().map(serde_json::Map::len), Some(2), "{name}: {}", answer.text());
    }
    for path in ["/webhooks/payments", "/webhooks", "/api/v1/webhooks/payments/stripe"] {
        post_to(&till.shop, path).await.expect_error(404, "not_found");
    }
    // One that is switched off is none, even with a secret to verify with.
    let off = "[payments.stripe]\nenabled = false\nsecret_key = 'sk_test_standin0123456789'\n\
               webhook_secret = 'whsec_standin0123456789abcdef'";
    let shop = TestShop::builder(backend).config(off).open().await;
    for gateway in ["stripe", "mollie", "paypal"] {
        post_to(&shop, &format!("/webhooks/payments/{gateway}")).await.expect_error(404, "not_found");
    }
    post_to(&till.shop, "/webhooks/payments/stripe").await.expect_error(403, "unauthorized");
}

both_databases!(callbacks_are_posted_and_nothing_else);
async fn callbacks_are_posted_and_nothing_else(backend: Backend) {
    let till = Till::new(backend).await;
    let client = till.shop.client();
    for method in [Method::GET, Method::PUT, Method::PATCH, Method::DELETE] {
        let request = client.site_request(method.clone(), "/webhooks/payments/stripe", Body::empty());
        let answer = client.send(request).await.expect_error(405, "method_not_allowed");
        assert_eq!(answer.header("allow"), Some("POST"), "{method}");
    }
}

both_databases!(a_body_has_at_most_256_kib);
async fn a_body_has_at_most_256_kib(backend: Backend) {
    let till = Till::new(backend).await;
    let begun = till.begin("stripe").await;
    let mut event = till.stripe.happens(&begun.gateway_attempt_id, Outcome::Pay);
    let mut grow = |size: usize| {
        event["padding"] = json!("");
        let bare = till.stripe.callback(&event).body.len();
        event["padding"] = json!("x".repeat(size - bare));
        let callback = till.stripe.callback(&event);
        assert_eq!(callback.body.len(), size);
        callback
    };
    let (fits, larger) = (grow(LARGEST), grow(LARGEST + 1));
    till.call("stripe", &larger).await.expect_error(413, "payload_too_large");
    let mut declared = fits.clone();
    declared.headers.insert("content-length", (LARGEST + 1).to_string().parse().expect("a number"));
    till.call("stripe", &declared).await.expect_error(413, "payload_too_large");
    assert_eq!(till.callbacks().await, [], "nothing of it is kept");
    till.tell("stripe", &fits).await;
    Till::assert_states(&till.states(begun.order_id).await, "paid", "paid");
    let garbage = Callback { headers: HeaderMap::new(), body: Bytes::from(vec![0xff; LARGEST]) };
    till.call("stripe", &garbage).await.expect_error(403, "unauthorized");
}

both_databases!(nobody_has_to_be_logged_in_and_nobody_gains_by_it);
async fn nobody_has_to_be_logged_in_and_nobody_gains_by_it(backend: Backend) {
    let till = Till::new(backend).await;
    let begun = till.begin("stripe").await;
    let callback = till.stripe.callback(&till.stripe.happens(&begun.gateway_attempt_id, Outcome::Pay));
    let mut request = till.client.site_request(Method::POST, "/webhooks/payments/stripe", callback.body.clone());
    request.headers_mut().insert("stripe-signature", "t=1,v1=00".parse().expect("a header"));
    till.client.send(request).await.expect_error(403, "unauthorized");
    // A browser of another site may send it as well as anybody: no cookie and no CSRF token are asked for.
    let mut foreign = callback.clone();
    foreign.headers.insert("origin", "https://elsewhere.example".parse().expect("a header"));
    foreign.headers.insert("cookie", "stoa_session=nonsense".parse().expect("a header"));
    till.tell("stripe", &foreign).await;
    Till::assert_states(&till.states(begun.order_id).await, "paid", "paid");
}
