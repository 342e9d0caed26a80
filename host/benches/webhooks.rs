//! Deliveries per second: 10,000 queued ones to ten destinations on this machine, over plain HTTP.
//!
//! The sender has a runtime of one thread, the destinations one of their own. The figure is from the first look to the
//! last recorded result.

use std::thread;
use std::time::{Duration, Instant};

use stoa_core::clock::Clock;
use stoa_core::db::Backend;
use stoa_core::queue::Queue;
use stoa_core::testing::TestShop;
use stoa_core::webhooks::{EndpointKind, NewEndpoint, OrderData, WEBHOOKS, WebhookEvent, add_endpoint};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Builder;

/// Destinations.
const ENDPOINTS: usize = 10;

/// Events, each of them sent to all destinations.
const EVENTS: i64 = 1_000;

/// Runs, of which the median is told.
const ROUNDS: usize = 5;

fn main() {
    let destinations = destinations();
    println!("| database | deliveries | median time | deliveries per second |\n|---|---|---|---|");
    for backend in [Backend::Sqlite, Backend::Postgres] {
        let mut times = (0..ROUNDS).map(|_| round(backend, &destinations)).collect::<Vec<_>>();
        times.sort_unstable();
        let (count, median) = (EVENTS * i64::try_from(ENDPOINTS).unwrap_or(i64::MAX), times[ROUNDS / 2]);
        #[expect(clippy::cast_precision_loss, reason = "ten thousand is exact")]
        let rate = count as f64 / median.as_secs_f64();
        println!("| {} | {count} | {median:.2?} | {rate:.0} |", backend.as_str());
    }
}

fn round(backend: Backend, destinations: &[String]) -> Duration {
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    runtime.block_on(async {
        let shop = TestShop::builder(backend).clock(&Clock::system());
        let shop = shop.config("[webhooks]\nallow_private_destinations = true\n").open().await;
        for url in destinations {
            let events = vec![String::from("*")];
            let new = NewEndpoint { url: url.clone(), kind: EndpointKind::Http, events, secret: None };
            add_endpoint(&shop.parts.db, &shop.parts.random, &shop.parts.cipher, &shop.parts.config, new)
                .await
                .expect("an endpoint is added");
        }
        for order_id in 0..EVENTS {
            let data = OrderData {
                order_id,
                order_number: format!("O-{order_id:06}"),
                status: "paid",
                payment_status: Some("paid"),
                total: 1999,
                currency: String::from("EUR"),
            };
            shop.queue_webhook(&WebhookEvent::OrderPaid(data)).await;
        }
        let started = Instant::now();
        let sent = shop.uses::<Queue>().drain(WEBHOOKS).await.expect("the database answers");
        let took = started.elapsed();
        assert_eq!(i64::try_from(sent).ok(), Some(EVENTS * i64::try_from(ENDPOINTS).unwrap_or(i64::MAX)));
        took
    })
}

/// Starts the destinations on a thread of their own.
fn destinations() -> Vec<String> {
    let (urls, started) = std::sync::mpsc::channel();
    thread::spawn(move || {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime starts");
        runtime.block_on(async {
            let mut tasks = Vec::new();
            for _ in 0..ENDPOINTS {
                let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port is free");
                let port = listener.local_addr().expect("it is bound").port();
                urls.send(format!("http://127.0.0.1:{port}/")).expect("somebody waits for it");
                tasks.push(tokio::spawn(async move {
                    while let Ok((stream, _)) = listener.accept().await {
                        tokio::spawn(answer(stream));
                    }
                }));
            }
            for task in tasks {
                let _ = task.await;
            }
        });
    });
    (0..ENDPOINTS).map(|_| started.recv().expect("they start")).collect()
}

/// Answers one request; the body ends with the envelope's last brace.
async fn answer(mut stream: TcpStream) {
    let mut bytes = Vec::with_capacity(1024);
    while !bytes.ends_with(b"}}") {
        if !matches!(stream.read_buf(&mut bytes).await, Ok(1..)) {
            return;
        }
    }
    let _ = stream.write_all(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n").await;
}
