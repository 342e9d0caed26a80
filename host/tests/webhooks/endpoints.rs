//! Endpoints that change while deliveries wait for them.

use chrono::TimeDelta;
use stoa_core::db::Backend;
use stoa_core::jobs::{RunOutcome, run_job};
use stoa_core::testing::both_databases;
use stoa_core::webhooks::{
    DeliveryFilter, DeliveryState, Retried, find_endpoint, list_endpoints, remove_endpoint, retry_deliveries,
    retry_delivery, rotate_secret, set_endpoint_enabled,
};

use crate::receiver::{Receiver, Reply};
use crate::shop::{builder, deliveries, delivery, hook, paid, send, states};

both_databases!(a_disabled_endpoint_is_sent_nothing_and_enabling_revives_nothing);
async fn a_disabled_endpoint_is_sent_nothing_and_enabling_revives_nothing(backend: Backend) {
    let (shop, receiver) = (builder(backend).open().await, Receiver::open().await);
    let (endpoint, _) = hook(&shop, &receiver).await;
    let switch = async |on| set_endpoint_enabled(&shop.parts.db, endpoint.id, on).await.expect("it is ours");
    receiver.script([Reply::Status(500, "")]);
    shop.queue_webhook(&paid(1)).await;
    send(&shop).await;
    shop.queue_webhook(&paid(2)).await;
    switch(false).await;
    shop.queue_webhook(&paid(3)).await;
    assert_eq!(states(&shop).await, [DeliveryState::Skipped; 2]);
    shop.advance(TimeDelta::hours(1));
    send(&shop).await;
    switch(true).await;
    send(&shop).await;
    assert_eq!((receiver.hits().len(), states(&shop).await), (1, vec![DeliveryState::Skipped; 2]));
    shop.queue_webhook(&paid(4)).await;
    assert_eq!(send(&shop).await, 1);
    let again = retry_deliveries(&shop.parts.db, DeliveryState::Skipped, &DeliveryFilter::default()).await;
    assert_eq!(again.expect("the database answers"), 2);
    assert_eq!((send(&shop).await, states(&shop).await), (2, vec![DeliveryState::Delivered; 3]));
}

both_databases!(an_attempt_that_fails_after_its_endpoint_was_disabled_is_the_last);
async fn an_attempt_that_fails_after_its_endpoint_was_disabled_is_the_last(backend: Backend) {
    let (shop, receiver) = (builder(backend).open().await, Receiver::open().await);
    let (endpoint, _) = hook(&shop, &receiver).await;
    receiver.script([Reply::Gated(500)]);
    shop.queue_webhook(&paid(1)).await;
    let meanwhile = async {
        receiver.wait(1).await;
        set_endpoint_enabled(&shop.parts.db, endpoint.id, false).await.expect("it is ours");
        assert!(delivery(&shop).await.is_in_flight);
        receiver.open_gate();
    };
    tokio::join!(send(&shop), meanwhile);
    let found = delivery(&shop).await;
    assert_eq!((found.state, found.response_status), (DeliveryState::Skipped, Some(500)));
}

both_databases!(while_a_secret_is_replaced_both_sign_and_afterwards_one);
async fn while_a_secret_is_replaced_both_sign_and_afterwards_one(backend: Backend) {
    let (shop, receiver) = (builder(backend).open().await, Receiver::open().await);
    let (endpoint, old) = hook(&shop, &receiver).await;
    receiver.script([Reply::Status(500, "")]);
    shop.queue_webhook(&paid(1)).await;
    send(&shop).await;
    let rotated =
        rotate_secret(&shop.parts.db, &shop.parts.random, &shop.parts.cipher, endpoint.id, None, TimeDelta::hours(24))
            .await
            .expect("it is ours");
    let new = rotated.secret.expose();
    assert_eq!(rotated.previous_until, Some(shop.now() + TimeDelta::hours(24)));
    shop.advance(TimeDelta::seconds(60));
    send(&shop).await;
    shop.advance(TimeDelta::hours(24));
    shop.queue_webhook(&paid(2)).await;
    send(&shop).await;
    let hits = receiver.hits();
    let signed = hits.iter().map(|hit| (hit.is_signed_with(&old), hit.is_signed_with(new))).collect::<Vec<_>>();
    assert_eq!(signed, [(true, false), (true, true), (false, true)]);
    let candidates = |at: usize| {
        let standard = hits[at].header("webhook-signature").split(' ').count();
        let own = hits[at].header("x-service-signature").split(',').count();
        assert_eq!(standard, own);
        own
    };
    assert_eq!((candidates(0), candidates(1), candidates(2)), (1, 2, 1));
    assert!(new.len() >= 40 && new != old, "{new}");
    rotate_secret(&shop.parts.db, &shop.parts.random, &shop.parts.cipher, endpoint.id, None, TimeDelta::zero())
        .await
        .expect("it is ours");
    shop.queue_webhook(&paid(3)).await;
    send(&shop).await;
    assert!(!receiver.hits()[3].is_signed_with(new));
}

