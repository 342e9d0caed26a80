//! PostgreSQL on more than one machine: behind a pooler, with a standby that takes over, and with one that is read from.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::json;
use stoa_core::config::{DatabaseUrl, Pooler};
use stoa_core::db::{Backend, ListDb, Missing, OpenOptions};
use stoa_core::error_chain;
use stoa_core::prelude::*;
use stoa_core::testing::{PostgresMachines, TestClient, TestDatabase, TestShop, run_machines_test};
use tokio::sync::watch;

const PUT: Sql = sql!("INSERT INTO installation (name, value) VALUES ($1, '')");
const NAMES: Sql = sql!("SELECT name FROM installation WHERE name LIKE 'row %'");
const COUNT: Sql = sql!("SELECT COUNT(*) FROM installation WHERE name = $1");
const RAISE_VERSION: Sql = sql!("UPDATE catalog_state SET version = version + 1");
const PRODUCT_ID: Sql = sql!("SELECT id FROM products WHERE slug = 'book'");

const KEPT_STATEMENTS: Sql = sql!(
    sqlite: "SELECT CAST(0 AS BIGINT)",
    postgres: "SELECT COUNT(*) FROM pg_prepared_statements",
);

const WAITS_FOR_THE_DISK: Sql = sql!(
    sqlite: "SELECT ''",
    postgres: "SELECT current_setting('synchronous_commit') || ' ' || current_setting('TimeZone')",
);

const IS_STANDBY: Sql = sql!(sqlite: "SELECT FALSE", postgres: "SELECT pg_is_in_recovery()");

/// Nothing here takes this long unless it hangs.
const PATIENCE: Duration = Duration::from_mins(1);

async fn put(db: &Db, name: &str) -> Result<(), DbError> {
    db.write(async |tx| tx.run(PUT).bind(name).execute().await).await.map(drop)
}

async fn migrated(options: &OpenOptions) -> Db {
    // With core's tables, as a shop has them.
    let shop = TestShop::builder(Backend::Postgres).on(&TestDatabase::opened_by(options.clone())).open().await;
    shop.parts.db.clone()
}

fn pooled(machines: &PostgresMachines, name: &str) -> OpenOptions {
    OpenOptions { pooler: Pooler::Transaction, ..OpenOptions::new(machines.url(&[name]), Missing::Refuse, 6) }
}

async fn refusal(options: &OpenOptions) -> String {
    match Db::open(options, Clock::system()).await {
        Ok(_) => panic!("{} was opened", options.url),
        Err(error) => error_chain(&error),
    }
}

/// Puts a book into a cart and places it.
async fn buy(client: TestClient, product_id: i64) -> i64 {
    client.post("/cart", &json!({"product_id": product_id, "quantity": 1})).await.expect_status(200);
    let checkout = json!({
        "payment_method": "manual", "shipping_method_id": "standard",
        "billing": {"name": "Ada Buyer", "line1": "Keizersgracht 1", "city": "Amsterdam", "postal_code": "1015 AA",
                    "country": "NL"},
    });
    let placed = client.post("/checkout", &checkout).await.expect_status(201).json();
    placed["data"]["id"].as_i64().expect("an id")
}

