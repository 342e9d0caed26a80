//! Whole lives of orders: placed, paid, invoiced, the key granted, the webhook sent; by eight customers as fast as the shop
//! takes them, on both databases, alone and beside partners that say nothing.

use std::fmt::Write;
use std::net::{SocketAddr, TcpListener};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use stoa_core::db::{Backend, Db, Sql};
use stoa_core::sql;
use tokio::runtime::{Builder, Runtime};

use crate::Outcome;
use crate::customers::{CHECKOUT, CustomerShop, name_of};
use crate::endpoints::{healthy, silent};
use crate::options::Options;
use crate::partners::mail_server;
use crate::process::{Cores, Running};
use crate::purchases::{Basket, Deed, one_round};
use crate::report::{Report, Row, milliseconds};
use crate::shop::LIST;
use crate::steady_rate::Latencies;
use crate::wire::{Client, get_with, post_with};

/// How many buy at once, besides the one whose keys are waited for.
const CUSTOMERS: usize = 8;

/// A product that no module knows, and one that comes with a key.
const GOODS: &str = r#"{"type": "product", "slug": "teapot", "name": "Teapot", "price_amount": 1999}
{"type": "product", "slug": "font", "name": "Font", "price_amount": 5900, "capabilities": ["digital_secret"], "modules": {"digital_secrets": {}}}
"#;

const CONFIGURATION: &str = "[payments.development]\nenabled = true\n\
    [webhooks]\nallow_private_destinations = true\n[modules]\ndigital_secrets.enabled = true\n";

/// Orders a second that the keys have to last for.
const MOST_RATE: u64 = 1_200;

/// How late 99 of 100 keys may be readable.
const KEY_LIMIT: Duration = Duration::from_secs(1);

/// How often a key is asked for.
const KEY_LOOKS: Duration = Duration::from_millis(10);

/// How long everything may take to be done after the last order.
const PATIENCE: Duration = Duration::from_mins(5);

/// How often the backlog is counted.
const SAMPLING: Duration = Duration::from_secs(1);

const COUNT_BACKLOG: Sql = sql!(
    "SELECT (SELECT COUNT(*) FROM tasks WHERE lane = 'events'),
            (SELECT COUNT(*) FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
             WHERE d.state = 'pending' AND e.url = $1)"
);

/// What one load came to.
struct Lives {
    rate: f64,
    keys: Latencies,
    /// What waited in the first and in the last third of the time, at most.
    backlog: (i64, i64),
    /// From the last order until everything was done.
    rest: Duration,
    server: f64,
    memory: f64,
}

/// Measures both databases.
pub(crate) fn measure(options: &Options, cores: &Cores, report: &mut Report) -> Outcome<()> {
    for (backend, target) in [(Backend::Sqlite, 450.0), (Backend::Postgres, 200.0)] {
        let alone = run(backend, Beside::Nothing, options, cores)?;
        report.add(row(backend, "", &alone).target(
            format!("≥ {target}/s, p99 < {} s", KEY_LIMIT.as_secs()),
            alone.rate >= target && alone.keys.per_mille(990) < KEY_LIMIT,
        ));
        let prompt = run(backend, Beside::PromptPartners, options, cores)?;
        report.add(row(backend, ", with mails and a second endpoint", &prompt));
        let silent = run(backend, Beside::SilentPartners, options, cores)?;
        let share = silent.rate / prompt.rate;
        let row = row(backend, ", the same while mail server and second endpoint say nothing", &silent);
        report.add(row.target(format!("≥ 90 % of it; {:.0} %", share * 100.0), share >= 0.9));
    }
    Ok(())
}

fn row(backend: Backend, beside: &str, lives: &Lives) -> Row {
    let what = format!("whole lives of orders, {CUSTOMERS} customers at once, {}{beside}", name_of(backend));
    let mut text = format!("{:.0}/s; key readable after ", lives.rate);
    for (name, per_mille) in [("p50", 500), ("p99", 990), ("max", 1000)] {
        let _ = write!(text, "{name} {}, ", milliseconds(lives.keys.per_mille(per_mille)));
    }
    let _ = write!(
        text,
        "of {}; backlog in the first third at most {}, in the last {}; done {:.1} s after the last order; server busy {:.0} %, \
         {:.0} MiB",
        lives.keys.count(),
        lives.backlog.0,
        lives.backlog.1,
        lives.rest.as_secs_f64(),
        lives.server * 100.0,
        lives.memory,
    );
    Row::without_products(what).measured(text)
}

/// Who is there besides the customers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Beside {
    Nothing,
    PromptPartners,
    SilentPartners,
}