both_databases!(a_removed_endpoint_is_gone_and_its_deliveries_are_skipped);
async fn a_removed_endpoint_is_gone_and_its_deliveries_are_skipped(backend: Backend) {
    let (shop, receiver) = (builder(backend).open().await, Receiver::open().await);
    let (endpoint, _) = hook(&shop, &receiver).await;
    shop.queue_webhook(&paid(1)).await;
    remove_endpoint(&shop.parts.db, endpoint.id).await.expect("it is ours");
    shop.queue_webhook(&paid(2)).await;
    send(&shop).await;
    assert_eq!((receiver.connections(), states(&shop).await), (0, vec![DeliveryState::Skipped]));
    assert!(list_endpoints(&shop.parts.db).await.expect("the database answers").is_empty());
    let id = delivery(&shop).await.delivery_id;
    assert_eq!(retry_delivery(&shop.parts.db, &id).await.expect("the database answers"), Retried::EndpointOff);
    assert!(remove_endpoint(&shop.parts.db, endpoint.id).await.is_err());
}

both_databases!(health_counts_failures_since_the_last_success);
async fn health_counts_failures_since_the_last_success(backend: Backend) {
    let (shop, receiver) = (builder(backend).open().await, Receiver::open().await);
    let (endpoint, _) = hook(&shop, &receiver).await;
    let health = async || {
        let found = find_endpoint(&shop.parts.db, endpoint.id).await.expect("the database answers");
        found.expect("it is there")
    };
    receiver.script([Reply::Status(500, ""), Reply::Status(404, "")]);
    for id in 1..=3 {
        shop.queue_webhook(&paid(id)).await;
        send(&shop).await;
        let expected = [1, 2, 0][usize::try_from(id - 1).expect("small")];
        assert_eq!(health().await.consecutive_failures, expected);
    }
    let now = health().await;
    assert_eq!((now.last_success_at, now.last_failure_at), (Some(shop.now()), Some(shop.now())));
    assert_eq!(now.last_error.as_deref(), Some("the destination answered 404"));
    let counts = shop.webhooks.counts();
    assert_eq!((counts.delivered, counts.retried, counts.given_up), (1, 1, 1));
}

both_databases!(old_deliveries_are_pruned_and_waiting_ones_are_not);
async fn old_deliveries_are_pruned_and_waiting_ones_are_not(backend: Backend) {
    let (shop, receiver) = (builder(backend).open().await, Receiver::open().await);
    let (endpoint, _) = hook(&shop, &receiver).await;
    shop.queue_webhook(&paid(1)).await;
    send(&shop).await;
    remove_endpoint(&shop.parts.db, endpoint.id).await.expect("it is ours");
    let (waiting, _) = hook(&shop, &receiver).await;
    shop.queue_webhook(&paid(2)).await;
    let prune = async || {
        let ran = run_job(&shop.parts, &shop.registry.jobs, "retention.prune", shop.clock.clone()).await;
        assert_eq!(ran.expect("the database answers"), RunOutcome::Done);
    };
    shop.advance(TimeDelta::days(30) - TimeDelta::seconds(1));
    prune().await;
    assert_eq!(deliveries(&shop).await.len(), 2);
    shop.advance(TimeDelta::seconds(1));
    prune().await;
    assert_eq!(delivery(&shop).await.endpoint_id, waiting.id);
}
