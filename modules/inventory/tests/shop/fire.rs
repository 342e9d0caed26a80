//! Many who want what there is little of, all at once.

use std::sync::Arc;

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::orders::OrderPlacing;
use stoa_core::prelude::*;
use stoa_core::testing::{TestClient, TestShop, both_databases};

use crate::kit::{assert_clean, builder, buyer, cancel, counted, expect_short, fill, id, pay, place, product, stock};

/// Rounds, and buyers of each.
const ROUNDS: usize = 20;
const BUYERS: usize = 25;

/// Carts that are ready to be placed, at two instances by turns.
async fn buyers(shop: &TestShop, other: &TestShop, slug: &str, count: usize) -> Vec<TestClient> {
    let mut clients = Vec::new();
    for number in 0..count {
        let client = buyer(if number % 2 == 0 { shop } else { other }).await;
        fill(shop, &client, slug, 1, &json!({})).await;
        clients.push(client);
    }
    clients
}

/// Everybody places at once; returns how many got something. Whoever did not was told why.
async fn rush(clients: Vec<TestClient>, product: &str) -> usize {
    let placing = clients.into_iter().map(|client| tokio::spawn(async move { place(&client).await }));
    let mut placed = 0;
    for answer in placing.collect::<Vec<_>>() {
        let answer = answer.await.expect("it ends");
        if answer.status == 201 {
            placed += 1;
        } else {
            expect_short(answer, product);
        }
    }
    placed
}

async fn two(backend: Backend) -> (TestShop, TestShop) {
    let shop = builder(backend).open().await;
    shop.stock(&[counted("mug", 0), counted("cup", 3), counted("jug", 2)]).await;
    let other = builder(backend).on(shop.database()).clock(&shop.clock).seed(2).open().await;
    (shop, other)
}

// Each round a few pieces come, and many more want one of them.
both_databases!(five_hundred_buyers_get_fifty_pieces_exactly);
async fn five_hundred_buyers_get_fifty_pieces_exactly(backend: Backend) {
    let (shop, other) = two(backend).await;
    let mut placed = 0;
    for round in 0..ROUNDS {
        let pieces = 2 + round % 2;
        let delivered = ["inventory", "adjust", "mug", &pieces.to_string(), "--reason", "delivery"];
        shop.command(&delivered).await.expect_success();
        let got = rush(buyers(&shop, &other, "mug", BUYERS).await, "MUG").await;
        assert_eq!(got, pieces, "round {round}: neither too many nor a false refusal");
        placed += got;
    }
    assert_eq!(placed, 50);
    assert_eq!(stock(&shop, "mug").await, (50, 50, 0));
    assert_clean(&shop).await;
}

// All at once: some are refused before their transaction, others inside of it.
both_databases!(a_hundred_buyers_at_once_get_fifty_pieces_exactly);
async fn a_hundred_buyers_at_once_get_fifty_pieces_exactly(backend: Backend) {
    let (shop, other) = two(backend).await;
    shop.command(&["inventory", "set", "mug", "50"]).await.expect_success();
    assert_eq!(rush(buyers(&shop, &other, "mug", 100).await, "MUG").await, 50);
    assert_eq!(stock(&shop, "mug").await, (50, 50, 0));
    assert_clean(&shop).await;
}

// Orders with the same things in another order: nobody waits for anybody for ever, and all or nothing is taken.
both_databases!(orders_of_several_things_are_taken_whole);
async fn orders_of_several_things_are_taken_whole(backend: Backend) {
    let (shop, other) = two(backend).await;
    let mut clients = Vec::new();
    for number in 0..16 {
        let client = buyer(if number % 2 == 0 { &shop } else { &other }).await;
        let slugs = if number % 2 == 0 { ["cup", "jug"] } else { ["jug", "cup"] };
        for slug in slugs {
            fill(&shop, &client, slug, 1, &json!({})).await;
        }
        clients.push(client);
    }
    let placing = clients.into_iter().map(|client| tokio::spawn(async move { place(&client).await.status.as_u16() }));
    let mut statuses = Vec::new();
    for answer in placing.collect::<Vec<_>>() {
        statuses.push(answer.await.expect("it ends"));
    }
    statuses.sort_unstable();
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 2, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|status| **status == 422).count(), 14, "{statuses:?}");
    assert_eq!((stock(&shop, "cup").await, stock(&shop, "jug").await), ((3, 2, 1), (2, 2, 0)));
    assert_clean(&shop).await;
}

