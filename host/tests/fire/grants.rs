//! Servers that are killed between a payment and what it is for: every unit that was paid is granted once, whatever its module.

use std::collections::BTreeSet;

use chrono::{SecondsFormat, TimeDelta};
use http::Method;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};
use stoa_core::clock::Clock;
use stoa_core::db::{Backend, Db, DbError, Sql};
use stoa_core::sql;
use stoa_core::testing::{TestShop, both_databases};

use crate::calling::{Caller, Told};
use crate::goods::{Goods, MOST_UNITS, Unit, place_with_goods, product_ids};
use crate::place::ShopFolder;
use crate::shelf::{LIMITS, full, seed, token};
use crate::stage::{SHOPPERS, Stage};

/// Values in the pool for each kill: many more than are sold from one to the next.
const VALUES: usize = 400;

/// How often what is due is done before it is said to hang. What a database refuses once is due again a minute later.
const ROUNDS: usize = 5;

const PAID: Sql = sql!("SELECT id FROM orders WHERE status = 'paid' ORDER BY id");
const COUNT_UNPAID: Sql = sql!("SELECT COUNT(*) FROM orders WHERE status = 'pending'");

/// Deliveries that a server which is dead has taken for itself.
const LIST_TAKEN: Sql = sql!("SELECT id FROM tasks WHERE event = 'OrderPaid' AND lease IS NOT NULL");
const COUNT_WAITING: Sql = sql!("SELECT COUNT(*) FROM tasks WHERE lane = 'events'");

const MAKE_KEPT: Sql =
    sql!("CREATE TABLE fire_kept AS SELECT id, event, kind, order_key, payload FROM tasks WHERE id = 0");
const KEEP: Sql = sql!(
    "INSERT INTO fire_kept (id, event, kind, order_key, payload)
     SELECT id, event, kind, order_key, payload FROM tasks
     WHERE event = 'OrderPaid' AND id NOT IN (SELECT id FROM fire_kept)"
);
const TELL_AGAIN: Sql = sql!(
    "INSERT INTO tasks (lane, kind, event, order_key, payload, state, attempts, due_at, written_at, created_at)
     SELECT 'events', kind, event, order_key, payload, 'pending', 0, $1, $1, $1 FROM fire_kept"
);
const TAKE_BACK: Sql = sql!("DELETE FROM downloads_grants WHERE id = (SELECT MIN(id) FROM downloads_grants)");

/// A customer who orders some of everything, and pays two of three orders.
struct Collector {
    caller: Caller,
    product_ids: Vec<i64>,
    random: Xoshiro256PlusPlus,
}

impl Collector {
    async fn collect(mut self) -> Told {
        let mut told = Told::default();
        let mut turn = 0;
        while !self.caller.is_over() {
            turn += 1;
            self.fill(turn, &mut told).await;
            let order_id = self.caller.place(turn, "manual", &mut told).await;
            if !turn.is_multiple_of(3) {
                self.pay(turn, order_id, &mut told).await;
                self.caller.got_on();
            }
        }
        told
    }

    /// Fills the cart with one to three units of most products.
    async fn fill(&mut self, turn: usize, told: &mut Told) {
        let quantities = self.product_ids.iter().map(|id| (*id, self.random.random_range(0..=MOST_UNITS)));
        let mut wanted = quantities.filter(|(_, quantity)| *quantity > 0).collect::<Vec<_>>();
        if wanted.is_empty() {
            wanted.push((self.product_ids[0], 1));
        }
        for (product_id, quantity) in wanted {
            let line = json!({"product_id": product_id, "quantity": quantity});
            let filled = self.caller.post(turn, "/cart", &line, &[]).await;
            assert_eq!(filled.status, 200, "{}", filled.body);
            told.unanswered += filled.unanswered;
            // What was added without an answer was added once more.
            let line = line_of(&filled.body, product_id);
            if line["quantity"] != quantity {
                let path = format!("/cart/{}", line["line_key"].as_str().expect("a key"));
                let set = self.caller.api(turn, Method::PATCH, &path, &json!({"quantity": quantity}), &[]).await;
                assert_eq!(set.status, 200, "{}", set.body);
                told.unanswered += set.unanswered;
            }
        }
    }

    async fn pay(&self, turn: usize, order_id: i64, told: &mut Told) {
        let urls = json!({"gateway": "development", "return_url": "https://front.example/thanks",
                          "cancel_url": "https://front.example/cart"});
        let paid = self.caller.post(turn, &format!("/orders/{order_id}/pay"), &urls, &[]).await;
        let was_paid_unheard = paid.unanswered > 0 && paid.status == 409 && paid.body["reason"] == "already_paid";
        let is_paid = paid.status == 200 && paid.body["data"]["status"] == "succeeded";
        assert!(is_paid || was_paid_unheard, "{} {}", paid.status, paid.body);
        told.unanswered += paid.unanswered;
        told.paid.insert(order_id);
    }
}

fn line_of(cart: &Value, product_id: i64) -> &Value {
    let lines = cart["data"]["lines"].as_array().expect("a list");
    lines.iter().find(|line| line["product_id"] == product_id).unwrap_or_else(|| panic!("{cart}"))
}

