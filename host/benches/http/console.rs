//! Pages of the console in a shop with 1,000,000 orders, customers and products, one request after the other.

use std::net::IpAddr;
use std::time::{Duration, Instant};

use stoa_core::config::{Config, Sources};
use stoa_core::db::{Backend, Db, DbError};
use stoa_core::random::Random;
use stoa_kernel::console::{staff_cookie_name, start_staff_session};
use tokio::runtime::Runtime;

use crate::Outcome;
use crate::crowd;
use crate::customers::{ADD, CATALOG, CHECKOUT, CustomerShop, name_of};
use crate::options::Options;
use crate::process::Cores;
use crate::report::{Report, Row, milliseconds};
use crate::steady_rate::Latencies;
use crate::wire::{Client, get_with, post_with};

/// Orders, customers and products.
const ROWS: i64 = 1_000_000;

/// How often each page is asked for in a round.
const TIMES: usize = 100;

/// So long is one page asked for in a round, however often.
const PATIENCE: Duration = Duration::from_secs(2);

/// Longest time that 99 of 100 requests for a list may take.
const LIST: Duration = Duration::from_millis(20);

/// Longest time that 99 of 100 requests for the first page may take.
const FIRST_PAGE: Duration = Duration::from_millis(50);

/// The same for the page that looks at all of the catalog, which is no list.
const HEALTH: Duration = Duration::from_secs(1);

/// A kind of page, and the addresses below `/console` that it is asked for at, in turn.
const PAGES: [(&str, Duration, &[&str]); 11] = [
    ("the first page", FIRST_PAGE, &[""]),
    (
        "orders",
        LIST,
        &[
            "/orders",
            "/orders?after=500000&at=500001",
            "/orders?status=pending",
            "/orders?status=cancelled&after=500000",
            "/orders?payment=refunded",
            "/orders?payment=expired",
            "/orders?status=cancelled&payment=paid",
            "/orders?status=pending&payment=refunded",
            "/orders?to-pack=on",
            "/orders?to-pack=on&status=pending",
            "/orders?review=on",
            "/orders?review=on&status=cancelled",
            "/orders?from=2026-03-01&to=2026-03-31",
            "/orders?customer=77",
            "/orders?sort=placed",
            "/orders?sort=total",
            "/orders?sort=-total",
            "/orders?sort=-total&status=paid",
            "/orders?sort=total&status=pending",
            "/orders?sort=total&payment=refunded",
            "/orders?sort=total&to-pack=on",
            "/orders?sort=-total&from=2026-03-01&to=2026-03-31",
        ],
    ),
    (
        "orders that are searched for",
        LIST,
        &[
            "/orders?q=O-777777",
            "/orders?q=3SCRWD765432",
            "/orders?q=crowd-4711@example.com",
            "/orders?q=crowd-4",
            "/orders?q=Ada+Berg-77",
            "/orders?q=Ada",
            "/orders?q=a",
            "/orders?q=nobody",
            "/orders?q=Ada&status=pending",
            "/orders?q=Ada&payment=expired",
            "/orders?q=Ada+Berg-77&sort=-total",
        ],
    ),
    (
        "customers",
        LIST,
        &[
            "/customers",
            "/customers?after=500000",
            "/customers?q=Ada+Berg-77",
            "/customers?q=Ada",
            "/customers?q=crowd-4711@example.com",
            "/customers?q=crowd-4",
            "/customers?q=nobody",
            "/customers?bought=often",
            "/customers?bought=never",
            "/customers?state=unverified",
            "/customers?state=anonymized",
            "/customers?q=Ada&bought=never",
            "/customers?from=2026-03-01&to=2026-03-31",
            "/customers?sort=since",
            "/customers?sort=name",
            "/customers?sort=-name&after=500000*kim+kerk-500",
            "/customers?sort=name&bought=often",
        ],
    ),
    (
        "products",
        LIST,
        &[
            "/products",
            "/products?q=Ada+Berg-77",
            "/products?q=Ada",
            "/products?q=crowd-4711",
            "/products?q=CR-4711",
            "/products?q=nobody",
            "/products?state=inactive",
            "/products?q=Ada&state=inactive",
            "/products?sort=name",
            "/products?sort=-price",
            "/products?sort=price&after=500000*2500",
            "/products?sort=price&state=inactive",
        ],
    ),
    (
        "payments",
        LIST,
        &[
            "/payments",
            "/payments?status=refunded",
            "/payments?status=expired",
            "/payments?gateway=manual",
            "/payments?gateway=development",
            "/payments?order=O-777777",
            "/payments?gateway=development&status=refunded",
            "/payments/callbacks",
        ],
    ),
    (
        "invoices",
        LIST,
        &[
            "/invoices",
            "/invoices?after=500000",
            "/invoices?q=C-777777",
            "/invoices?q=O-777777",
            "/invoices?q=Ada",
            "/invoices?q=nobody",
            "/invoices?status=void",
            "/invoices?status=issued",
            "/invoices?from=2026-03-01&to=2026-03-31",
        ],
    ),
    (
        "support and withdrawals",
        LIST,
        &[
            "/support",
            "/support?status=open",
            "/support?priority=high",
            "/support?q=Ada",
            "/support?q=nobody",
            "/support?sort=-last",
            "/support?sort=last&status=closed",
            "/withdrawals",
        ],
    ),
    (
        "what the shop does by itself",
        LIST,
        &[
            "/mails",
            "/mails?state=pending",
            "/mails?state=failed",
            "/mails?state=sent",
            "/audit",
            "/audit?act=orders.refund",
            "/audit?act=products",
            "/audit?actor=cli:ada",
            "/audit?actor=staff:nobody@example.com",
            "/audit?subject=order:777777",
            "/events",
            "/jobs",
            "/webhooks",
            "/webhooks/deliveries",
            "/discounts",
        ],
    ),
    ("health", HEALTH, &["/health"]),
    ("one of them", LIST, &["/orders/O-777777", "/customers/777777", "/products/crowd-777777", "/payments/O-777777"]),
];

