//! Several workers on one database (S6.5.1).

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use chrono::TimeDelta;
use stoa_core::db::{Backend, DbError};
use stoa_core::prelude::*;
use stoa_core::testing::{TestShop, both_databases, run_test};
use stoa_core::webhooks::{DeliveryState, EndpointKind, attempts_of, queue};
use tokio::sync::Notify;

use crate::fire::full;
use crate::receiver::{Receiver, Reply};
use crate::shop::{builder, deliveries, delivery, hook, hook_to, paid, send};

/// How many deliveries one endpoint may have under way.
const UNDER_WAY: usize = 8;

/// One more worker on a shop's database, with its clock.
async fn worker(shop: &TestShop, backend: Backend, seed: u64) -> TestShop {
    builder(backend).on(shop.database()).clock(&shop.clock).seed(seed).open().await
}

both_databases!(four_workers_send_each_delivery_once);
async fn four_workers_send_each_delivery_once(backend: Backend) {
    let count = if full() { 5000 } else { 200 };
    let (shop, receiver) = (builder(backend).open().await, Receiver::open().await);
    hook(&shop, &receiver).await;
    for id in 0..count {
        shop.queue_webhook(&paid(id)).await;
    }
    let others = [worker(&shop, backend, 2).await, worker(&shop, backend, 3).await, worker(&shop, backend, 4).await];
    let (a, b, c, d) = tokio::join!(send(&shop), send(&others[0]), send(&others[1]), send(&others[2]));
    let mut arrived = BTreeMap::<String, usize>::new();
    for hit in receiver.hits() {
        *arrived.entry(hit.delivery().to_owned()).or_default() += 1;
    }
    assert_eq!(arrived.len(), usize::try_from(count).expect("small"));
    assert!(arrived.values().all(|times| *times == 1), "{arrived:?}");
    assert_eq!(a + b + c + d, arrived.len());
    assert!(deliveries(&shop).await.iter().all(|found| (found.state, found.attempts) == (DeliveryState::Delivered, 1)));
}

/// Claims what is due and dies while it is sent.
async fn die_sending(shop: &TestShop, receiver: &Receiver) {
    let before = receiver.hits().len();
    tokio::select! {
        _ = send(shop) => panic!("nobody answers"),
        _ = receiver.wait(before + 1) => {}
    }
}

both_databases!(what_a_dead_worker_held_is_sent_when_its_lease_has_ended);
async fn what_a_dead_worker_held_is_sent_when_its_lease_has_ended(backend: Backend) {
    let (shop, receiver) = (builder(backend).open().await, Receiver::open().await);
    hook(&shop, &receiver).await;
    receiver.script([Reply::Silence]);
    shop.queue_webhook(&paid(1)).await;
    die_sending(&shop, &receiver).await;
    let other = worker(&shop, backend, 2).await;
    shop.advance(TimeDelta::seconds(59));
    assert_eq!((send(&other).await, receiver.hits().len()), (0, 1));
    shop.advance(TimeDelta::seconds(1));
    assert_eq!((send(&other).await, receiver.hits().len()), (1, 2));
    let found = delivery(&shop).await;
    assert_eq!((found.state, found.attempts), (DeliveryState::Delivered, 2));
}

both_databases!(a_delivery_that_kills_its_worker_is_given_up_after_five_attempts);
async fn a_delivery_that_kills_its_worker_is_given_up_after_five_attempts(backend: Backend) {
    let (shop, receiver) = (builder(backend).open().await, Receiver::open().await);
    hook(&shop, &receiver).await;
    receiver.always(Reply::Silence);
    shop.queue_webhook(&paid(1)).await;
    for _ in 0..5 {
        die_sending(&shop, &receiver).await;
        shop.advance(TimeDelta::seconds(60));
    }
    assert_eq!((send(&shop).await, receiver.hits().len()), (0, 5));
    let found = delivery(&shop).await;
    assert_eq!((found.state, found.attempts), (DeliveryState::DeadLetter, 5));
    assert!(found.last_error.is_some_and(|error| error.contains("never recorded")));
}

