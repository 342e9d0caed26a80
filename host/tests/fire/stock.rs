//! Ten units, and many who want one.

use std::sync::Arc;

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::orders::{OrderPlacing, OrderPreflight};
use stoa_core::prelude::*;
use stoa_core::testing::{TestShop, both_databases};
use tokio::sync::Barrier;

use crate::shelf::{assert_adds_up, builder, buyer, fill, place, product_id, stock};

texts! { en: "stock-sold-out = It is sold out.", de: "stock-sold-out = Es ist ausverkauft.", nl: "stock-sold-out = Het is uitverkocht." }

const BUYERS: usize = 64;
const UNITS: i64 = 10;

/// As many as look at once before anybody takes.
const LOOKING: usize = 16;

const MAKE: Sql = sql!("CREATE TABLE shelf_units (slug TEXT NOT NULL PRIMARY KEY, units BIGINT NOT NULL)");
const STOCK: Sql = sql!("INSERT INTO shelf_units (slug, units) VALUES ($1, $2)");
const LEFT: Sql = sql!("SELECT units FROM shelf_units WHERE slug = $1");
const TAKE_IF_LEFT: Sql = sql!("UPDATE shelf_units SET units = units - 1 WHERE slug = $1 AND units > 0");
const TAKE: Sql = sql!("UPDATE shelf_units SET units = units - 1 WHERE slug = $1");
const WRITE_DOWN: Sql = sql!("UPDATE shelf_units SET units = $2 WHERE slug = $1");
const COUNT_ORDERS: Sql = sql!("SELECT COUNT(*) FROM orders");

/// A module that gives out units: those of `reserved` as it should be done, those of `looked-up` and `rewritten` carelessly.
struct Office;

impl Module for Office {
    const NAME: &'static str = "office";
    type Config = ();

    fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.on_preflight::<OrderPreflight>("office.look", Look(Arc::new(Barrier::new(LOOKING))));
        cx.on_transaction::<OrderPlacing>("office.reserve", Reserve);
        Ok(())
    }
}

fn sold_out() -> Veto {
    let message = text!("stock-sold-out");
    Veto { field: String::from("items"), message, reason: Some("sold_out") }
}

/// Looks before the transaction whether anything is left.
struct Look(Arc<Barrier>);

impl Preflight<OrderPreflight> for Look {
    async fn preflight(&self, event: &mut OrderPreflight, db: &Db) -> Result<(), ListenerError> {
        if event.lines.iter().any(|line| line.slug == "looked-up") {
            let left = db.read(LEFT).bind("looked-up").scalar::<i64>().await?;
            self.0.wait().await;
            if left <= 0 {
                event.checks.push(sold_out());
            }
        }
        Ok(())
    }
}

/// Takes a unit inside the transaction.
struct Reserve;

impl InTransaction<OrderPlacing> for Reserve {
    async fn in_transaction(&self, event: &OrderPlacing, tx: &mut Tx) -> Result<(), ListenerError> {
        for line in &event.lines {
            let slug = line.slug.as_str();
            match slug {
                "reserved" if tx.run(TAKE_IF_LEFT).bind(slug).execute().await? == 0 => return Err(sold_out().into()),
                "looked-up" => {
                    tx.run(TAKE).bind(slug).execute().await?;
                }
                "rewritten" => {
                    let left = tx.run(LEFT).bind(slug).scalar::<i64>().await?;
                    if left <= 0 {
                        return Err(sold_out().into());
                    }
                    // What else a listener has to do there.
                    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
                    tx.run(WRITE_DOWN).bind(slug).bind(left - 1).execute().await?;
                }
                _ => (),
            }
        }
        Ok(())
    }
}

/// Everybody wants one of these at once, at two instances; gives how many got one.
async fn rush(shop: &TestShop, other: &TestShop, slug: &str) -> usize {
    let stocked = shop.parts.db.write(async |tx| -> Result<(), DbError> {
        tx.run(MAKE).execute().await?;
        tx.run(STOCK).bind(slug).bind(UNITS).execute().await?;
        Ok(())
    });
    stocked.await.expect("the shelf is stocked");
    let product_id = product_id(&shop.parts.db, slug).await;
    let mut buyers = Vec::new();
    for number in 0..BUYERS {
        let client = buyer(if number % 2 == 0 { shop } else { other }).await;
        fill(&client, product_id).await;
        buyers.push(client);
    }
    let buying = buyers.into_iter().map(|client| tokio::spawn(async move { place(&client).await }));
    let mut placed = 0;
    for answer in buying.collect::<Vec<_>>() {
        let answer = answer.await.expect("it ends");
        if answer.status.as_u16() == 201 {
            placed += 1;
        } else {
            let refused = answer.expect_error(422, "invalid_state").json();
            assert_eq!(refused["reason"], json!("sold_out"), "{refused}");
        }
    }
    let orders = shop.parts.db.read(COUNT_ORDERS).scalar::<i64>().await.expect("they are counted");
    assert_eq!(usize::try_from(orders).expect("few"), placed, "who was refused has no order");
    placed
}

async fn shops(backend: Backend) -> (TestShop, TestShop) {
    let shop = builder::<Office>(backend).open().await;
    let other = builder::<Office>(backend).on(shop.database()).seed(2).open().await;
    stock(&shop, &["reserved", "looked-up", "rewritten"]).await;
    other.refresh_catalog().await;
    (shop, other)
}

async fn left(shop: &TestShop, slug: &str) -> i64 {
    shop.parts.db.read(LEFT).bind(slug).scalar().await.expect("it is read")
}

both_databases!(of_ten_units_ten_are_sold_to_64_who_want_one);
async fn of_ten_units_ten_are_sold_to_64_who_want_one(backend: Backend) {
    let (shop, other) = shops(backend).await;
    assert_eq!(rush(&shop, &other, "reserved").await, 10);
    assert_eq!(left(&shop, "reserved").await, 0);
    assert_adds_up(&shop.parts.db).await;
}

// A control: the same rush oversells what is only looked at before the transaction. The buyers of an instance look in groups.
both_databases!(what_is_looked_at_before_the_transaction_is_oversold);
async fn what_is_looked_at_before_the_transaction_is_oversold(backend: Backend) {
    let (shop, other) = shops(backend).await;
    let placed = rush(&shop, &other, "looked-up").await;
    assert!(placed >= LOOKING, "{placed}");
    assert!(left(&shop, "looked-up").await < 0);
    assert_adds_up(&shop.parts.db).await;
}

// Another: what is read and then written without a condition or lock is oversold where transactions overlap. SQLite has one
// writer at a time.
both_databases!(what_is_read_and_then_written_is_oversold_where_transactions_overlap);
async fn what_is_read_and_then_written_is_oversold_where_transactions_overlap(backend: Backend) {
    let (shop, other) = shops(backend).await;
    let placed = rush(&shop, &other, "rewritten").await;
    match backend {
        Backend::Sqlite => assert_eq!(placed, 10),
        Backend::Postgres => assert!(placed > 10, "{placed}"),
    }
    assert_adds_up(&shop.parts.db).await;
}
