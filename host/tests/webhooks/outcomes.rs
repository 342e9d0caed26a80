//! What an answer means (S3.1).

use std::time::{Duration, Instant};

use chrono::TimeDelta;
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;
use stoa_core::webhooks::{DeliveryState, EndpointKind, WebhookEvent, attempts_of};

use crate::receiver::{Receiver, Reply};
use crate::shop::{builder, data, deliveries, delivery, hook, hook_to, paid, send, states};

const MARKER: &str = "a-very-particular-answer";

both_databases!(any_2xx_delivers_and_nothing_of_the_answer_is_kept);
async fn any_2xx_delivers_and_nothing_of_the_answer_is_kept(backend: Backend) {
    let (shop, receiver) = (builder(backend).open().await, Receiver::open().await);
    hook(&shop, &receiver).await;
    let statuses = [200, 201, 202, 204, 206, 226, 299];
    receiver.script(statuses.map(|status| Reply::Status(status, MARKER)));
    for (id, status) in (1..).zip(statuses) {
        shop.queue_webhook(&paid(id)).await;
        assert_eq!(send(&shop).await, 1, "{status}");
    }
    receiver.script([Reply::Status(500, MARKER)]);
    shop.queue_webhook(&paid(100)).await;
    send(&shop).await;
    assert_eq!(receiver.hits().len(), statuses.len() + 1);
    for (delivery, status) in deliveries(&shop).await.iter().zip(statuses) {
        assert_eq!((delivery.state, delivery.attempts), (DeliveryState::Delivered, 1));
        assert_eq!(delivery.response_status, Some(status.into()));
        assert!(delivery.delivered_at().is_some() && delivery.last_error.is_none());
    }
    for delivery in deliveries(&shop).await {
        let attempts = attempts_of(&shop.parts.db, &delivery).await.expect("they can be read");
        assert_eq!(attempts.len(), 1);
        assert!(!format!("{delivery:?} {attempts:?}").contains(MARKER));
    }
}

both_databases!(no_answer_429_and_server_errors_are_tried_again_a_minute_later);
async fn no_answer_429_and_server_errors_are_tried_again_a_minute_later(backend: Backend) {
    let (shop, receiver) = (builder(backend).open().await, Receiver::open().await);
    let replies = [429, 500, 502, 503, 504, 599].map(|status| Reply::Status(status, ""));
    receiver.script(replies.into_iter().chain([Reply::Cut, Reply::Garbage]));
    hook(&shop, &receiver).await;
    for id in 0..8 {
        shop.queue_webhook(&paid(id)).await;
        send(&shop).await;
    }
    for url in [format!("http://127.0.0.1:{}/", closed_port()), String::from("http://does-not-exist.invalid/")] {
        hook_to(&shop, &url, EndpointKind::Http, &["order.created"]).await;
    }
    shop.queue_webhook(&WebhookEvent::OrderCreated(data(9))).await;
    receiver.always(Reply::Status(500, ""));
    send(&shop).await;
    let found = deliveries(&shop).await;
    assert_eq!(found.len(), 11);
    for delivery in found {
        assert_eq!((delivery.state, delivery.attempts), (DeliveryState::Pending, 1), "{delivery:?}");
        assert_eq!(delivery.next_attempt_at, Some(shop.now() + TimeDelta::seconds(60)));
        assert!(delivery.last_error.is_some() && delivery.finished_at.is_none());
    }
}

/// A port that nobody listens on.
fn closed_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port is free");
    listener.local_addr().expect("it is bound").port()
}

both_databases!(redirects_and_other_errors_of_the_client_end_it_at_once);
async fn redirects_and_other_errors_of_the_client_end_it_at_once(backend: Backend) {
    let (shop, receiver, elsewhere) = (builder(backend).open().await, Receiver::open().await, Receiver::open().await);
    hook(&shop, &receiver).await;
    let redirects = [301, 302, 303, 304, 307, 308].map(|status| Reply::Redirect(status, elsewhere.url()));
    let errors = [400, 401, 403, 404, 408, 409, 410, 413, 421, 425, 451].map(|status| Reply::Status(status, ""));
    receiver.script(redirects.into_iter().chain(errors));
    for id in 0..17 {
        shop.queue_webhook(&paid(id)).await;
    }
    assert_eq!(send(&shop).await, 0);
    shop.advance(TimeDelta::days(1));
    assert_eq!(send(&shop).await, 0);
    assert_eq!((receiver.hits().len(), elsewhere.connections()), (17, 0));
    for delivery in deliveries(&shop).await {
        assert_eq!((delivery.state, delivery.attempts), (DeliveryState::DeadLetter, 1), "{delivery:?}");
        assert_eq!(delivery.next_attempt_at, None);
    }
}

both_databases!(an_answer_that_never_ends_delivers_at_once);
async fn an_answer_that_never_ends_delivers_at_once(backend: Backend) {
    let (shop, receiver) = (builder(backend).open().await, Receiver::open().await);
    hook(&shop, &receiver).await;
    receiver.script([Reply::Endless]);
    shop.queue_webhook(&paid(1)).await;
    let started = Instant::now();
    assert_eq!(send(&shop).await, 1);
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
}

/// This one waits in earnest, as the limits are those of the connection.
#[tokio::test]
async fn connecting_is_given_five_seconds_and_an_answer_ten() {
    let shop = builder(Backend::Sqlite).open().await;
    let (silent, receiver) =
        (tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port"), Receiver::open().await);
    receiver.always(Reply::Silence);
    let port = silent.local_addr().expect("it is bound").port();
    // It accepts, and never says a word of TLS.
    hook_to(&shop, &format!("https://127.0.0.1:{port}/"), EndpointKind::Http, &["*"]).await;
    hook(&shop, &receiver).await;
    shop.queue_webhook(&paid(1)).await;
    let started = Instant::now();
    send(&shop).await;
    let took = started.elapsed();
    assert!((Duration::from_secs(10)..Duration::from_secs(20)).contains(&took), "{took:?}");
    let found = deliveries(&shop).await;
    assert_eq!(found[0].last_error.as_deref(), Some("no connection within 5 seconds"));
    assert_eq!(found[1].last_error.as_deref(), Some("no answer within 10 seconds"));
    let connecting = attempts_of(&shop.parts.db, &found[0]).await.expect("they can be read");
    assert!((4_900..9_000).contains(&connecting[0].duration_ms), "{connecting:?}");
    assert_eq!(states(&shop).await, [DeliveryState::Pending; 2]);
}

both_databases!(what_a_rollback_undoes_was_never_queued);
async fn what_a_rollback_undoes_was_never_queued(backend: Backend) {
    let (shop, receiver) = (builder(backend).open().await, Receiver::open().await);
    hook(&shop, &receiver).await;
    shop.queue_webhook_and_roll_back(&paid(1)).await;
    assert_eq!((send(&shop).await, receiver.connections(), deliveries(&shop).await.len()), (0, 0, 0));
    shop.queue_webhook(&paid(2)).await;
    send(&shop).await;
    assert_eq!(receiver.only().json()["data"]["order_id"], 2);
    assert_eq!(delivery(&shop).await.state, DeliveryState::Delivered);
}
