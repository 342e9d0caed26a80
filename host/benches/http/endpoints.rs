//! What webhook endpoints cost whoever places an order, and how late a healthy one hears of it beside broken ones.

use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use stoa_core::db::Backend;

use crate::Outcome;
use crate::customers::{ADD, CATALOG, CHECKOUT, CustomerShop, name_of};
use crate::options::Options;
use crate::process::{Cores, Running};
use crate::purchases::{Basket, Deed, one_round};
use crate::report::{Report, Row, milliseconds};
use crate::steady_rate::Latencies;
use crate::throughput::median;
use crate::wire::{Client, post_with};

/// How many subscribe to what is placed.
const ENDPOINTS: usize = 10;

/// How many buy at once.
const CUSTOMERS: usize = 8;

/// How many times as much placing may cost with all endpoints.
const PLACING_LIMIT: f64 = 1.3;

/// Orders a second that the healthy endpoint is told about.
const ORDERS_PER_SECOND: u32 = 100;

/// How late 99 of 100 deliveries may arrive.
const ARRIVAL_LIMIT: Duration = Duration::from_millis(500);

/// How long the last arrival may be waited for.
const PATIENCE: Duration = Duration::from_secs(30);

/// Endpoints are on this machine.
const CONFIGURATION: &str = "[webhooks]\nallow_private_destinations = true\n";

/// A port where nobody listens.
const REFUSING: &str = "http://127.0.0.1:9/";

/// When deliveries have arrived, by the id of their order.
pub(crate) type Arrivals = Receiver<(i64, Instant)>;

/// Measures both databases.
pub(crate) fn measure(options: &Options, cores: &Cores, report: &mut Report) -> Outcome<()> {
    for backend in [Backend::Sqlite, Backend::Postgres] {
        eprintln!("webhook endpoints on {}", name_of(backend));
        report.add(placing(backend, options, cores)?);
        report.add(arriving(backend, options, cores)?);
    }
    Ok(())
}

fn prepare(what: &str, backend: Backend, customers: usize, options: &Options, cores: &Cores) -> Outcome<CustomerShop> {
    let shop = CustomerShop::prepare(what, backend, customers, CATALOG, options, cores)?;
    shop.configure(cores, CONFIGURATION)?;
    Ok(shop)
}

/// Adds an endpoint; returns its id.
fn add(shop: &CustomerShop, cores: &Cores, url: &str) -> Outcome<String> {
    let added = shop.run(cores, &["webhook", "add", "--url", url, "--event", "order.created", "--json"])?;
    let added: Value = serde_json::from_slice(&added)?;
    Ok(added["id"].to_string())
}

/// The same orders with and without subscribers, turn by turn. The endpoints never answer, so that next to nothing is sent
/// on the server's core meanwhile.
fn placing(backend: Backend, options: &Options, cores: &Cores) -> Outcome<Row> {
    let shop = prepare("placing", backend, CUSTOMERS, options, cores)?;
    let silent = silent()?;
    let ids = (0..ENDPOINTS).map(|_| add(&shop, cores, &silent)).collect::<Outcome<Vec<_>>>()?;
    let (server, address) = shop.serve(cores)?;
    let adds = [ADD.to_owned()];
    let place = |server: &Running| -> Outcome<f64> {
        let basket = Basket { adds: &adds, checkout: CHECKOUT };
        Ok(one_round(address, server, &shop.tokens, Deed::Order, basket, options.duration())?.rate)
    };
    let mut rates = Vec::new();
    for round in 0..=options.rounds {
        let with = place(&server)?;
        for id in &ids {
            shop.run(cores, &["webhook", "disable", id])?;
        }
        let without = place(&server)?;
        for id in &ids {
            shop.run(cores, &["webhook", "enable", id])?;
        }
        if round > 0 {
            rates.push((with, without));
        }
    }
    let ratios = || rates.iter().map(|(with, without)| without / with);
    let times = median(ratios());
    let text = format!(
        "{times:.2} times ({:.2} to {:.2}): {:.0}/s, without {:.0}/s",
        ratios().fold(f64::MAX, f64::min),
        ratios().fold(0.0, f64::max),
        median(rates.iter().map(|(with, _)| *with)),
        median(rates.iter().map(|(_, without)| *without)),
    );
    let what = format!("whole orders with {ENDPOINTS} subscribed endpoints, {CUSTOMERS} at once, {}", name_of(backend));
    let row = Row::without_products(what).measured(text);
    Ok(row.target(format!("≤ {PLACING_LIMIT} times without"), times <= PLACING_LIMIT))
}

