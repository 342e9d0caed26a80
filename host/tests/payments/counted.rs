//! What `GET /metrics` says about callbacks.

use axum::body::Body;
use http::Method;
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;
use stoa_fakes::Fault;
use stoa_fakes::stripe::Outcome;

use crate::till::Till;

both_databases!(callbacks_are_counted_by_gateway_and_outcome);
async fn callbacks_are_counted_by_gateway_and_outcome(backend: Backend) {
    let till = Till::with(backend, "[server]\nmetrics = true").await;
    let begun = till.begin("stripe").await;
    let callback = till.stripe.callback(&till.stripe.happens(&begun.gateway_attempt_id, Outcome::Pay));
    for _ in 0..3 {
        till.call("stripe", &callback).await.expect_status(200);
    }
    let mut unsigned = callback.clone();
    unsigned.headers.remove("stripe-signature");
    till.call("stripe", &unsigned).await.expect_status(403);
    till.tell_stripe(&till.stripe.event("customer.created", &json!({"id": "cus_1"}))).await;
    let at_mollie = till.begin("mollie").await;
    till.mollie.next(Fault::Fail(500));
    till.call("mollie", &till.mollie.callback(&at_mollie.gateway_attempt_id)).await.expect_status(500);
    till.call("nobody", &callback).await.expect_status(404);

    let client = till.shop.client();
    let metrics = client.send(client.site_request(Method::GET, "/metrics", Body::empty())).await.expect_status(200);
    let text = metrics.text();
    let counted = text.lines().filter(|line| line.starts_with("stoa_payment_callbacks_total")).collect::<Vec<_>>();
    let expected = [
        ("mollie", "failed", 1),
        ("stripe", "duplicate", 2),
        ("stripe", "ignored", 1),
        ("stripe", "processed", 1),
        ("stripe", "unverified", 1),
    ];
    let line = |(gateway, outcome, count)| {
        format!("stoa_payment_callbacks_total{{gateway=\"{gateway}\",outcome=\"{outcome}\"}} {count}")
    };
    assert_eq!(counted, expected.map(line));
}
