//! Servers that are killed while customers buy: every order that was acknowledged is there once, and nothing is half done.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use stoa_core::clock::Clock;
use stoa_core::db::{Backend, Sql};
use stoa_core::sql;
use stoa_core::testing::{TestShop, both_databases, run_test};
use stoa_core::verification::verify;
use stoa_fakes::stripe::{Settings, Stripe};
use tokio::time::{sleep, timeout};

use crate::clients::Shopper;
use crate::place::ShopFolder;
use crate::receiver::Receiver;
use crate::shelf::{LIMITS, assert_adds_up, full, invariants, product_id, seed, stock, token};
use crate::stage::{PATIENCE, SHOPPERS, Stage};

pub(crate) const ORDERS: Sql = sql!("SELECT id FROM orders ORDER BY id");
const PAID: Sql = sql!("SELECT id FROM orders WHERE status = 'paid' ORDER BY id");
const KEPT: Sql = sql!("SELECT COUNT(*), COUNT(DISTINCT order_id) FROM idempotency_keys WHERE order_id IS NOT NULL");
const UNDONE: Sql = sql!(
    "SELECT (SELECT COUNT(*) FROM tasks WHERE lane = 'events'),
            (SELECT COUNT(*) FROM webhook_deliveries WHERE state = 'pending')"
);
const FORGET_PAYMENT: Sql = sql!("DELETE FROM payments WHERE order_id = $1");

/// A shop that can be killed, and whoever listens to it.
pub(crate) struct Fire {
    pub(crate) stage: Stage,
    receiver: Receiver,
}

impl Fire {
    /// Sets it up, with customers who come in as soon as a server runs.
    pub(crate) async fn light(place: ShopFolder, backend: Backend, seed: u64) -> Self {
        let receiver = Receiver::open().await;
        let stripe = Arc::new(Stripe::start(Settings::default()).await.expect("a fake listens"));
        place.configure(&format!(
            "{LIMITS}[log]\nlevel = 'error'\n[webhooks]\nallow_private_destinations = true\nlease_seconds = 1\n\
             [payments.stripe]\nenabled = true\nsecret_key = '{}'\nwebhook_secret = '{}'\napi_base = '{}'\n",
            stripe.settings().secret_key,
            stripe.settings().webhook_secret,
            stripe.base_url(),
        ));
        place.run(["migrate"]).await.succeeded();
        let hook = ["webhook", "add", "--url", &receiver.url(), "--event", "*", "--json"];
        assert_eq!(place.run(hook).await.code, 0);
        let shop = TestShop::builder(backend).on(place.database()).clock(&Clock::system()).seed(seed).open().await;
        stock(&shop, &["book"]).await;
        let product_id = product_id(&shop.parts.db, "book").await;
        let mut stage = Stage::new(place, seed).await;
        for _ in 0..SHOPPERS {
            let caller = stage.caller(token(&shop).await);
            stage.enter(Shopper { caller, product_id, stripe: Arc::clone(&stripe) }.shop());
        }
        Self { stage, receiver }
    }

    /// Waits until everything is done that was to be done after a commit.
    async fn done(&self) {
        let undone = async || self.stage.db.read(UNDONE).one::<(i64, i64)>().await.expect("they are counted");
        let waited = timeout(PATIENCE, async {
            while undone().await != (0, 0) {
                sleep(Duration::from_millis(50)).await;
            }
        });
        let is_done = waited.await.is_ok();
        assert!(is_done, "events and webhooks are still pending: {:?}", undone().await);
    }
}

/// What arrived of an event: ids of its orders.
fn arrived(receiver: &Receiver, event: &str) -> BTreeSet<i64> {
    let hits = receiver.hits().into_iter().filter(|hit| hit.header("x-service-event") == event);
    hits.map(|hit| order_of(&hit.json())).collect()
}

fn order_of(body: &Value) -> i64 {
    body["data"]["order_id"].as_i64().unwrap_or_else(|| panic!("{body} is about no order"))
}

/// Kills one of so many servers again and again, at moments that the seed decides.
async fn kill(backend: Backend, servers: usize, seed: u64) {
    let mut fire = Fire::light(ShopFolder::on(backend).await, backend, seed).await;
    for _ in 0..servers {
        fire.stage.start().await;
    }
    for _ in 0..if full() { 100 } else { 5 } {
        fire.stage.kill().await;
        assert_adds_up(&fire.stage.db).await;
        fire.stage.start().await;
    }
    check(fire).await;
}

/// Everything that was acknowledged is there once, and nothing else; all that follows from it has been done.
pub(crate) async fn check(mut fire: Fire) {
    let all = fire.stage.end().await;
    fire.done().await;
    fire.stage.stop().await;
    let db = &fire.stage.db;
    // Everybody asked until there was an answer, so what is there is what was acknowledged, and nothing else.
    let orders = db.read(ORDERS).scalars::<i64>().await.expect("they are read");
    assert_eq!(orders, all.placed.iter().copied().collect::<Vec<_>>());
    let paid = db.read(PAID).scalars::<i64>().await.expect("they are read");
    assert_eq!(paid, all.paid.iter().copied().collect::<Vec<_>>());
    let count = i64::try_from(orders.len()).expect("few");
    assert_eq!(db.read(KEPT).one::<(i64, i64)>().await.expect("they are counted"), (count, count));
    assert_eq!(arrived(&fire.receiver, "order.created"), all.placed);
    assert_eq!(arrived(&fire.receiver, "order.paid"), all.paid);
    assert_adds_up(db).await;
    println!(
        "{count} orders, {} paid; {} requests got no answer, and {} orders had been placed by one of those",
        paid.len(),
        all.unanswered,
        all.placed_unheard
    );
    // The control: the kills met requests, and an order that was written by halves would be found.
    assert!(all.unanswered > 0, "no kill met a request");
    let forgotten = *all.placed.difference(&all.paid).next().expect("half of them are not paid");
    let forget = db.write(async |tx| tx.run(FORGET_PAYMENT).bind(forgotten).execute().await);
    assert_eq!(forget.await.expect("it is written"), 1);
    let found = verify(db, &invariants()).await.expect("it is looked through");
    assert!(found.iter().any(|breach| breach.invariant == "payment_of_order"), "{found:?}");
}

both_databases!(nothing_acknowledged_is_lost_or_doubled_when_the_server_is_killed);
async fn nothing_acknowledged_is_lost_or_doubled_when_the_server_is_killed(backend: Backend) {
    kill(backend, 1, seed()).await;
}

#[test]
fn nothing_acknowledged_is_lost_or_doubled_when_one_of_two_servers_is_killed() {
    run_test(Backend::Postgres, async |backend| kill(backend, 2, seed()).await);
}
