//! Orders and cancellations at once, while listeners fail and panic everywhere: numbers have no gap, and nobody is forgotten.

use chrono::TimeDelta;
use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::orders::{CancelReason, OrderCreated, OrderPlacing, OrderPreflight, cancel_order};
use stoa_core::payments::Payments;
use stoa_core::prelude::*;
use stoa_core::testing::{TestClient, both_databases};

use crate::shelf::{assert_adds_up, builder, buyer, fill, full, place, product_id, stock};

const CUSTOMERS: usize = 6;

const MAKE_HEARD: Sql = sql!("CREATE TABLE storm_heard (order_id BIGINT NOT NULL PRIMARY KEY, times BIGINT NOT NULL)");
const MAKE_TAKEN: Sql = sql!("CREATE TABLE storm_taken (number BIGINT NOT NULL PRIMARY KEY)");
const HEAR: Sql = sql!(
    "INSERT INTO storm_heard (order_id, times) VALUES ($1, 1)
     ON CONFLICT (order_id) DO UPDATE SET times = storm_heard.times + 1
     RETURNING times"
);
const TAKE: Sql = sql!("INSERT INTO storm_taken (number) SELECT COALESCE(MAX(number), 0) + 1 FROM storm_taken");
const COUNT_TAKEN: Sql = sql!("SELECT COUNT(*) FROM storm_taken");
const WAITING: Sql = sql!("SELECT COUNT(*), COUNT(last_error) FROM tasks WHERE lane = 'events' AND state = 'pending'");
const UNDELIVERED: Sql = sql!("SELECT COUNT(*) FROM tasks WHERE lane = 'events'");
const HEARD: Sql = sql!(
    "SELECT (SELECT COUNT(*) FROM storm_heard), (SELECT COUNT(*) FROM storm_heard WHERE times = 2),
            (SELECT COUNT(*) FROM orders WHERE id NOT IN (SELECT order_id FROM storm_heard))"
);
const SEQUENCES: Sql = sql!("SELECT sequence FROM invoices ORDER BY sequence");

/// The module whose listeners fail.
struct Storm;

impl Module for Storm {
    const NAME: &'static str = "storm";
    type Config = ();

    fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.on_preflight::<OrderPreflight>("storm.take", Storm);
        cx.on_transaction::<OrderPlacing>("storm.placing", Storm);
        cx.on_committed::<OrderCreated>("storm.created", Storm);
        Ok(())
    }
}

/// Takes a number before the transaction, which is what the control looks at.
impl Preflight<OrderPreflight> for Storm {
    async fn preflight(&self, _: &mut OrderPreflight, db: &Db) -> Result<(), ListenerError> {
        // Two who take at once may meet on PostgreSQL; then one of them goes without.
        let _: Result<u64, DbError> = db.write(async |tx| tx.run(TAKE).execute().await).await;
        Ok(())
    }
}

impl InTransaction<OrderPlacing> for Storm {
    async fn in_transaction(&self, event: &OrderPlacing, _: &mut Tx) -> Result<(), ListenerError> {
        match event.lines[0].slug.as_str() {
            "failing" => Err(ListenerError::Failed(String::from("there is a storm"))),
            "panicking" => panic!("there is a storm"),
            _ => Ok(()),
        }
    }
}

/// Hears of each order; of two thirds only at the second time.
impl AfterCommit<OrderCreated> for Storm {
    type Uses = Db;

    async fn after_commit(&self, event: &OrderCreated, db: &Db) -> Result<(), ListenerError> {
        let heard = db.write(async |tx| tx.run(HEAR).bind(event.order_id).scalar::<i64>().await);
        match (heard.await?, event.order_id % 3) {
            (1, 1) => Err(ListenerError::Failed(String::from("there is a storm"))),
            (1, 2) => panic!("there is a storm"),
            _ => Ok(()),
        }
    }
}

/// What a customer did.
#[derive(Debug, Default)]
struct Done {
    placed: Vec<i64>,
    failed: usize,
}