/// What the kills met.
#[derive(Debug, Default)]
struct Found {
    kills: usize,
    /// Kills that left something ungranted that was paid.
    between: usize,
    /// Units that were paid and not granted when a server was dead.
    ungranted: BTreeSet<Unit>,
    /// Deliveries that a dead server was about to make.
    taken: BTreeSet<i64>,
}

impl Found {
    /// Looks at what a server has left that is dead.
    async fn look(&mut self, db: &Db) {
        let goods = Goods::look(db).await;
        let before = self.ungranted.len();
        self.ungranted.extend(goods.missing().cloned());
        self.kills += 1;
        self.between += usize::from(self.ungranted.len() > before);
        self.taken.extend(db.read(LIST_TAKEN).scalars::<i64>().await.expect("they are read"));
        db.write(async |tx| tx.run(KEEP).execute().await).await.expect("it is kept");
    }
}

async fn light(backend: Backend, seed: u64, kills: usize) -> Stage {
    let configuration = format!("{LIMITS}[log]\nlevel = 'error'\n[payments.development]\nenabled = true\n");
    let place = place_with_goods(backend, &configuration, VALUES * (kills + 1)).await;
    let shop = TestShop::builder(backend).on(place.database()).clock(&Clock::system()).seed(seed).open().await;
    let mut stage = Stage::new(place, seed).await;
    stage.db.write(async |tx| tx.run(MAKE_KEPT).execute().await).await.expect("the table is made");
    let product_ids = product_ids(&stage.db).await;
    for number in 0..SHOPPERS {
        let caller = stage.caller(token(&shop).await);
        let random = Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_add(number as u64));
        stage.enter(Collector { caller, product_ids: product_ids.clone(), random }.collect());
    }
    stage
}

/// Has everything done that waits, also what servers had taken that are dead: their claims hold for a minute.
async fn drain(place: &ShopFolder, db: &Db) {
    for round in 0..ROUNDS {
        let minutes = i64::try_from(round + 1).expect("few") * 2;
        let time = (db.now() + TimeDelta::minutes(minutes)).to_rfc3339_opts(SecondsFormat::Secs, true);
        assert_eq!(place.run(["jobs", "run", "events.dispatch", "--at", &time, "--yes"]).await.code, 0);
        if db.read(COUNT_WAITING).scalar::<i64>().await.expect("they are counted") == 0 {
            return;
        }
    }
    panic!("events still wait: {}", place.run(["events", "--json"]).await.out);
}

/// Everything that was paid was granted once, and the program finds nothing wrong.
async fn assert_granted_once(place: &ShopFolder, db: &Db) {
    let differences = Goods::look(db).await.differences();
    assert!(differences.is_empty(), "{} differences: {differences:#?}", differences.len());
    place.run(["verify"]).await.succeeded();
}

both_databases!(every_paid_unit_is_granted_once_when_the_server_is_killed_between_payment_and_grant);
async fn every_paid_unit_is_granted_once_when_the_server_is_killed_between_payment_and_grant(backend: Backend) {
    let kills = if full() { 50 } else { 5 };
    let mut stage = light(backend, seed(), kills).await;
    let mut found = Found::default();
    stage.start().await;
    for _ in 0..kills {
        stage.kill().await;
        stage.place.run(["verify"]).await.succeeded();
        found.look(&stage.db).await;
        stage.start().await;
    }
    let told = stage.end().await;
    stage.stop().await;
    let (place, db) = (&stage.place, &stage.db);
    drain(place, db).await;
    assert_granted_once(place, db).await;
    let paid = db.read(PAID).scalars::<i64>().await.expect("they are read");
    assert_eq!(paid, told.paid.iter().copied().collect::<Vec<_>>(), "who was told so has paid, and nobody else");
    let goods = Goods::look(db).await;
    println!(
        "{backend:?}: {} kills, {} of them between a payment and its grants; {} orders, {} paid with {} units; {} units \
         were granted after a kill only; {} deliveries were in the hands of a server that was killed; {} requests got no \
         answer",
        found.kills,
        found.between,
        told.placed.len(),
        paid.len(),
        goods.paid.len(),
        found.ungranted.len(),
        found.taken.len(),
        told.unanswered,
    );
    // The controls: kills came between payments and grants, there was something to grant wrongly, and a lost grant is found.
    assert!(!found.ungranted.is_empty() && !found.taken.is_empty(), "no kill came between a payment and its grants");
    assert!(found.ungranted.is_subset(&goods.paid));
    assert!(db.read(COUNT_UNPAID).scalar::<i64>().await.expect("they are counted") > 0, "everything was paid");
    // A server may die when its listener is done and the delivery is not yet deleted: what was heard is told once more.
    let now = db.now();
    let again = db.write(async |tx| -> Result<u64, DbError> { tx.run(TELL_AGAIN).bind(now).execute().await });
    assert!(again.await.expect("it is written") > 0, "nothing waited when a server was killed");
    drain(place, db).await;
    assert_granted_once(place, db).await;
    let taken_back = db.write(async |tx| -> Result<u64, DbError> { tx.run(TAKE_BACK).execute().await });
    assert_eq!(taken_back.await.expect("it is written"), 1);
    assert_eq!(Goods::look(db).await.differences().len(), 1, "a grant that is lost is found");
}
