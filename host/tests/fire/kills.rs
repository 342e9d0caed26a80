//! Servers that are killed while customers buy: every order that was acknowledged is there once, and nothing is half done.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rustix::process::Signal;
use serde_json::Value;
use stoa_core::auth::{NewToken, issue_token};
use stoa_core::clock::Clock;
use stoa_core::db::{Backend, Db, DbError, Sql};
use stoa_core::sql;
use stoa_core::testing::{TestShop, both_databases, run_test};
use stoa_core::verification::verify;
use stoa_standins::stripe::{Settings, Stripe};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use crate::clients::{Scene, Shopper, Told};
use crate::place::{Place, Running};
use crate::receiver::Receiver;
use crate::shelf::{LIMITS, assert_adds_up, full, product_id, seed, stock};

const SHOPPERS: usize = 4;

/// Nothing here takes this long unless it hangs.
const PATIENCE: Duration = Duration::from_mins(2);

const ORDERS: Sql = sql!("SELECT id FROM orders ORDER BY id");
const PAID: Sql = sql!("SELECT id FROM orders WHERE status = 'paid' ORDER BY id");
const KEPT: Sql = sql!("SELECT COUNT(*), COUNT(DISTINCT order_id) FROM idempotency_keys WHERE order_id IS NOT NULL");
const UNDONE: Sql = sql!(
    "SELECT (SELECT COUNT(*) FROM event_deliveries),
            (SELECT COUNT(*) FROM webhook_deliveries WHERE state = 'pending')"
);
const FORGET_PAYMENT: Sql = sql!("DELETE FROM payments WHERE order_id = $1");

/// A shop that can be killed, and all who deal with it.
struct Fire {
    place: Place,
    db: Db,
    receiver: Receiver,
    scene: watch::Sender<Scene>,
    progress: Arc<watch::Sender<usize>>,
    shoppers: Vec<JoinHandle<Told>>,
}

impl Fire {
    async fn light(backend: Backend, seed: u64) -> Self {
        let receiver = Receiver::open().await;
        let stripe = Arc::new(Stripe::start(Settings::default()).await.expect("a stand-in listens"));
        let place = Place::on(backend).await;
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
        let product_id = product_id(&shop.services.db, "book").await;
        let (scene, progress) = (watch::Sender::new(Scene::default()), Arc::new(watch::Sender::new(0)));
        let (http, mut shoppers) = (http(), Vec::new());
        for number in 0..SHOPPERS {
            let shopper = Shopper {
                number,
                token: token(&shop).await,
                product_id,
                http: http.clone(),
                scene: scene.subscribe(),
                stripe: Arc::clone(&stripe),
                progress: Arc::clone(&progress),
            };
            shoppers.push(tokio::spawn(shopper.shop()));
        }
        let db = place.db().await;
        Self { place, db, receiver, scene, progress, shoppers }
    }

    async fn start(&self) -> (Running, String) {
        let mut server = self.place.start(["serve"]);
        let address = server.line("listening on http://").await;
        (server, address)
    }

    fn show(&self, servers: &[(Running, String)]) {
        let addresses = servers.iter().map(|(_, address)| address.clone()).collect();
        self.scene.send_modify(|scene| scene.addresses = addresses);
    }

    /// Waits until customers got this many more orders.
    async fn progress(&self, orders: usize) {
        let mut progress = self.progress.subscribe();
        let until = *progress.borrow() + orders;
        let waited = timeout(PATIENCE, progress.wait_for(|placed| *placed >= until)).await;
        waited.expect("customers are served").expect("there are customers");
    }

    /// Waits until everything is done that was to be done after a commit.
    async fn done(&self) {
        let undone = async || self.db.read(UNDONE).one::<(i64, i64)>().await.expect("they are counted");
        let waited = timeout(PATIENCE, async {
            while undone().await != (0, 0) {
                sleep(Duration::from_millis(50)).await;
            }
        });
        let is_done = waited.await.is_ok();
        assert!(is_done, "events and webhooks are still pending: {:?}", undone().await);
    }
}

#[expect(clippy::disallowed_methods, reason = "a customer is no part of the shop and has no `HttpClient`")]
fn http() -> reqwest::Client {
    reqwest::Client::builder().timeout(PATIENCE / 4).build().expect("a client can be made")
}

