//! Many orders at once, of which some fail and some are cancelled: numbers have no gap.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use stoa_core::clock::Clock;
use stoa_core::db::{Backend, Db, DbError, Sql, Tx};
use stoa_core::invoices::verify_documents;
use stoa_core::orders::{CancelReason, cancel_order};
use stoa_core::payments::Payments;
use stoa_core::sql;
use stoa_core::testing::both_databases;

use crate::shelf::{Buyer, TAXES, builder, buyer, id, product_id, shop, stocked};

const SEQUENCES: Sql = sql!("SELECT sequence FROM invoices ORDER BY sequence");
const STATUSES: Sql = sql!("SELECT status, COUNT(*) FROM invoices GROUP BY status ORDER BY status");

/// Orders of one test; enough for every step to meet every other. More of them with `STOA_FIRE=full`.
#[expect(clippy::disallowed_methods, reason = "how thoroughly to test is said by whoever tests")]
pub(crate) fn orders() -> usize {
    if std::env::var("STOA_FIRE").is_ok_and(|how| how == "full") { 500 } else { 60 }
}

/// Ids of what is ordered.
#[derive(Debug, Clone, Copy)]
struct Products {
    book: i64,
    broken: i64,
}

/// Places orders one after the other: each third fails inside of its transaction, each fifth is cancelled.
async fn customer_at_work(payments: Payments, products: Products, buyer: Buyer, orders: usize) -> (usize, usize) {
    let (mut placed, mut cancelled) = (0, 0);
    for number in 0..orders {
        if number % 3 == 2 {
            buyer.try_to_place_ids(&[(products.broken, 1)], &Value::Null).await.expect_status(500);
            let line = json!({"quantity": 0});
            let cart = buyer.client.get("/cart").await.json();
            let key = cart["data"]["lines"][0]["line_key"].as_str().expect("the cart is as it was").to_owned();
            buyer.client.patch(&format!("/cart/{key}"), &line).await.expect_status(200);
            continue;
        }
        let order = buyer.try_to_place_ids(&[(products.book, 1)], &Value::Null).await.expect_status(201).json();
        let order = &order["data"];
        placed += 1;
        if number % 5 == 0 {
            cancel_order(&payments, id(order), CancelReason::Operator).await.expect("it is not paid");
            cancelled += 1;
        } else {
            buyer.pay(order).await;
        }
    }
    (placed, cancelled)
}

both_databases!(invoices_have_no_gap_whatever_fails);
async fn invoices_have_no_gap_whatever_fails(backend: Backend) {
    const CUSTOMERS: usize = 6;
    let one = shop(backend).await;
    let other = stocked(builder(backend).config(TAXES).on(one.database()).seed(2)).await;
    let products = Products { book: product_id(&one, "book").await, broken: product_id(&one, "broken").await };
    let mut running = Vec::new();
    for number in 0..CUSTOMERS {
        let shop = if number % 2 == 0 { &one } else { &other };
        let (payments, buyer) = (shop.uses::<Payments>(), buyer(shop).await);
        running.push(tokio::spawn(customer_at_work(payments, products, buyer, orders() / CUSTOMERS)));
    }
    let (mut placed, mut cancelled) = (0, 0);
    for customer in running {
        let (more, gone) = customer.await.expect("the customer is served");
        placed += more;
        cancelled += gone;
    }
    let sequences = one.parts.db.read(SEQUENCES).scalars::<i64>().await.expect("they are read");
    let expected = (1..=i64::try_from(placed).expect("few")).collect::<Vec<_>>();
    assert_eq!(sequences, expected);
    let statuses = one.parts.db.read(STATUSES).all::<(String, i64)>().await.expect("they are counted");
    let counted = |count: usize| i64::try_from(count).expect("few");
    assert_eq!(
        statuses,
        [(String::from("paid"), counted(placed - cancelled)), (String::from("void"), counted(cancelled))]
    );
    assert_eq!(verify_documents(&one.parts.db).await.expect("they are looked through"), []);
}

const MAKE_NAIVE: Sql = sql!("CREATE TABLE naive_numbers (id BIGINT NOT NULL, number BIGINT NOT NULL)");
const TAKE_NAIVE: Sql = sql!("SELECT CAST(COALESCE(MAX(number), 0) + 1 AS BIGINT) FROM naive_numbers");
const KEEP_NAIVE: Sql = sql!("INSERT INTO naive_numbers (id, number) VALUES ($1, $2)");
const NAIVE: Sql = sql!("SELECT number FROM naive_numbers ORDER BY number");

/// Numbers a row the way that must not be: one more than the highest, read before the rest of the work.
async fn take_naively(db: &Db, id: i64, fails: bool) -> Result<(), DbError> {
    let number = db.read(TAKE_NAIVE).scalar::<i64>().await?;
    tokio::task::yield_now().await;
    let kept = db.write(async |tx: &mut Tx| {
        tx.run(KEEP_NAIVE).bind(id).bind(number).execute().await?;
        if fails { Err(Failed) } else { Ok(()) }
    });
    let _ = kept.await;
    Ok(())
}

struct Failed;

impl From<DbError> for Failed {
    fn from(_: DbError) -> Self {
        Self
    }
}

// The control: the load of the test above finds what is wrong with another numbering.
both_databases!(one_more_than_the_highest_number_is_found_to_repeat_itself);
async fn one_more_than_the_highest_number_is_found_to_repeat_itself(backend: Backend) {
    let shop = shop(backend).await;
    let made = shop.parts.db.write(async |tx| tx.run(MAKE_NAIVE).execute().await);
    made.await.expect("the table is made");
    let other = shop.database().open(Clock::system()).await;
    let running = (0..60).map(|id| {
        let db = if id % 2 == 0 { shop.parts.db.clone() } else { other.clone() };
        tokio::spawn(async move { take_naively(&db, id, id % 3 == 2).await })
    });
    for taken in running.collect::<Vec<_>>() {
        taken.await.expect("it ends").expect("the database answers");
    }
    let numbers = shop.parts.db.read(NAIVE).scalars::<i64>().await.expect("they are read");
    assert_eq!(numbers.len(), 40);
    assert!(numbers.iter().collect::<BTreeSet<_>>().len() < numbers.len(), "{numbers:?}");
}
