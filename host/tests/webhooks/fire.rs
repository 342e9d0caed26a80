//! Killed workers: every event arrives, at least once.

use std::collections::BTreeSet;

use rustix::process::Signal;
use stoa_core::clock::Clock;
use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, both_databases};
use stoa_core::webhooks::{DeliveryState, attempts_of};

use crate::place::ShopFolder;
use crate::receiver::{Receiver, Reply};
use crate::shop::{deliveries, paid};

/// Whether everything is to be tried that takes long (`STOA_FIRE=full`).
#[expect(clippy::disallowed_methods, reason = "how thorough a run is belongs to the machine, not to a shop")]
pub(crate) fn full() -> bool {
    std::env::var("STOA_FIRE").is_ok_and(|fire| fire == "full")
}

/// A migrated place with an endpoint, and a shop beside it that writes into its database.
async fn burning(backend: Backend, receiver: &Receiver) -> (ShopFolder, TestShop) {
    let place = ShopFolder::on(backend).await;
    place.configure("[webhooks]\nallow_private_destinations = true\nlease_seconds = 1\n");
    place.run(["migrate"]).await.succeeded();
    let added = place.run(["webhook", "add", "--url", &receiver.url(), "--event", "*", "--json"]).await;
    assert_eq!(added.code, 0, "{added:?}");
    let shop = TestShop::builder(backend).on(place.database()).clock(&Clock::system()).open().await;
    (place, shop)
}

/// Waits until nothing is pending any more.
async fn settled(shop: &TestShop) {
    for _ in 0..1200 {
        if deliveries(shop).await.iter().all(|found| found.state != DeliveryState::Pending) {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("deliveries are still pending: {:?}", deliveries(shop).await);
}

async fn assert_all_arrived(shop: &TestShop, receiver: &Receiver) {
    let arrived = receiver.hits().iter().map(|hit| hit.delivery().to_owned()).collect::<BTreeSet<_>>();
    for found in deliveries(shop).await {
        assert!(arrived.contains(&found.delivery_id), "{found:?} never arrived");
        // One that was under way in each of five killed workers has had its attempts.
        let is_used_up = found.state == DeliveryState::DeadLetter && found.attempts == 5;
        assert!(found.state == DeliveryState::Delivered || is_used_up, "{found:?}");
        let attempts = attempts_of(&shop.parts.db, &found).await.expect("they can be read");
        assert!(found.attempts <= 5 && attempts.len() <= 5, "{found:?} {attempts:?}");
    }
}

both_databases!(a_worker_killed_between_sending_and_the_result_loses_nothing);
async fn a_worker_killed_between_sending_and_the_result_loses_nothing(backend: Backend) {
    let rounds = if full() { 100 } else { 5 };
    let receiver = Receiver::open().await;
    let (place, shop) = burning(backend, &receiver).await;
    for round in 0..rounds {
        receiver.script([Reply::Silence]);
        let before = receiver.hits().len();
        shop.queue_webhook(&paid(round)).await;
        let mut worker = place.start(["worker"]);
        worker.line("worker started").await;
        receiver.wait(before + 1).await;
        worker.stop(Signal::KILL).await;
    }
    let mut worker = place.start(["worker"]);
    worker.line("worker started").await;
    settled(&shop).await;
    assert_eq!(worker.stop(Signal::TERM).await.0, Some(0));
    assert_all_arrived(&shop, &receiver).await;
    assert_eq!(deliveries(&shop).await.len(), usize::try_from(rounds).expect("small"));
}

both_databases!(a_server_killed_between_commit_and_sending_loses_nothing);
async fn a_server_killed_between_commit_and_sending_loses_nothing(backend: Backend) {
    let rounds = if full() { 100 } else { 5 };
    let receiver = Receiver::open().await;
    let (place, shop) = burning(backend, &receiver).await;
    for round in 0..rounds {
        let mut server = place.start(["serve"]);
        server.line("listening on ").await;
        // Whether it has noticed the commit when it dies differs from round to round.
        shop.queue_webhook(&paid(round)).await;
        server.stop(Signal::KILL).await;
    }
    let mut server = place.start(["serve"]);
    server.line("listening on ").await;
    settled(&shop).await;
    assert_eq!(server.stop(Signal::TERM).await.0, Some(0));
    assert_all_arrived(&shop, &receiver).await;
    assert_eq!(deliveries(&shop).await.len(), usize::try_from(rounds).expect("small"));
}

both_databases!(a_worker_notices_what_others_commit_within_a_second);
async fn a_worker_notices_what_others_commit_within_a_second(backend: Backend) {
    let receiver = Receiver::open().await;
    let (place, shop) = burning(backend, &receiver).await;
    let mut worker = place.start(["worker"]);
    worker.line("worker started").await;
    let mut waits = Vec::new();
    for id in 0..10 {
        shop.queue_webhook(&paid(id)).await;
        let committed = std::time::Instant::now();
        let hits = receiver.wait(usize::try_from(id).expect("small") + 1).await;
        waits.push(hits.last().expect("it arrived").at.saturating_duration_since(committed));
    }
    waits.sort_unstable();
    // A busy machine may delay one of them.
    assert!(waits[7] < std::time::Duration::from_secs(1), "{waits:?}");
    assert_eq!(worker.stop(Signal::TERM).await.0, Some(0));
}
