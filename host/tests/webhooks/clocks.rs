//! Attempts over time (S3.1, S8).

use chrono::TimeDelta;
use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::testing::both_databases;
use stoa_core::webhooks::{DeliveryState, MAX_ATTEMPTS, Retried, attempts_of, retry_delivery};

use crate::receiver::{Receiver, Reply};
use crate::shop::{builder, delivery, hook, paid, send, states};

both_databases!(five_attempts_are_made_with_the_delays_of_the_specification);
async fn five_attempts_are_made_with_the_delays_of_the_specification(backend: Backend) {
    let (shop, receiver) = (builder(backend).open().await, Receiver::open().await);
    let (_, secret) = hook(&shop, &receiver).await;
    receiver.always(Reply::Status(500, ""));
    let start = shop.now();
    shop.queue_webhook(&paid(1)).await;
    send(&shop).await;
    for (made, delay) in [60, 300, 1800, 7200].into_iter().enumerate() {
        assert_eq!(receiver.hits().len(), made + 1);
        let found = delivery(&shop).await;
        assert_eq!(found.next_attempt_at, Some(shop.now() + TimeDelta::seconds(delay)));
        shop.advance(TimeDelta::seconds(delay - 1));
        send(&shop).await;
        assert_eq!(receiver.hits().len(), made + 1, "a second before {delay}");
        shop.advance(TimeDelta::seconds(1));
        send(&shop).await;
    }
    assert_eq!(shop.now() - start, TimeDelta::minutes(156));
    shop.advance(TimeDelta::days(31));
    send(&shop).await;
    let hits = receiver.hits();
    assert_eq!((hits.len(), states(&shop).await), (5, vec![DeliveryState::DeadLetter]));
    for (hit, after) in hits.iter().zip([0, 60, 360, 2160, 9360]) {
        assert_eq!(hit.header("x-service-timestamp"), (start.timestamp() + after).to_string());
        assert!(hit.is_signed_with(&secret));
        assert_eq!((hit.delivery(), &hit.body), (hits[0].delivery(), &hits[0].body));
    }
    assert_ne!(hits[0].header("x-service-signature"), hits[1].header("x-service-signature"));
    let found = delivery(&shop).await;
    let attempts = attempts_of(&shop.parts.db, &found).await.expect("they can be read");
    assert_eq!(attempts.iter().map(|attempt| attempt.number).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
}

both_databases!(a_retry_by_hand_begins_anew_with_the_same_body);
async fn a_retry_by_hand_begins_anew_with_the_same_body(backend: Backend) {
    let (shop, receiver) = (builder(backend).open().await, Receiver::open().await);
    hook(&shop, &receiver).await;
    receiver.script([Reply::Status(404, ""), Reply::Status(500, "")]);
    shop.queue_webhook(&paid(1)).await;
    send(&shop).await;
    let id = delivery(&shop).await.delivery_id;
    assert_eq!(retry_delivery(&shop.parts.db, &id).await.expect("the database answers"), Retried::Queued);
    let queued = delivery(&shop).await;
    assert_eq!((queued.state, queued.attempts, queued.last_error), (DeliveryState::Pending, 0, None));
    send(&shop).await;
    assert_eq!(delivery(&shop).await.attempts, 1);
    shop.advance(TimeDelta::seconds(60));
    assert_eq!(send(&shop).await, 1);
    let hits = receiver.hits();
    assert!(hits.iter().all(|hit| hit.delivery() == id && hit.body == hits[0].body));
    let unknown = retry_delivery(&shop.parts.db, "no-such-delivery").await.expect("the database answers");
    assert_eq!((hits.len(), unknown), (3, Retried::Unknown));
}

both_databases!(a_clock_that_is_set_back_loses_and_doubles_nothing);
async fn a_clock_that_is_set_back_loses_and_doubles_nothing(backend: Backend) {
    let (shop, receiver) = (builder(backend).open().await, Receiver::open().await);
    hook(&shop, &receiver).await;
    receiver.script([Reply::Status(500, "")]);
    shop.queue_webhook(&paid(1)).await;
    send(&shop).await;
    shop.queue_webhook(&paid(2)).await;
    // No farther than the clocks of two machines may be apart.
    shop.advance(TimeDelta::minutes(-4));
    // What was never tried does not wait for the clock.
    assert_eq!((send(&shop).await, receiver.hits().len()), (1, 2));
    shop.queue_webhook(&paid(3)).await;
    assert_eq!((send(&shop).await, receiver.hits().len()), (1, 3));
    shop.advance(TimeDelta::minutes(4) + TimeDelta::seconds(60));
    assert_eq!((send(&shop).await, receiver.hits().len()), (1, 4));
    assert_eq!(states(&shop).await, [DeliveryState::Delivered; 3]);
}

both_databases!(a_clock_that_was_years_ahead_hides_no_delivery);
async fn a_clock_that_was_years_ahead_hides_no_delivery(backend: Backend) {
    const HOLD: Sql =
        sql!("UPDATE tasks SET attempts = $2, due_at = $1, written_at = $1, lease = 'dead' WHERE lane = 'webhooks'");
    let (shop, receiver, years) = (builder(backend).open().await, Receiver::open().await, TimeDelta::days(3 * 365));
    hook(&shop, &receiver).await;
    receiver.script([Reply::Status(500, "")]);
    shop.advance(years);
    shop.queue_webhook(&paid(1)).await;
    send(&shop).await;
    shop.queue_webhook(&paid(2)).await;
    shop.advance(-years);
    assert_eq!((send(&shop).await, states(&shop).await), (2, vec![DeliveryState::Delivered; 2]));

    // A sender that has died holds a lease that ends years from now; of its last attempt nobody knows.
    for (attempts, state) in [(1, DeliveryState::Delivered), (MAX_ATTEMPTS, DeliveryState::DeadLetter)] {
        shop.queue_webhook(&paid(3)).await;
        let then = shop.now() + years;
        let hold = async |tx: &mut Tx| tx.run(HOLD).bind(then).bind(attempts).execute().await;
        shop.parts.db.write(hold).await.expect("it is changed");
        send(&shop).await;
        assert_eq!(states(&shop).await.last(), Some(&state), "{attempts}");
    }
}

both_databases!(the_scheduler_sends_what_is_due_within_its_minute);
async fn the_scheduler_sends_what_is_due_within_its_minute(backend: Backend) {
    let (shop, receiver) = (builder(backend).open().await, Receiver::open().await);
    hook(&shop, &receiver).await;
    receiver.script([Reply::Status(503, "")]);
    shop.queue_webhook(&paid(1)).await;
    shop.run_jobs().await;
    assert_eq!(receiver.hits().len(), 1);
    shop.advance(TimeDelta::seconds(59));
    shop.run_jobs().await;
    assert_eq!(receiver.hits().len(), 1);
    shop.advance(TimeDelta::seconds(1));
    shop.run_jobs().await;
    assert_eq!((receiver.hits().len(), states(&shop).await), (2, vec![DeliveryState::Delivered]));
}