#[test]
fn behind_a_pooler_in_transaction_mode_instances_sell_and_without_the_setting_the_start_names_it() {
    run_machines_test(async |machines| {
        machines.add_pooler("strict", "one", "");
        machines.add_pooler("lenient", "one", "ignore_startup_parameters = extra_float_digits,options");
        for name in ["strict", "lenient"] {
            let told = refusal(&OpenOptions { pooler: Pooler::None, ..pooled(&machines, name) }).await;
            assert!(told.contains("set `database.pooler = \"transaction\"`"), "{name}: {told}");
        }
        let database = TestDatabase::opened_by(pooled(&machines, "strict"));
        let limits =
            "[limits]\nprotected = { requests = 0, per_seconds = 60 }\ncheckout = { requests = 0, per_seconds = 60 }";
        let builder = || TestShop::builder(Backend::Postgres).on(&database).config(limits);
        let one = builder().open().await;
        let other = builder().clock(&one.clock).seed(2).open().await;
        one.stock(&[json!({"type": "product", "slug": "book", "name": "Book", "price_amount": 1500})]).await;
        other.refresh_catalog().await;
        let product_id = one.parts.db.read(PRODUCT_ID).scalar::<i64>().await.expect("it is there");
        let mut buying = Vec::new();
        let mut reading = Vec::new();
        for number in 0..8 {
            let shop = if number % 2 == 0 { &one } else { &other };
            let client = shop.client().token(&shop.customer().await, &["*"]).await;
            reading.push(client.clone());
            buying.push(buy(client, product_id));
        }
        let placed = join_all(buying).await.into_iter().collect::<BTreeSet<_>>();
        assert_eq!(placed.len(), 8);
        for client in reading {
            let orders = client.get("/orders").await.expect_status(200).json();
            assert_eq!(orders["meta"]["total"], 1, "{orders}");
        }
        let db = &one.parts.db;
        assert_eq!(one.breaches().await, [] as [String; 0]);
        // Nothing was left with the server processes, and each commit waits for the disk by itself.
        assert_eq!(db.read(KEPT_STATEMENTS).scalar::<i64>().await.expect("it tells"), 0);
        assert_eq!(db.read(WAITS_FOR_THE_DISK).scalar::<String>().await.expect("it tells"), "on UTC");
        let inside = db.write(async |tx| tx.run(WAITS_FOR_THE_DISK).scalar::<String>().await);
        assert_eq!(inside.await.expect("it commits"), "on UTC");
        assert!(db.is_behind_pooler().await.expect("it tells"));
        let mut watch = other.parts.db.watch().await.expect("it is watched");
        db.write(async |tx| tx.run(RAISE_VERSION).execute().await).await.expect("the catalog changes");
        tokio::time::timeout(PATIENCE, watch.changed()).await.expect("it looks").expect("it is there");
        // What needs one server process says so.
        let refused = db.snapshot().await.err().map(|error| error_chain(&error)).unwrap_or_default();
        assert!(refused.contains("STOA_DATABASE__POOLER=none"), "{refused}");
    });
}

/// Writes row after row, and notes those that were acknowledged, with the time.
async fn write_on(db: Db, number: usize, told: Told, mut over: watch::Receiver<bool>) {
    for turn in 0.. {
        if *over.borrow_and_update() {
            return;
        }
        let name = format!("row {number} {turn}");
        if put(&db, &name).await.is_ok() {
            told.lock().expect("nobody panics").push((name, Instant::now()));
        } else {
            tokio::task::yield_now().await;
        }
    }
}

type Told = Arc<Mutex<Vec<(String, Instant)>>>;

async fn until(told: &Told, is_enough: impl Fn(&[(String, Instant)]) -> bool) {
    let waited = tokio::time::timeout(PATIENCE, async {
        while !is_enough(&told.lock().expect("nobody panics")) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    });
    waited.await.expect("writes go on");
}

#[test]
fn when_a_standby_is_promoted_writes_go_on_there_within_seconds_and_nothing_acknowledged_is_lost() {
    lose_the_primary(|machines| machines.crash("one"), |machines| machines.start_again("one"));
}

#[test]
fn when_the_primary_hangs_and_a_standby_is_promoted_writes_go_on_there_within_seconds_and_nothing_acknowledged_is_lost()
{
    lose_the_primary(|machines| machines.freeze("one"), |machines| machines.thaw("one"));
}