// Pieces that are given back while others want them are sold again, each once.
both_databases!(what_is_given_back_in_the_rush_is_sold_once);
async fn what_is_given_back_in_the_rush_is_sold_once(backend: Backend) {
    let (shop, other) = two(backend).await;
    let held = {
        let ada = buyer(&shop).await;
        fill(&shop, &ada, "cup", 3, &json!({})).await;
        place(&ada).await.expect_status(201).json()["data"].clone()
    };
    let clients = buyers(&shop, &other, "cup", 12).await;
    let (got, cancelled) = tokio::join!(rush(clients, "CUP"), cancel(&shop, &held));
    cancelled.expect("it is cancelled");
    let rest = rush(buyers(&shop, &other, "cup", 6).await, "CUP").await;
    assert_eq!(got + rest, 3);
    assert_eq!(stock(&shop, "cup").await, (3, 3, 0));
    shop.run_jobs().await;
    assert_clean(&shop).await;
}

both_databases!(paid_cancelled_and_delivered_at_once_adds_up);
async fn paid_cancelled_and_delivered_at_once_adds_up(backend: Backend) {
    let shop = builder(backend).open().await;
    let settings = json!({"capabilities": [], "modules": {"inventory": {"quantity": 60}}});
    shop.stock(&[product("voucher", &settings)]).await;
    let other = builder(backend).on(shop.database()).clock(&shop.clock).seed(2).open().await;
    let mut sold = 0;
    for number in 0..10 {
        let placed = crate::kit::order(&shop, "voucher", 3).await;
        if number % 2 == 0 {
            pay(&shop, &placed).await;
            sold += 3;
        }
        let event = stoa_core::orders::OrderPaid {
            order_id: id(&placed),
            order_number: String::from("x"),
            customer_id: 1,
            status: stoa_core::orders::OrderStatus::Paid,
            total_amount: 4500,
            currency: String::from("EUR"),
            capabilities: None,
        };
        // The event comes ten times, and to two workers at once; to an order that is not paid it means nothing.
        for _ in 0..10 {
            shop.parts.db.write(async |tx| tx.emit(&event).await).await.expect("it is written");
        }
        let ((), (), cancelled) = tokio::join!(shop.run_jobs(), other.run_jobs(), cancel(&shop, &placed));
        assert_eq!(cancelled.is_ok(), number % 2 == 1, "{cancelled:?}");
    }
    tokio::join!(shop.run_jobs(), other.run_jobs());
    assert_eq!(stock(&shop, "voucher").await, (60 - sold, 0, 60 - sold));
    assert_clean(&shop).await;
}

const LEFT: Sql = sql!("SELECT on_hand - reserved FROM inventory_stock WHERE sku = $1");
const TAKE: Sql = sql!("UPDATE inventory_stock SET reserved = reserved + 1 WHERE sku = $1");

/// Sells as it should not be done: looks, and takes when it was there.
struct Careless(Arc<tokio::sync::Barrier>);

struct CarelessModule;

impl Module for CarelessModule {
    const NAME: &'static str = "careless";
    type Config = ();

    fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.on_preflight::<stoa_core::orders::OrderPreflight>(
            "careless.look",
            Careless(Arc::new(tokio::sync::Barrier::new(BUYERS))),
        );
        cx.on_transaction::<OrderPlacing>("careless.take", CarelessModule);
        Ok(())
    }
}

impl Preflight<stoa_core::orders::OrderPreflight> for Careless {
    async fn preflight(&self, event: &mut stoa_core::orders::OrderPreflight, db: &Db) -> Result<(), ListenerError> {
        let left = db.read(LEFT).bind("cup").scalar::<i64>().await?;
        self.0.wait().await;
        if left < event.lines[0].quantity {
            return Err(ListenerError::Failed(String::from("sold out")));
        }
        Ok(())
    }
}

impl InTransaction<OrderPlacing> for CarelessModule {
    async fn in_transaction(&self, _: &OrderPlacing, tx: &mut Tx) -> Result<(), ListenerError> {
        tx.run(TAKE).bind("cup").execute().await?;
        Ok(())
    }
}

// The control: the same rush oversells where somebody looks first and takes later.
both_databases!(who_looks_first_and_takes_later_oversells);
async fn who_looks_first_and_takes_later_oversells(backend: Backend) {
    let (shop, _) = two(backend).await;
    let careless = TestShop::builder(backend)
        .module::<CarelessModule>()
        .config(
            "[limits]\nprotected = { requests = 0, per_seconds = 60 }\ncheckout = { requests = 0, per_seconds = 60 }",
        )
        .on(shop.database())
        .seed(3)
        .open()
        .await;
    let clients = buyers(&careless, &careless, "cup", BUYERS).await;
    let placing = clients.into_iter().map(|client| tokio::spawn(async move { place(&client).await.status }));
    let mut placed = 0;
    for answer in placing.collect::<Vec<_>>() {
        placed += usize::from(answer.await.expect("it ends") == 201);
    }
    assert_eq!(placed, BUYERS, "of 3 pieces");
    assert!(stock(&shop, "cup").await.2 < 0);
    assert!(!shop.breaches().await.is_empty(), "and it is found");
}