/// Places orders one after the other: some fail inside of their transaction, some are cancelled.
async fn customer_at_work(payments: Payments, client: TestClient, products: [i64; 3], orders: usize) -> Done {
    let mut done = Done::default();
    for number in 0..orders {
        let product = products[if number % 3 == 2 { 1 + number % 2 } else { 0 }];
        fill(&client, product).await;
        let answer = place(&client).await;
        if product == products[0] {
            let order_id = answer.expect_status(201).json()["data"]["id"].as_i64().expect("an id");
            if number % 5 == 0 {
                cancel_order(&payments, order_id, CancelReason::Operator).await.expect("it is not paid");
            }
            done.placed.push(order_id);
        } else {
            answer.expect_status(500);
            empty(&client).await;
            done.failed += 1;
        }
    }
    done
}

async fn empty(client: &TestClient) {
    let cart = client.get("/cart").await.expect_status(200).json();
    let lines: Vec<Value> = cart["data"]["lines"].as_array().expect("a list").clone();
    assert_eq!(lines.len(), 1, "the cart is as it was");
    let key = lines[0]["line_key"].as_str().expect("a key");
    client.patch(&format!("/cart/{key}"), &json!({"quantity": 0})).await.expect_status(200);
}

both_databases!(numbers_have_no_gap_and_every_event_is_heard_in_a_storm);
async fn numbers_have_no_gap_and_every_event_is_heard_in_a_storm(backend: Backend) {
    let orders = if full() { 500 } else { 60 };
    let shop = builder::<Storm>(backend).open().await;
    let other = builder::<Storm>(backend).on(shop.database()).clock(&shop.clock).seed(2).open().await;
    stock(&shop, &["book", "failing", "panicking"]).await;
    other.refresh_catalog().await;
    for sql in [MAKE_HEARD, MAKE_TAKEN] {
        shop.parts.db.write(async |tx| tx.run(sql).execute().await).await.expect("the table is made");
    }
    let db = &shop.parts.db;
    let products = [product_id(db, "book").await, product_id(db, "failing").await, product_id(db, "panicking").await];
    let mut running = Vec::new();
    for number in 0..CUSTOMERS {
        let shop = if number % 2 == 0 { &shop } else { &other };
        let client = buyer(shop).await;
        let work = customer_at_work(shop.uses::<Payments>(), client, products, orders / CUSTOMERS);
        running.push(tokio::spawn(work));
    }
    let (mut placed, mut failed) = (Vec::new(), 0);
    for customer in running {
        let done = customer.await.expect("the customer is served");
        placed.extend(done.placed);
        failed += done.failed;
        // Both deliver while others still buy.
        tokio::join!(shop.run_jobs(), other.run_jobs());
    }
    let sequences = db.read(SEQUENCES).scalars::<i64>().await.expect("they are read");
    let expected = (1..=i64::try_from(placed.len()).expect("few")).collect::<Vec<_>>();
    assert_eq!(sequences, expected);
    // The control: orders failed, and numbers that were taken outside of the transaction are lost with them.
    let taken = db.read(COUNT_TAKEN).scalar::<i64>().await.expect("they are counted");
    assert!(failed > 0 && taken > expected.len().try_into().expect("few"), "{failed} {taken}");
    // Another: two thirds have failed once, and wait.
    shop.run_jobs().await;
    let again = placed.iter().filter(|id| *id % 3 != 0).count().try_into().expect("few");
    let waiting = db.read(WAITING).one::<(i64, i64)>().await.expect("they are counted");
    assert_eq!(waiting, (again, again));
    shop.advance(TimeDelta::minutes(2));
    tokio::join!(shop.run_jobs(), other.run_jobs());
    assert_eq!(db.read(UNDELIVERED).scalar::<i64>().await.expect("they are counted"), 0);
    let heard = db.read(HEARD).one::<(i64, i64, i64)>().await.expect("they are counted");
    assert_eq!(heard, (expected.len().try_into().expect("few"), again, 0));
    assert_adds_up(db).await;
}