fn lose_the_primary(lose: fn(&PostgresMachines), have_back: fn(&PostgresMachines)) {
    run_machines_test(async |machines| {
        machines.add_standby("two", "one");
        machines.make_synchronous("one", "two");
        let both = OpenOptions::new(machines.url(&["two", "one"]), Missing::Refuse, 9);
        let standby_alone = OpenOptions::new(
            DatabaseUrl::parse(&format!("{}&target_session_attrs=read-write", machines.address(&["two"])))
                .expect("an address"),
            Missing::Refuse,
            1,
        );
        assert!(refusal(&standby_alone).await.contains("it is a standby"));
        let db = migrated(&both).await;
        assert!(db.server().is_some_and(|server| server.contains("one.socket")), "{:?}", db.server());
        let (told, (stop, over)) = (Told::default(), watch::channel(false));
        let writers = (0..6).map(|number| tokio::spawn(write_on(db.clone(), number, Arc::clone(&told), over.clone())));
        let writers = writers.collect::<Vec<_>>();
        until(&told, |told| told.len() > 60).await;
        lose(&machines);
        let lost_at = Instant::now();
        machines.promote("two");
        let promoted_at = Instant::now();
        until(&told, |told| told.iter().filter(|(_, at)| *at > promoted_at).count() > 60).await;
        let first = told.lock().expect("nobody panics").iter().map(|(_, at)| *at).find(|at| *at > lost_at);
        let went_on = first.expect("there are some").saturating_duration_since(promoted_at);
        println!("writes went on {went_on:?} after the promotion");
        // A busy machine gets more than is promised.
        assert!(went_on < Duration::from_secs(15), "{went_on:?}");
        // The old one is back, and takes writes too. Whoever was promoted last is the primary.
        have_back(&machines);
        let again = Db::open(&both, Clock::system()).await.expect("it opens");
        let servers = db.servers().await;
        assert!(servers.iter().all(|server| matches!(server.is_standby, Ok(false))), "{servers:?}");
        for db in [&db, &again] {
            assert!(db.server().is_some_and(|server| server.contains("two.socket")), "{:?}", db.server());
        }
        stop.send(true).expect("somebody writes");
        join_all(writers).await;
        let kept = again.read(NAMES).scalars::<String>().await.expect("they are read");
        let kept = kept.into_iter().collect::<BTreeSet<_>>();
        let told = told.lock().expect("nobody panics");
        let lost = told.iter().filter(|(name, _)| !kept.contains(name)).collect::<Vec<_>>();
        assert!(lost.is_empty(), "acknowledged and lost: {lost:?}");
    });
}

/// Where a list is answered, and how many rows of a name it has.
async fn list(db: &Db, name: &str) -> (bool, i64) {
    let lists = ListDb::new(db);
    let count = lists.read(COUNT).bind(name).scalar::<i64>().await.expect("it is counted");
    (lists.read(IS_STANDBY).scalar::<bool>().await.expect("it tells"), count)
}

#[test]
fn lists_are_read_from_a_standby_and_are_never_older_than_what_somebody_was_told() {
    run_machines_test(async |machines| {
        machines.add_standby("two", "one");
        let direct = OpenOptions::new(machines.url(&["one"]), Missing::Refuse, 6);
        let options = OpenOptions { read_url: Some(machines.url(&["two"])), ..direct.clone() };
        let db = migrated(&options).await;
        let writing = Db::open(&direct, Clock::system()).await.expect("it opens");
        let (mut from_standby, mut turn) = (0, 0);
        // One that was behind once is left alone for a second.
        while turn < 40 || from_standby == 0 {
            let name = format!("row {turn}");
            put(if turn % 2 == 0 { &db } else { &writing }, &name).await.expect("it is written");
            let (is_standby, count) = list(&db, &name).await;
            assert_eq!(count, 1, "row {turn} is missing; read from the standby: {is_standby}");
            from_standby += i32::from(is_standby);
            turn += 1;
            assert!(turn < 10_000, "the standby has never answered");
        }
        let facts = db.replica_facts().await.expect("there is one").expect("it answers");
        assert!(facts.is_ours && facts.behind.is_some(), "{facts:?}");
        // What decides or is answered otherwise is the primary's.
        assert!(!db.read(IS_STANDBY).scalar::<bool>().await.expect("it tells"));
        machines.administrate(
            "two",
            "DO $$ BEGIN PERFORM pg_wal_replay_pause();
             WHILE pg_get_wal_replay_pause_state() <> 'paused' LOOP PERFORM pg_sleep(0.02); END LOOP; END $$",
        );
        put(&db, "while it is behind").await.expect("it is written");
        assert_eq!(list(&db, "while it is behind").await, (false, 1));
        machines.administrate("two", "SELECT pg_wal_replay_resume()");
        machines.crash("two");
        put(&db, "while it is away").await.expect("it is written");
        assert_eq!(list(&db, "while it is away").await, (false, 1));
        // A standby of somebody else's database would have other orders.
        let foreign = TestDatabase::new(Backend::Postgres).await;
        let options = OpenOptions { read_url: Some(foreign.url()), ..direct };
        let db = Db::open(&options, Clock::system()).await.expect("it opens");
        assert_eq!(list(&db, "row 1").await, (false, 1));
        assert!(db.replica_facts().await.expect("there is one").is_ok_and(|facts| !facts.is_ours));
    });
}
