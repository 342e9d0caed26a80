//! An order with one product of each module, beside an order with as many products that no module knows: by eight customers,
//! turn by turn, on both databases.

use std::fmt::Write;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use stoa_core::db::{Backend, Db, Sql};
use stoa_core::sql;
use tokio::runtime::{Builder, Runtime};
use tokio::time::sleep;

use crate::Outcome;
use crate::customers::{CHECKOUT, CustomerShop, name_of};
use crate::options::Options;
use crate::process::{Cores, Running};
use crate::purchases::{Basket, Deed, one_round};
use crate::report::{Report, Row};
use crate::shop::LIST;
use crate::throughput::median;
use crate::wire::Client;

/// How many buy at once.
const CUSTOMERS: usize = 8;

/// How many times as much an order with modules may cost.
const LIMIT: f64 = 2.5;

/// A product of each module. Stock and places are as many as there can be.
const GOODS: &str = include_str!("../../tests/fire/goods.jsonl");

/// All modules on, and a payment method without a provider.
const MODULES: &str = include_str!("../../tests/fire/goods.toml");
const GATEWAY: &str = "[payments.development]\nenabled = true\n";

/// Orders a second that the pool of secrets has to last for: more than any server here can place.
const MOST_RATE: u64 = 1_500;

/// How long to wait before looking again whether everything is done.
const PAUSE: Duration = Duration::from_millis(2);

const COUNT_UNDONE: Sql = sql!("SELECT COUNT(*), COUNT(last_error) FROM tasks WHERE lane = 'events'");

/// How far an order goes.
#[derive(Debug, Clone, Copy)]
enum Way {
    Placed,
    Paid,
}

impl Way {
    const ALL: [Self; 2] = [Self::Placed, Self::Paid];

    fn name(self) -> &'static str {
        match self {
            Self::Placed => "placed",
            Self::Paid => "paid and granted",
        }
    }

    /// The body of the checkout.
    fn checkout(self) -> Outcome<String> {
        let mut checkout: Value = serde_json::from_str(CHECKOUT)?;
        if let Self::Paid = self {
            checkout["payment_method"] = json!("development");
        }
        Ok(checkout.to_string())
    }
}

/// What one order has cost.
#[derive(Debug, Clone, Copy)]
struct Cost {
    /// Time until everything was done, in milliseconds.
    time: f64,
    /// The server's processor time, in milliseconds.
    processor: f64,
}

/// The same orders with products of modules and with plain ones.
struct Round {
    modules: Cost,
    plain: Cost,
}

/// Measures both databases.
pub(crate) fn measure(options: &Options, cores: &Cores, report: &mut Report) -> Outcome<()> {
    for backend in [Backend::Sqlite, Backend::Postgres] {
        eprintln!("orders with modules on {}", name_of(backend));
        let shop = prepare(backend, options, cores)?;
        let (server, address) = shop.serve(cores)?;
        let (modules, plain) = (adds(address, &slugs(GOODS)?)?, adds(address, &slugs(&plain_goods()?)?)?);
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let db = runtime.block_on(shop.open(1))?;
        let load = Load { shop: &shop, server: &server, address, runtime: &runtime, db: &db };
        for way in Way::ALL {
            let checkout = way.checkout()?;
            let basket = |adds| Basket { adds, checkout: &checkout };
            let mut rounds = Vec::new();
            for round in 0..=options.rounds {
                let modules = load.run(basket(&modules), options.duration())?;
                let plain = load.run(basket(&plain), options.duration())?;
                if round > 0 {
                    rounds.push(Round { modules, plain });
                }
            }
            report.add(row(backend, way, modules.len(), &rounds));
        }
        runtime.block_on(db.close());
        drop(server);
        shop.run(cores, &["verify"])?;
    }
    Ok(())
}