both_databases!(a_result_counts_only_while_its_lease_is_held);
async fn a_result_counts_only_while_its_lease_is_held(backend: Backend) {
    let (shop, receiver) = (builder(backend).open().await, Receiver::open().await);
    hook(&shop, &receiver).await;
    receiver.script([Reply::Gated(500)]);
    shop.queue_webhook(&paid(1)).await;
    let other = worker(&shop, backend, 2).await;
    let meanwhile = async {
        receiver.wait(1).await;
        shop.advance(TimeDelta::seconds(60));
        assert_eq!(send(&other).await, 1);
        receiver.open_gate();
    };
    tokio::join!(send(&shop), meanwhile);
    let found = delivery(&shop).await;
    assert_eq!((found.state, found.response_status), (DeliveryState::Delivered, Some(200)));
    assert_eq!(attempts_of(&shop.parts.db, &found).await.expect("they can be read").len(), 1);
    assert_eq!(shop.webhooks.counts().lost_leases, 1);
}

both_databases!(a_slow_or_dead_endpoint_holds_up_no_other);
async fn a_slow_or_dead_endpoint_holds_up_no_other(backend: Backend) {
    let count = if full() { 500 } else { 50 };
    let shop = builder(backend).open().await;
    let (hanging, failing, healthy) = (Receiver::open().await, Receiver::open().await, Receiver::open().await);
    hanging.always(Reply::Silence);
    failing.always(Reply::Status(500, ""));
    hook(&shop, &hanging).await;
    hook(&shop, &failing).await;
    // Nobody listens there.
    hook_to(&shop, "http://127.0.0.1:9/", EndpointKind::Http, &["*"]).await;
    hook(&shop, &healthy).await;
    for id in 0..count {
        shop.queue_webhook(&paid(id)).await;
    }
    let started = Instant::now();
    tokio::select! {
        _ = send(&shop) => panic!("the hanging endpoint takes longer"),
        hits = healthy.wait(usize::try_from(count).expect("small")) => {
            let last = hits.iter().map(|hit| hit.at).max().expect("there are some");
            assert!(last - started < Duration::from_secs(8), "{:?}", last - started);
        }
    }
    assert_eq!(hanging.hits().len(), UNDER_WAY);
}

/// Two transactions, of which the one that begins first commits last.
async fn commit_the_second_first(shop: &TestShop) {
    let (queued, committed) = (Notify::new(), Notify::new());
    let db = &shop.parts.db;
    let first = db.write(async |tx| {
        queue(tx, &paid(1)).await?;
        queued.notify_one();
        committed.notified().await;
        Ok::<_, DbError>(())
    });
    let second = async {
        queued.notified().await;
        db.write(async |tx| queue(tx, &paid(2)).await).await?;
        committed.notify_one();
        Ok::<_, DbError>(())
    };
    tokio::try_join!(first, second).expect("both commit");
}

#[test]
fn deliveries_to_an_endpoint_start_in_the_order_of_the_commits() {
    // SQLite knows one transaction at a time.
    run_test(Backend::Postgres, async |backend| {
        const BEGUN: Sql = sql!("SELECT subject FROM tasks WHERE lane = 'webhooks' ORDER BY due_at, id");
        let (shop, receiver) = (builder(backend).open().await, Receiver::open().await);
        hook(&shop, &receiver).await;
        Box::pin(commit_the_second_first(&shop)).await;
        let begun = shop.parts.db.read(BEGUN).scalars::<i64>().await.expect("they can be read");
        // The rows of the deliveries are older than the commits.
        assert!(begun.len() == 2 && begun[0] > begun[1], "{begun:?}");
        assert_eq!(send(&shop).await, 2);
    });
}

both_databases!(what_is_new_does_not_wait_behind_a_heap_of_what_failed);
async fn what_is_new_does_not_wait_behind_a_heap_of_what_failed(backend: Backend) {
    let (shop, receiver) = (builder(backend).open().await, Receiver::open().await);
    hook(&shop, &receiver).await;
    receiver.always(Reply::Status(500, ""));
    for id in 0..30 {
        shop.queue_webhook(&paid(id)).await;
    }
    send(&shop).await;
    shop.advance(TimeDelta::minutes(1));
    receiver.always(Reply::Gated(200));
    for id in 100..103 {
        shop.queue_webhook(&paid(id)).await;
    }
    let first = async {
        let hits = receiver.wait(30 + UNDER_WAY).await;
        receiver.open_gate();
        hits
    };
    let (sent, hits) = tokio::join!(send(&shop), first);
    assert_eq!(sent, 33);
    let orders = hits[30..].iter().filter_map(|hit| hit.json()["data"]["order_id"].as_i64()).collect::<Vec<_>>();
    assert_eq!(orders.iter().filter(|id| **id >= 100).count(), 3, "{orders:?}");
}