fn run(backend: Backend, beside: Beside, options: &Options, cores: &Cores) -> Outcome<Lives> {
    eprintln!("lives of orders on {}, beside {beside:?}", name_of(backend));
    let shop = CustomerShop::prepare("lives", backend, CUSTOMERS + 1, "", options, cores)?;
    let mut configuration = CONFIGURATION.to_owned();
    // Taken, never answered; dropped when this is over.
    let silent_server = TcpListener::bind("127.0.0.1:0")?;
    let mail_port = match beside {
        Beside::Nothing => None,
        Beside::PromptPartners => Some(mail_server()?),
        Beside::SilentPartners => Some(silent_server.local_addr()?.port()),
    };
    if let Some(port) = mail_port {
        let _ = write!(
            configuration,
            "[mail]\nfrom = 'shop@example.com'\nsmtp = {{ host = '127.0.0.1', port = {port}, encryption = 'none' }}\n"
        );
    }
    shop.configure(cores, &configuration)?;
    shop.import(cores, GOODS)?;
    let values = MOST_RATE * options.duration().as_secs();
    let values = (0..values).fold(String::new(), |mut lines, value| {
        let _ = writeln!(lines, "FONT-{value:08}");
        lines
    });
    let values = shop.write("values.txt", &values)?;
    shop.run(cores, &["digital-secrets", "add", "font", &values])?;
    let (endpoint, arrivals) = healthy()?;
    // Nobody asks what has arrived; the backlog tells what has not.
    thread::spawn(move || arrivals.iter().for_each(drop));
    let second = match beside {
        Beside::Nothing => None,
        Beside::PromptPartners => {
            let (second, arrivals) = healthy()?;
            thread::spawn(move || arrivals.iter().for_each(drop));
            Some(second)
        }
        Beside::SilentPartners => Some(silent()?),
    };
    for url in [Some(endpoint.as_str()), second.as_deref()].into_iter().flatten() {
        shop.run(cores, &["webhook", "add", "--url", url, "--event", "order.paid", "--json"])?;
    }
    let (server, address) = shop.serve(cores)?;
    let load = Load { shop: &shop, server: &server, address, endpoint: &endpoint };
    let lives = load.run(options.duration())?;
    drop(server);
    shop.run(cores, &["verify"])?;
    Ok(lives)
}

struct Load<'a> {
    shop: &'a CustomerShop,
    server: &'a Running,
    address: SocketAddr,
    endpoint: &'a str,
}

impl Load<'_> {
    fn run(&self, duration: Duration) -> Outcome<Lives> {
        let adds = self.adds()?;
        let mut checkout: Value = serde_json::from_str(CHECKOUT)?;
        checkout["payment_method"] = json!("development");
        let checkout = checkout.to_string();
        let (others, own) = self.shop.tokens.split_at(CUSTOMERS);
        let start = Instant::now();
        let basket = Basket { adds: &adds, checkout: &checkout };
        let (bought, keys, samples) = thread::scope(|scope| {
            let keys = scope.spawn(|| self.wait_for_keys(&own[0], basket, start + duration));
            let samples = scope.spawn(|| self.count_backlog(start + duration));
            let bought = one_round(self.address, self.server, others, Deed::Order, basket, duration);
            (bought, keys.join(), samples.join())
        });
        let (bought, keys) = (bought?, keys.map_err(|_| "the waiting customer panicked")??);
        let samples = samples.map_err(|_| "whoever counts panicked")??;
        let ended = Instant::now();
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let db = runtime.block_on(self.shop.open(1))?;
        while self.backlog(&runtime, &db)? > 0 {
            if ended.elapsed() > PATIENCE {
                return Err("the backlog is not worked off".into());
            }
            thread::sleep(Duration::from_millis(20));
        }
        let rest = ended.elapsed();
        runtime.block_on(db.close());
        let third = samples.len() / 3;
        let most = |samples: &[i64]| samples.iter().copied().max().unwrap_or_default();
        let placed = bought.latencies.count() + keys.count();
        Ok(Lives {
            rate: f64::from(u32::try_from(placed)?) / (duration + rest).as_secs_f64(),
            keys,
            backlog: (most(&samples[..third]), most(&samples[samples.len() - third..])),
            rest,
            server: bought.server,
            memory: self.server.memory().map_or(0.0, |(_, most)| most),
        })
    }

    fn backlog(&self, runtime: &Runtime, db: &Db) -> Outcome<i64> {
        let counted = db.read(COUNT_BACKLOG).bind(self.endpoint);
        let (events, webhooks) = runtime.block_on(counted.one::<(i64, i64)>())?;
        Ok(events + webhooks)
    }

    fn count_backlog(&self, deadline: Instant) -> Outcome<Vec<i64>> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let db = runtime.block_on(self.shop.open(1))?;
        let mut samples = Vec::new();
        while Instant::now() < deadline {
            samples.push(self.backlog(&runtime, &db)?);
            thread::sleep(SAMPLING);
        }
        runtime.block_on(db.close());
        Ok(samples)
    }

    /// The bodies that put one of each into the cart.
    fn adds(&self) -> Outcome<Vec<String>> {
        let mut client = Client::connect(self.address)?;
        let add = |slug| -> Outcome<String> {
            let product: Value = serde_json::from_slice(client.body(&format!("{LIST}/{slug}"))?)?;
            Ok(json!({"product_id": product["data"]["id"], "quantity": 1}).to_string())
        };
        ["teapot", "font"].into_iter().map(add).collect()
    }

    /// Orders one after the other, each when the key of the last one can be read; returns how long each key took.
    fn wait_for_keys(&self, token: &str, basket: Basket<'_>, deadline: Instant) -> Outcome<Latencies> {
        let authorization = format!("Bearer {token}");
        let headers = [("authorization", authorization.as_str())];
        let adds = basket.adds.iter().map(|body| post_with("/api/v1/cart", body, &headers)).collect::<Vec<_>>();
        let checkout = post_with("/api/v1/checkout", basket.checkout, &headers);
        let keys = get_with("/api/v1/digital-secrets", &headers);
        let mut client = Client::connect(self.address)?;
        let mut took = Vec::new();
        while Instant::now() < deadline {
            for add in &adds {
                client.send(add)?;
            }
            let (status, _) = client.send(&checkout)?;
            if status != 201 {
                return Err(format!("a checkout was answered with {status}").into());
            }
            let paid = Instant::now();
            loop {
                let listed: Value = serde_json::from_slice(client.send(&keys)?.1)?;
                if listed["meta"]["total"].as_u64() > Some(took.len() as u64) {
                    break;
                }
                if paid.elapsed() > PATIENCE {
                    return Err("a key does not come".into());
                }
                thread::sleep(KEY_LOOKS);
            }
            took.push(paid.elapsed());
        }
        Ok(Latencies::of(took))
    }
}