fn row(backend: Backend, way: Way, lines: usize, rounds: &[Round]) -> Row {
    let ratios = || rounds.iter().map(|round| round.modules.time / round.plain.time);
    let times = median(ratios());
    let text = format!(
        "{times:.2} times ({:.2} to {:.2}): {:.2} ms an order, plain {:.2} ms; processor time {:.2} times: \
         {:.2} ms, plain {:.2} ms",
        ratios().fold(f64::MAX, f64::min),
        ratios().fold(0.0, f64::max),
        median(rounds.iter().map(|round| round.modules.time)),
        median(rounds.iter().map(|round| round.plain.time)),
        median(rounds.iter().map(|round| round.modules.processor / round.plain.processor)),
        median(rounds.iter().map(|round| round.modules.processor)),
        median(rounds.iter().map(|round| round.plain.processor)),
    );
    let what = format!(
        "orders of {lines} lines, one of each module, {}, {CUSTOMERS} at once, {}",
        way.name(),
        name_of(backend)
    );
    let target = format!("≤ {LIMIT} times as many plain products");
    Row::without_products(what).measured(text).target(target, times <= LIMIT)
}

/// A shop with all modules on, which has more of everything than can be sold.
fn prepare(backend: Backend, options: &Options, cores: &Cores) -> Outcome<CustomerShop> {
    let shop = CustomerShop::prepare("modules", backend, CUSTOMERS, "", options, cores)?;
    shop.configure(cores, &format!("{GATEWAY}{MODULES}"))?;
    shop.import(cores, &format!("{GOODS}{}", plain_goods()?))?;
    let film = shop.write("film.mp4", "a film")?;
    shop.run(cores, &["downloads", "attach", "film", &film])?;
    let rounds = u64::from(options.rounds) + 1;
    let values = MOST_RATE * options.duration().as_secs() * rounds * Way::ALL.len() as u64;
    let values = (0..values).fold(String::new(), |mut lines, value| {
        let _ = writeln!(lines, "FONT-{value:08}");
        lines
    });
    let values = shop.write("values.txt", &values)?;
    shop.run(cores, &["digital-secrets", "add", "font", &values])?;
    Ok(shop)
}

/// As many products that no module knows, at the same prices.
fn plain_goods() -> Outcome<String> {
    let plain = GOODS.lines().map(|line| {
        let mut product: Value = serde_json::from_str(line)?;
        product["slug"] = json!(format!("plain-{}", product["slug"].as_str().unwrap_or_default()));
        let members = product.as_object_mut().ok_or("a line is no object")?;
        members.remove("capabilities");
        members.remove("modules");
        Ok(format!("{product}\n"))
    });
    plain.collect()
}

fn slugs(lines: &str) -> Outcome<Vec<String>> {
    let slug = |line| {
        let product: Value = serde_json::from_str(line)?;
        Ok(product["slug"].as_str().ok_or("a product has no slug")?.to_owned())
    };
    lines.lines().map(slug).collect()
}

/// The bodies that put one of each into the cart.
fn adds(address: SocketAddr, slugs: &[String]) -> Outcome<Vec<String>> {
    let mut client = Client::connect(address)?;
    let mut add = |slug: &String| {
        let product: Value = serde_json::from_slice(client.body(&format!("{LIST}/{slug}"))?)?;
        let id = product["data"]["id"].as_i64().ok_or_else(|| format!("no id in {product}"))?;
        Ok(json!({"product_id": id, "quantity": 1}).to_string())
    };
    slugs.iter().map(&mut add).collect()
}

/// Customers at a server, and a look at its database.
struct Load<'a> {
    shop: &'a CustomerShop,
    server: &'a Running,
    address: SocketAddr,
    runtime: &'a Runtime,
    db: &'a Db,
}

impl Load<'_> {
    /// Buys for so long, and waits until everything is done that follows from it.
    fn run(&self, basket: Basket<'_>, duration: Duration) -> Outcome<Cost> {
        let before = self.server.processor_time().unwrap_or_default();
        let start = Instant::now();
        let bought = one_round(self.address, self.server, &self.shop.tokens, Deed::Order, basket, duration)?;
        self.runtime.block_on(self.done())?;
        let orders = u32::try_from(bought.latencies.count())?;
        let cost = |spent: Duration| spent.as_secs_f64() * 1000.0 / f64::from(orders);
        let used = self.server.processor_time().unwrap_or_default().saturating_sub(before);
        Ok(Cost { time: cost(start.elapsed()), processor: cost(used) })
    }

    async fn done(&self) -> Outcome<()> {
        loop {
            let (undone, failed) = self.db.read(COUNT_UNDONE).one::<(i64, i64)>().await?;
            if failed > 0 {
                return Err(format!("{failed} listeners failed; the database says why").into());
            }
            if undone == 0 {
                return Ok(());
            }
            sleep(PAUSE).await;
        }
    }
}