/// Orders at a steady rate, of which a healthy endpoint hears and three that hang, refuse and fail.
fn arriving(backend: Backend, options: &Options, cores: &Cores) -> Outcome<Row> {
    let shop = prepare("arriving", backend, 1, options, cores)?;
    let (healthy, arrivals) = healthy()?;
    for url in [silent()?.as_str(), REFUSING, failing()?.as_str(), healthy.as_str()] {
        add(&shop, cores, url)?;
    }
    let (server, address) = shop.serve(cores)?;
    let seconds = u32::try_from(options.duration().as_secs()).unwrap_or(u32::MAX).saturating_mul(options.rounds);
    let placed = place_steadily(address, &shop.tokens[0], seconds.saturating_mul(ORDERS_PER_SECOND))?;
    let took = latencies(placed, &arrivals)?;
    drop(server);
    let [median, most] = [500, 990].map(|per_mille| took.per_mille(per_mille));
    let text = format!(
        "p50 {}, p99 {}, max {}, of {}",
        milliseconds(median),
        milliseconds(most),
        milliseconds(took.per_mille(1000)),
        took.count()
    );
    let what = format!(
        "from sending a checkout to the arrival of its webhook, {ORDERS_PER_SECOND} a second, beside endpoints that hang, \
         refuse and fail, {}",
        name_of(backend)
    );
    let row = Row::without_products(what).measured(text);
    Ok(row.target(format!("p99 < {} ms", ARRIVAL_LIMIT.as_millis()), most < ARRIVAL_LIMIT))
}

/// Places so many orders, each when it is due; returns when each was sent, by its id.
fn place_steadily(address: SocketAddr, token: &str, orders: u32) -> Outcome<HashMap<i64, Instant>> {
    let authorization = format!("Bearer {token}");
    let headers = [("authorization", authorization.as_str())];
    let (add, checkout) = (post_with("/api/v1/cart", ADD, &headers), post_with("/api/v1/checkout", CHECKOUT, &headers));
    let mut client = Client::connect(address)?;
    let mut placed = HashMap::new();
    let (start, interval) = (Instant::now(), Duration::from_secs(1) / ORDERS_PER_SECOND);
    for number in 0..orders {
        thread::sleep((start + interval * number).saturating_duration_since(Instant::now()));
        client.send(&add)?;
        let sent = Instant::now();
        let (status, body) = client.send(&checkout)?;
        let answer: Value = serde_json::from_slice(body)?;
        let id = answer["data"]["id"].as_i64().ok_or_else(|| format!("a checkout was answered with {status}"))?;
        placed.insert(id, sent);
    }
    Ok(placed)
}

fn latencies(mut placed: HashMap<i64, Instant>, arrivals: &Arrivals) -> Outcome<Latencies> {
    let mut took = Vec::new();
    while !placed.is_empty() {
        let (id, arrived) = arrivals.recv_timeout(PATIENCE).map_err(|_| "a delivery did not arrive")?;
        // One that comes a second time counts once.
        if let Some(sent) = placed.remove(&id) {
            took.push(arrived.saturating_duration_since(sent));
        }
    }
    Ok(Latencies::of(took))
}

/// A listener on this machine, and its URL.
fn listen() -> io::Result<(TcpListener, String)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let url = format!("http://{}/", listener.local_addr()?);
    Ok((listener, url))
}

/// An endpoint that takes connections and says nothing.
pub(crate) fn silent() -> io::Result<String> {
    let (listener, url) = listen()?;
    thread::spawn(move || listener.incoming().collect::<Vec<_>>());
    Ok(url)
}

/// An endpoint that answers 500.
fn failing() -> io::Result<String> {
    let (listener, url) = listen()?;
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let _ = answer(stream, "500 Internal Server Error");
        }
    });
    Ok(url)
}

/// An endpoint that answers 204, and tells what has arrived.
pub(crate) fn healthy() -> io::Result<(String, Arrivals)> {
    let (listener, url) = listen()?;
    let (arrived, arrivals): (Sender<_>, _) = channel();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let Ok(body) = answer(stream, "204 No Content") else { continue };
            let now = Instant::now();
            let order_id = body["data"]["order_id"].as_i64().unwrap_or_default();
            if arrived.send((order_id, now)).is_err() {
                return;
            }
        }
    });
    Ok((url, arrivals))
}

/// Answers one request; returns its body, which ends with the envelope's last brace.
fn answer(mut stream: TcpStream, status: &str) -> io::Result<Value> {
    let (mut bytes, mut buffer) = (Vec::new(), [0; 4096]);
    while !bytes.ends_with(b"}}") {
        match stream.read(&mut buffer)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => bytes.extend_from_slice(&buffer[..read]),
        }
    }
    let head = bytes.windows(4).position(|window| window == b"\r\n\r\n").map_or(0, |at| at + 4);
    write!(stream, "HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")?;
    Ok(serde_json::from_slice(&bytes[head..])?)
}
