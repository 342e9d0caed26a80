//! A shop whose servers are killed and started again while customers go on asking them.

use std::sync::Arc;
use std::time::Duration;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rustix::process::Signal;
use stoa_core::db::Db;
use stoa_core::testing::Published;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use crate::calling::{Caller, Scene, Told};
use crate::place::{Running, ShopFolder};

/// How many buy at once.
pub(crate) const SHOPPERS: usize = 4;

/// Nothing here takes this long unless it hangs.
pub(crate) const PATIENCE: Duration = Duration::from_mins(2);

/// The shop, its servers, and who buys there.
pub(crate) struct Stage {
    pub(crate) place: ShopFolder,
    pub(crate) db: Db,
    scene: watch::Sender<Scene>,
    progress: Arc<watch::Sender<usize>>,
    http: reqwest::Client,
    published: Arc<Published>,
    shoppers: Vec<JoinHandle<Told>>,
    running: Vec<(Running, String)>,
    random: Xoshiro256PlusPlus,
    _seed: TellOnFailure,
}

impl Stage {
    /// A shop that is set up in this place; the seed decides when its servers are killed.
    pub(crate) async fn new(place: ShopFolder, seed: u64) -> Self {
        let document = place.run(["openapi"]).await.succeeded().out;
        Self {
            db: place.db().await,
            published: Published::of(&document.into()),
            place,
            scene: watch::Sender::new(Scene::default()),
            progress: Arc::new(watch::Sender::new(0)),
            http: http(),
            shoppers: Vec::new(),
            running: Vec::new(),
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            _seed: TellOnFailure(seed),
        }
    }

    /// How the next customer reaches the shop.
    pub(crate) fn caller(&self, token: String) -> Caller {
        Caller {
            number: self.shoppers.len(),
            token,
            http: self.http.clone(),
            published: Arc::clone(&self.published),
            scene: self.scene.subscribe(),
            progress: Arc::clone(&self.progress),
        }
    }

    /// Lets a customer begin.
    pub(crate) fn enter(&mut self, shopping: impl Future<Output = Told> + Send + 'static) {
        self.shoppers.push(tokio::spawn(shopping));
    }

    /// Customers know that the database is away at times, and do nothing for so long after buying.
    pub(crate) fn have_outages(&self, pause: Duration) {
        self.scene.send_modify(|scene| (scene.has_outages, scene.pause) = (true, pause));
    }

    /// Starts one more server.
    pub(crate) async fn start(&mut self) {
        let mut server = self.place.start(["serve"]);
        let address = server.line("listening on http://").await;
        self.running.push((server, address));
        self.show();
    }

    fn show(&self) {
        let addresses = self.running.iter().map(|(_, address)| address.clone()).collect();
        self.scene.send_modify(|scene| scene.addresses = addresses);
    }

    /// Kills one of the servers, some time after customers got on.
    pub(crate) async fn kill(&mut self) {
        let steps = self.random.random_range(1..4);
        self.progress(steps).await;
        sleep(Duration::from_millis(self.random.random_range(0..60))).await;
        let (server, _) = self.running.swap_remove(self.random.random_range(0..self.running.len()));
        let _killed = server.stop(Signal::KILL).await;
        self.show();
    }

    /// Waits until customers got on this many times more.
    pub(crate) async fn progress(&self, steps: usize) {
        let mut progress = self.progress.subscribe();
        let until = *progress.borrow() + steps;
        let waited = timeout(PATIENCE, progress.wait_for(|times| *times >= until)).await;
        waited.expect("customers are served").expect("there are customers");
    }

    /// Lets customers come to an end, and gives what all of them were told.
    pub(crate) async fn end(&mut self) -> Told {
        self.progress(SHOPPERS).await;
        self.scene.send_modify(|scene| scene.is_over = true);
        let mut all = Told::default();
        for shopper in self.shoppers.drain(..) {
            all.add(shopper.await.expect("the customer is served"));
        }
        all
    }

    /// Stops all servers as an operator would.
    pub(crate) async fn stop(&mut self) {
        for (server, _) in self.running.drain(..) {
            let (code, log) = server.stop(Signal::TERM).await;
            assert_eq!(code, Some(0), "{log}");
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "a customer is no part of the shop and has no `HttpClient`")]
fn http() -> reqwest::Client {
    reqwest::Client::builder().timeout(PATIENCE / 4).build().expect("a client can be made")
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