async fn token(shop: &TestShop) -> String {
    let customer = shop.customer().await;
    let abilities = [String::from("*")];
    let new =
        NewToken { customer_id: customer.id, name: "fire", abilities: &abilities, networks: &[], expires_at: None };
    let random = &shop.services.random;
    let issued = shop.services.db.write(async |tx| -> Result<String, DbError> { issue_token(tx, random, new).await });
    issued.await.expect("a token is issued")
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
    let _seed = TellOnFailure(seed);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let fire = Fire::light(backend, seed).await;
    let mut running = Vec::new();
    for _ in 0..servers {
        running.push(fire.start().await);
    }
    fire.show(&running);
    for _ in 0..if full() { 100 } else { 5 } {
        fire.progress(random.random_range(1..4)).await;
        sleep(Duration::from_millis(random.random_range(0..60))).await;
        let (server, _) = running.swap_remove(random.random_range(0..running.len()));
        let _killed = server.stop(Signal::KILL).await;
        assert_adds_up(&fire.db).await;
        fire.show(&running);
        running.push(fire.start().await);
        fire.show(&running);
    }
    fire.progress(SHOPPERS).await;
    fire.scene.send_modify(|scene| scene.is_over = true);
    check(fire, running).await;
}

async fn check(mut fire: Fire, running: Vec<(Running, String)>) {
    let mut all = Told::default();
    for shopper in std::mem::take(&mut fire.shoppers) {
        let mut told = shopper.await.expect("the customer is served");
        let before = all.placed.len();
        all.placed.append(&mut told.placed.clone());
        assert_eq!(all.placed.len(), before + told.placed.len(), "an order belongs to two customers");
        all.paid.append(&mut told.paid);
        all.unanswered += told.unanswered;
        all.placed_unheard += told.placed_unheard;
    }
    fire.done().await;
    for (server, _) in running {
        let (code, log) = server.stop(Signal::TERM).await;
        assert_eq!(code, Some(0), "{log}");
    }
    // Everybody asked until there was an answer, so what is there is what was acknowledged, and nothing else.
    let orders = fire.db.read(ORDERS).scalars::<i64>().await.expect("they are read");
    assert_eq!(orders, all.placed.iter().copied().collect::<Vec<_>>());
    let paid = fire.db.read(PAID).scalars::<i64>().await.expect("they are read");
    assert_eq!(paid, all.paid.iter().copied().collect::<Vec<_>>());
    let count = i64::try_from(orders.len()).expect("few");
    assert_eq!(fire.db.read(KEPT).one::<(i64, i64)>().await.expect("they are counted"), (count, count));
    assert_eq!(arrived(&fire.receiver, "order.created"), all.placed);
    assert_eq!(arrived(&fire.receiver, "order.paid"), all.paid);
    assert_adds_up(&fire.db).await;
    println!(
        "{count} orders, {} paid; {} requests got no answer, and {} orders had been placed by one of those",
        paid.len(),
        all.unanswered,
        all.placed_unheard
    );
    // The control: the kills met requests, and an order that was written by halves would be found.
    assert!(all.unanswered > 0, "no kill met a request");
    let forgotten = *all.placed.difference(&all.paid).next().expect("half of them are not paid");
    let forget = fire.db.write(async |tx| tx.run(FORGET_PAYMENT).bind(forgotten).execute().await);
    assert_eq!(forget.await.expect("it is written"), 1);
    let found = verify(&fire.db).await.expect("it is looked through");
    assert!(found.iter().any(|breach| breach.invariant == "payment_of_order"), "{found:?}");
}

/// Says how the failure can be had again.
struct TellOnFailure(u64);

impl Drop for TellOnFailure {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the seed of this fire was {}", self.0);
        }
    }
}

both_databases!(nothing_acknowledged_is_lost_or_doubled_when_the_server_is_killed);
async fn nothing_acknowledged_is_lost_or_doubled_when_the_server_is_killed(backend: Backend) {
    kill(backend, 1, seed()).await;
}

#[test]
fn nothing_acknowledged_is_lost_or_doubled_when_one_of_two_servers_is_killed() {
    run_test(Backend::Postgres, async |backend| kill(backend, 2, seed()).await);
}