/// Measures both databases.
pub(crate) fn measure(options: &Options, cores: &Cores, report: &mut Report) -> Outcome<()> {
    for backend in [Backend::Sqlite, Backend::Postgres] {
        eprintln!("console on {}: {ROWS} orders, customers and products are made", name_of(backend));
        let shop = CustomerShop::prepare("console", backend, 1, CATALOG, options, cores)?;
        shop.configure(cores, "[console]\nenabled = true")?;
        shop.run(cores, &["staff", "create", "--email", "ada@example.com", "--name", "Ada Owner", "--role", "owner"])?;
        let (server, address) = shop.serve(cores)?;
        let authorization = format!("Bearer {}", shop.tokens[0]);
        let headers = [("authorization", authorization.as_str())];
        let mut client = Client::connect(address)?;
        for request in [post_with("/api/v1/cart", ADD, &headers), post_with("/api/v1/checkout", CHECKOUT, &headers)] {
            client.send(&request)?;
        }
        drop(server);
        let cookie = Runtime::new()?.block_on(prepare(&shop))?;
        let (_server, address) = shop.serve(cores)?;
        let mut client = Client::connect(address)?;
        for (what, limit, addresses) in PAGES {
            one_kind(&mut client, &cookie, (what, limit, addresses), backend, options, report)?;
        }
    }
    Ok(())
}

/// Fills the database, and lets somebody in; returns their cookie.
async fn prepare(shop: &CustomerShop) -> Outcome<String> {
    let db = shop.open(2).await?;
    crowd::fill(&db, ROWS).await?;
    let cookie = log_in(&db, shop).await?;
    db.close().await;
    Ok(cookie)
}

async fn log_in(db: &Db, shop: &CustomerShop) -> Outcome<String> {
    let config = Config::load(Sources::new(".").file(shop.configuration()))?.config;
    let browser = (None, IpAddr::from([127, 0, 0, 1]));
    let random = Random::system();
    let secret = db
        .write(async |tx| -> Result<_, DbError> {
            start_staff_session(tx, &random, &config.console, 1, false, browser).await
        })
        .await?;
    let base_url = config.server.base_url.as_ref().map(ToString::to_string).unwrap_or_default();
    Ok(format!("{}={}", staff_cookie_name(&base_url), secret.expose()))
}

fn one_kind(
    client: &mut Client,
    cookie: &str,
    (what, limit, addresses): (&str, Duration, &[&str]),
    backend: Backend,
    options: &Options,
    report: &mut Report,
) -> Outcome<()> {
    let mut worst = (Duration::ZERO, "");
    let mut largest = 0;
    let mut all = Vec::new();
    for address in addresses {
        let target = format!("/console{address}");
        let request = get_with(&target, &[("cookie", cookie)]);
        let mut times = Vec::new();
        let began = Instant::now();
        for _ in 0..TIMES * usize::try_from(options.rounds)? {
            if began.elapsed() > PATIENCE * options.rounds {
                break;
            }
            let start = Instant::now();
            let (status, body) = client.send(&request)?;
            times.push(start.elapsed());
            if status != 200 {
                return Err(format!("{target} was answered with {status}").into());
            }
            largest = largest.max(body.len());
        }
        all.extend_from_slice(&times);
        let times = Latencies::of(times);
        let p99 = times.per_mille(990);
        if p99 > limit {
            let (p50, p99) = (milliseconds(times.per_mille(500)), milliseconds(p99));
            report.note(format!("{target} on {}: p50 {p50}, p99 {p99}", name_of(backend)));
        }
        if p99 > worst.0 {
            worst = (p99, address);
        }
    }
    let median = milliseconds(Latencies::of(all).per_mille(500));
    let (slowest, address) = (milliseconds(worst.0), worst.1);
    let text = format!("p50 {median}; slowest {address}: p99 {slowest}; at most {} KB", largest.div_ceil(1000));
    let row = Row::without_products(format!("console, {what}, {}", name_of(backend))).measured(text);
    report.add(row.target(format!("p99 < {} of each", milliseconds(limit)), worst.0 < limit));
    Ok(())
}
