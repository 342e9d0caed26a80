//! Checking in 10,000 tickets, by token and by scanned code, on a database of its own.
//!
//! `cargo bench -p stoa-commerce-event-tickets`; the contract asks for 2,000 tickets a second.

use std::time::Duration;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::from_shop::FromShop;
use stoa_core::payments::{Payments, record_payment};
use stoa_core::prelude::*;
use stoa_core::testing::TestShop;
use stoa_event_tickets::EventTickets;
use stoa_event_tickets::check_in::{CheckInResult, Door, check_in};
use tokio::runtime::Runtime;

const TICKETS: usize = 10_000;

/// The most units of one line.
const UNITS: usize = 99;

const LIMITS: &str =
    "[limits]\nprotected = { requests = 0, per_seconds = 60 }\ncheckout = { requests = 0, per_seconds = 60 }";

const CODES: Sql = sql!("SELECT token, qr FROM event_tickets_tickets ORDER BY id LIMIT 10000");
const FORGET: Sql = sql!("UPDATE event_tickets_tickets SET status = 'issued', checked_in_at = NULL");

async fn shop() -> TestShop {
    let shop = TestShop::builder(Backend::Sqlite).module::<EventTickets>().config(LIMITS).open().await;
    let settings = json!({"event": "Symposium", "starts_at": "2031-05-01T19:00:00Z", "capacity": 2 * TICKETS});
    let product = json!({"type": "product", "slug": "standing", "name": "Standing", "price_amount": 1000, "active": true,
                         "capabilities": ["event_ticket"], "modules": {"event_tickets": settings}});
    shop.stock(&[product]).await;
    let customer = shop.customer().await;
    let client = shop.client().token(&customer, &["*"]).await;
    let billing =
        json!({"name": "Ada", "line1": "Gracht 1", "city": "Amsterdam", "postal_code": "1015 AA", "country": "NL"});
    for _ in 0..=TICKETS / UNITS {
        client.post("/cart", &json!({"product_id": 1, "quantity": UNITS})).await.expect_status(200);
        let order = client.post("/checkout", &json!({"billing": billing})).await.expect_status(201).json();
        let id = order["data"]["id"].as_i64().expect("an id");
        record_payment(&Payments::from_shop(&shop.parts), id).await.expect("it is paid");
    }
    shop.run_jobs().await;
    shop
}

fn check_ins(criterion: &mut Criterion) {
    let runtime = Runtime::new().expect("a runtime starts");
    let shop = runtime.block_on(shop());
    let db = &shop.parts.db;
    let codes = runtime.block_on(db.read(CODES).all::<(String, String)>()).expect("there are tickets");
    assert_eq!(codes.len(), TICKETS);
    let forget = || {
        runtime.block_on(db.write(async |tx| tx.run(FORGET).execute().await)).expect("it is forgotten");
    };
    let mut group = criterion.benchmark_group("check_in");
    group.throughput(Throughput::Elements(TICKETS as u64)).sample_size(10).measurement_time(Duration::from_secs(20));
    for (name, shown) in [
        ("tokens", codes.iter().map(|(token, _)| token.as_str()).collect::<Vec<_>>()),
        ("codes", codes.iter().map(|(_, qr)| qr.as_str()).collect()),
    ] {
        group.bench_function(name, |bencher| {
            bencher.iter_batched(
                forget,
                |()| {
                    let answers = runtime.block_on(check_in(db, &shown, &Door::default())).expect("it is answered");
                    assert!(answers.iter().all(|answer| answer.result == CheckInResult::Valid));
                },
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, check_ins);
criterion_main!(benches);
