//! Adding to a cart, and whole orders: by 1, 8 and 32 customers at once, on both databases, with the database's own rate
//! of durable commits and the same order without HTTP beside it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::try_join_all;
use stoa_core::clock::Clock;
use stoa_core::db::{Backend, DbError, Sql};
use stoa_core::sql;
use stoa_core::testing::{TestClient, TestDatabase, TestShop};
use tokio::runtime::{Builder, Runtime};

use crate::Outcome;
use crate::customers::{ADD, CATALOG, CHECKOUT, CustomerShop, name_of};
use crate::options::Options;
use crate::process::{Cores, Running};
use crate::purchases::{Basket, Bought, Deed, one_round};
use crate::report::{Report, Row, milliseconds};

/// How many buy at once.
const CUSTOMERS: [usize; 3] = [1, 8, 32];

/// Orders a second with the most customers.
const SQLITE_RATE: f64 = 1_500.0;
const POSTGRES_RATE: f64 = 500.0;

/// Longest time that 99 of 100 orders may take, all three requests together.
const LIMIT: Duration = Duration::from_millis(100);

const MAKE: Sql = sql!(
    sqlite: "CREATE TABLE measured (id INTEGER PRIMARY KEY, text TEXT NOT NULL)",
    postgres: "CREATE TABLE measured (id BIGINT GENERATED ALWAYS AS IDENTITY, text TEXT NOT NULL)",
);
const INSERT: Sql = sql!("INSERT INTO measured (text) VALUES ($1)");

/// Measures both databases.
pub(crate) fn measure(options: &Options, cores: &Cores, report: &mut Report) -> Outcome<()> {
    for backend in [Backend::Sqlite, Backend::Postgres] {
        let name = name_of(backend);
        eprintln!("buying on {name}");
        let most = CUSTOMERS.iter().copied().max().unwrap_or(1);
        let shop = CustomerShop::prepare("buying", backend, most, CATALOG, options, cores)?;
        let (server, address) = shop.serve(cores)?;
        for deed in [Deed::Add, Deed::Order] {
            for customers in CUSTOMERS {
                let bought = over_http(address, &server, &shop.tokens[..customers], deed, options)?;
                report.add(row(backend, deed, customers, &bought));
            }
        }
        drop(server);
        let runtime = Builder::new_current_thread().enable_all().build()?;
        for customers in CUSTOMERS {
            let commits = runtime.block_on(commits(&shop, customers, options.duration()))?;
            let row = Row::without_products(format!("one-row commits, {customers} at once, {name}"));
            report.add(row.measured(format!("{commits:.0}/s")));
        }
        for customers in CUSTOMERS {
            let rate = without_http(&runtime, backend, &shop, customers, options.duration())?;
            let row = Row::without_products(format!("the same order without HTTP, {customers} at once, {name}"));
            report.add(row.measured(format!("{rate:.0}/s")));
        }
    }
    Ok(())
}

fn row(backend: Backend, deed: Deed, customers: usize, bought: &Bought) -> Row {
    let what = match deed {
        Deed::Add => "add to cart",
        Deed::Order => "whole orders",
    };
    let text = format!(
        "{:.0}/s, p50 {}, p99 {}, max {}; server {:.0} % of its core",
        bought.rate,
        milliseconds(bought.latencies.per_mille(500)),
        milliseconds(bought.latencies.per_mille(990)),
        milliseconds(bought.latencies.per_mille(1000)),
        bought.server * 100.0,
    );
    let row = Row::without_products(format!("{what}, {customers} at once, {}", name_of(backend))).measured(text);
    let least = match backend {
        Backend::Sqlite => SQLITE_RATE,
        Backend::Postgres => POSTGRES_RATE,
    };
    match (deed, Some(customers) == CUSTOMERS.iter().copied().max()) {
        (Deed::Order, true) => {
            let met = bought.rate >= least && bought.latencies.per_mille(990) < LIMIT;
            row.target(format!("≥ {least:.0}/s, p99 < 100 ms"), met)
        }
        _ => row,
    }
}

/// Loads a server; the median round by its rate.
fn over_http(
    address: SocketAddr,
    server: &Running,
    tokens: &[String],
    deed: Deed,
    options: &Options,
) -> Outcome<Bought> {
    let adds = [ADD.to_owned()];
    let basket = Basket { adds: &adds, checkout: CHECKOUT };
    let mut rounds = Vec::new();
    for round in 0..=options.rounds {
        let bought = one_round(address, server, tokens, deed, basket, options.duration())?;
        if round > 0 {
            rounds.push(bought);
        }
    }
    rounds.sort_by(|one, other| one.rate.total_cmp(&other.rate));
    Ok(rounds.swap_remove(rounds.len() / 2))
}

/// Durable commits of one row, by so many at once.
async fn commits(shop: &CustomerShop, writers: usize, duration: Duration) -> Outcome<f64> {
    let db = shop.open(10).await?;
    // There already when the last number of writers was measured.
    let _ = db.write(async |tx| -> Result<(), DbError> { tx.run(MAKE).execute().await.map(drop) }).await;
    let started = Instant::now();
    let all = (0..writers).map(|_| async {
        let mut written = 0_u32;
        while started.elapsed() < duration {
            let insert = async |tx: &mut stoa_core::db::Tx| -> Result<(), DbError> {
                tx.run(INSERT).bind("what is written is a row of a few dozen bytes").execute().await.map(drop)
            };
            db.write(insert).await?;
            written += 1;
        }
        Ok::<_, DbError>(written)
    });
    let written = try_join_all(all).await?.iter().sum::<u32>();
    let rate = f64::from(written) / started.elapsed().as_secs_f64();
    db.close().await;
    Ok(rate)
}

/// The same requests, given to the shop in this process without a connection between them.
fn without_http(
    runtime: &Runtime,
    backend: Backend,
    shop: &CustomerShop,
    customers: usize,
    duration: Duration,
) -> Outcome<f64> {
    runtime.block_on(async {
        let database = TestDatabase::at(shop.url.clone());
        let config = "[limits]\nprotected = { requests = 0, per_seconds = 60 }\n\
                      checkout = { requests = 0, per_seconds = 60 }\ncatalog = { requests = 0, per_seconds = 60 }\n";
        let builder = TestShop::builder(backend).on(&database).clock(&Clock::system()).config(config);
        let inside = builder.open().await;
        let clients = shop.tokens[..customers].iter().map(|token| inside.client().bearer(token));
        let clients = clients.collect::<Arc<[_]>>();
        let start = Instant::now();
        let placed = try_join_all(clients.iter().map(|client| places(client, start + duration))).await?;
        Ok(f64::from(placed.iter().sum::<u32>()) / start.elapsed().as_secs_f64())
    })
}

async fn places(client: &TestClient, deadline: Instant) -> Outcome<u32> {
    let (add, checkout) = (serde_json::from_str(ADD)?, serde_json::from_str(CHECKOUT)?);
    let mut placed = 0;
    while Instant::now() < deadline {
        client.post("/cart", &add).await.expect_status(200);
        client.get("/checkout/requirements").await.expect_status(200);
        client.post("/checkout", &checkout).await.expect_status(201);
        placed += 1;
    }
    Ok(placed)
}
