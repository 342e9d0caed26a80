//! Callbacks that anybody invents: they are counted by address before they are read, and no provider hears of them.

use axum::body::{Body, Bytes};
use futures_util::stream;
use http::Method;
use stoa_core::db::{Backend, Sql};
use stoa_core::sql;
use stoa_core::testing::{TestClient, TestResponse, both_databases};
use stoa_fakes::stripe::Outcome;
use stoa_fakes::{Callback, Fault};
use tokio::sync::oneshot;

use crate::till::{Till, call, request};

const FORGET_NAME: Sql = sql!("UPDATE payment_attempts SET gateway_attempt_id = NULL WHERE id = $1");

const LIMITS: &str = "[limits.callbacks]\nrequests = 3\nper_seconds = 60";

async fn till(backend: Backend) -> Till {
    Till::with(backend, LIMITS).await
}

async fn invent(client: &TestClient, gateway: &str, body: impl Into<Body>) -> TestResponse {
    client.send(client.site_request(Method::POST, &format!("/webhooks/payments/{gateway}"), body)).await
}

both_databases!(what_is_not_verified_is_counted_by_address_and_what_is_counts_nothing);
async fn what_is_not_verified_is_counted_by_address_and_what_is_counts_nothing(backend: Backend) {
    let till = till(backend).await;
    let begun = till.begin("stripe").await;
    let (client, other) = (till.shop.client(), till.shop.client().at_address("192.0.2.77"));
    invent(&client, "stripe", "{}").await.expect_error(403, "unauthorized");
    invent(&client, "mollie", "id=tr_invented").await.expect_error(403, "unauthorized");
    for _ in 0..5 {
        let paid = till.stripe.callback(&till.stripe.happens(&begun.gateway_attempt_id, Outcome::Pay));
        call(&client, "stripe", &paid).await.expect_status(200);
    }
    invent(&client, "paypal", "{}").await.expect_error(403, "unauthorized");
    let refused = invent(&client, "stripe", "{}").await.expect_error(429, "rate_limited");
    assert_eq!((refused.header("retry-after"), refused.header("x-ratelimit-limit")), (Some("60"), Some("3")));
    invent(&other, "stripe", "{}").await.expect_error(403, "unauthorized");
}

/// Sends a callback whose sender is gone by the time its body is there.
async fn hang_up(client: &TestClient, gateway: &str, callback: &Callback) {
    let (reads, mut is_read) = oneshot::channel();
    let (sends, is_sent) = oneshot::channel();
    let bytes = callback.body.clone();
    let body = Body::from_stream(stream::once(async move {
        reads.send(()).expect("the test waits for it");
        is_sent.await.map(|()| bytes)
    }));
    let request = request(client, gateway, callback, body);
    tokio::select! {
        biased;
        _ = client.send(request) => panic!("it was answered without its body"),
        read = &mut is_read => read.expect("the shop reads the body"),
    }
    sends.send(()).expect("the shop still waits for the body");
}

both_databases!(callbacks_whose_senders_hang_up_count_nothing);
async fn callbacks_whose_senders_hang_up_count_nothing(backend: Backend) {
    let till = till(backend).await;
    let begun = till.begin("stripe").await;
    let client = till.shop.client();
    let paid = till.stripe.callback(&till.stripe.happens(&begun.gateway_attempt_id, Outcome::Pay));
    for _ in 0..3 {
        hang_up(&client, "stripe", &paid).await;
    }
    call(&client, "stripe", &paid).await.expect_status(200);
    assert_eq!(till.callbacks().await.len(), 1, "it is one callback, however often it comes");
}

both_databases!(a_callback_beyond_the_limit_is_refused_before_its_body_is_read);
async fn a_callback_beyond_the_limit_is_refused_before_its_body_is_read(backend: Backend) {
    let till = till(backend).await;
    let client = till.shop.client();
    for _ in 0..3 {
        invent(&client, "stripe", "{}").await.expect_error(403, "unauthorized");
    }
    let endless = Body::from_stream(stream::pending::<Result<Bytes, std::io::Error>>());
    invent(&client, "stripe", endless).await.expect_error(429, "rate_limited");
}

both_databases!(no_provider_is_asked_about_a_payment_that_nobody_began_here);
async fn no_provider_is_asked_about_a_payment_that_nobody_began_here(backend: Backend) {
    let till = Till::new(backend).await;
    let begun = till.begin("mollie").await;
    let asked = till.mollie.requests().len();
    for number in 0..50 {
        invent(&till.shop.client(), "mollie", format!("id=tr_invented{number}"))
            .await
            .expect_error(403, "unauthorized");
    }
    assert_eq!(till.mollie.requests().len(), asked);
    till.mollie.becomes(&begun.gateway_attempt_id, "paid");
    till.tell("mollie", &till.mollie.callback(&begun.gateway_attempt_id)).await;
    Till::assert_states(&till.states(begun.order_id).await, "paid", "paid");
}

both_databases!(a_payment_whose_start_was_not_written_down_is_asked_about);
async fn a_payment_whose_start_was_not_written_down_is_asked_about(backend: Backend) {
    let till = Till::new(backend).await;
    let begun = till.begin("mollie").await;
    let db = &till.shop.parts.db;
    db.write(async |tx| tx.run(FORGET_NAME).bind(begun.attempt_id).execute().await).await.expect("it is forgotten");
    till.mollie.becomes(&begun.gateway_attempt_id, "paid");
    till.tell("mollie", &till.mollie.callback(&begun.gateway_attempt_id)).await;
    Till::assert_states(&till.states(begun.order_id).await, "paid", "paid");
}

both_databases!(a_provider_is_asked_about_few_callbacks_at_a_time_however_many_addresses_send_them);
async fn a_provider_is_asked_about_few_callbacks_at_a_time_however_many_addresses_send_them(backend: Backend) {
    let till = Till::new(backend).await;
    let begun = till.begin("mollie").await;
    let asked = till.mollie.requests().len();
    let callbacks = (1..=12).map(|last| {
        till.mollie.next(Fault::DoAndHang);
        let client = till.shop.client().at_address(&format!("192.0.2.{last}"));
        let body = format!("id={}", begun.gateway_attempt_id);
        tokio::spawn(async move { invent(&client, "mollie", body).await })
    });
    let callbacks = callbacks.collect::<Vec<_>>();
    while till.mollie.requests().len() < asked + 4 {
        tokio::task::yield_now().await;
    }
    // By the time that so many others are answered, nobody else is on the way to the provider.
    for _ in 0..20 {
        till.shop.client().get("/products").await.expect_status(200);
    }
    assert_eq!(till.mollie.requests().len(), asked + 4);
    for callback in callbacks {
        callback.abort();
    }
}
