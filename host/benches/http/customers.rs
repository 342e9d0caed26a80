//! A shop with customers who have a token each, on either database.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use stoa_core::clock::Clock;
use stoa_core::config::DatabaseUrl;
use stoa_core::db::{Backend, Db, Missing, OpenOptions as DbOptions};
use stoa_core::testing::TestDatabase;
use tokio::runtime::Runtime;
use url::Url;

use crate::Outcome;
use crate::options::Options;
use crate::process::{Cores, Running};
use crate::shop::LIST;
use crate::wire::{Client, free_address};

/// All defaults, but without limits, and with a public address that does not depend on the port.
const CONFIGURATION: &str = r#"[server]
base_url = "https://shop.example.com"

[limits]
catalog = { requests = 0, per_seconds = 60 }
protected = { requests = 0, per_seconds = 60 }
checkout = { requests = 0, per_seconds = 60 }
"#;

/// What is sold.
pub(crate) const CATALOG: &str = r#"{"type": "product", "slug": "teapot", "name": "Teapot", "price_amount": 1999}"#;

/// What a customer puts into the cart.
pub(crate) const ADD: &str = r#"{"product_id": 1, "quantity": 1}"#;

/// How it is ordered.
pub(crate) const CHECKOUT: &str = r#"{"billing": {"name": "Ada Buyer", "line1": "Keizersgracht 1", "city": "Amsterdam",
    "postal_code": "1015 AA", "country": "NL"}, "payment_method": "manual"}"#;

/// A folder with a shop and its customers.
pub(crate) struct CustomerShop {
    folder: PathBuf,
    binary: PathBuf,
    /// One of each customer.
    pub(crate) tokens: Vec<String>,
    /// Where the database is: durable, unlike those of tests.
    pub(crate) url: DatabaseUrl,
    /// Removed when this is dropped.
    _database: Option<TestDatabase>,
}

/// How people call a database.
pub(crate) fn name_of(backend: Backend) -> &'static str {
    match backend {
        Backend::Sqlite => "SQLite",
        Backend::Postgres => "PostgreSQL",
    }
}

impl CustomerShop {
    /// Makes the shop anew, with so many customers and these lines of an import file.
    pub(crate) fn prepare(
        what: &str,
        backend: Backend,
        customers: usize,
        catalog: &str,
        options: &Options,
        cores: &Cores,
    ) -> Outcome<Self> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("http-bench").join(format!("{what}-{backend:?}"));
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        let database = match backend {
            Backend::Sqlite => None,
            Backend::Postgres => Some(Runtime::new()?.block_on(TestDatabase::empty(backend))),
        };
        let url = match database.as_ref().map(TestDatabase::url) {
            Some(DatabaseUrl::Postgres(url)) => durable(url.expose())?,
            _ => format!("sqlite://{}", folder.join("shop.db").display()),
        };
        fs::write(folder.join("config.toml"), format!("{CONFIGURATION}\n[database]\nurl = \"{url}\"\n"))?;
        let url = DatabaseUrl::parse(&url).ok_or("no URL of a database")?;
        let mut shop = Self { folder, binary: options.binary.clone(), tokens: Vec::new(), url, _database: database };
        shop.run(cores, &["migrate"])?;
        if !catalog.is_empty() {
            shop.import(cores, catalog)?;
        }
        for number in 0..customers {
            let email = format!("buyer-{number}@example.com");
            shop.run(cores, &["customer", "create", "--email", &email, "--name", "Ada Buyer", "--verified"])?;
            let made = shop.run(cores, &["token", "create", "--customer", &email, "--name", "bench", "--json"])?;
            let made: serde_json::Value = serde_json::from_slice(&made)?;
            shop.tokens.push(made["token"].as_str().ok_or("no token was printed")?.to_owned());
        }
        Ok(shop)
    }

    /// Adds to the configuration, and makes what the database needs for it.
    pub(crate) fn configure(&self, cores: &Cores, configuration: &str) -> Outcome<()> {
        writeln!(OpenOptions::new().append(true).open(self.configuration())?, "\n{configuration}")?;
        self.run(cores, &["migrate"]).map(drop)
    }

    /// The file of its settings.
    pub(crate) fn configuration(&self) -> PathBuf {
        self.folder.join("config.toml")
    }

    /// Imports these lines.
    pub(crate) fn import(&self, cores: &Cores, catalog: &str) -> Outcome<()> {
        let file = self.write("catalog.jsonl", catalog)?;
        self.run(cores, &["import", &file, "--format", "stoa"]).map(drop)
    }

    /// Writes a file into the shop's folder, and gives its path for the command line.
    pub(crate) fn write(&self, name: &str, text: &str) -> Outcome<String> {
        let file = self.folder.join(name);
        fs::write(&file, text)?;
        Ok(file.to_string_lossy().into_owned())
    }

    /// Runs a command on the shop; returns what it printed.
    pub(crate) fn run(&self, cores: &Cores, arguments: &[&str]) -> Outcome<Vec<u8>> {
        let mut command = cores.everywhere(&self.binary);
        command.env_clear().arg("--config").arg(self.configuration()).args(arguments);
        let output = command.output()?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        Err(format!("{arguments:?} failed: {}", String::from_utf8_lossy(&output.stderr)).into())
    }

    /// Opens the database beside the server.
    pub(crate) async fn open(&self, connections: u32) -> Outcome<Db> {
        let options = DbOptions::new(self.url.clone(), Missing::Refuse, connections);
        Ok(Db::open(&options, Clock::system()).await?)
    }

    /// Starts `stoa serve` and waits for its first answer.
    pub(crate) fn serve(&self, cores: &Cores) -> Outcome<(Running, SocketAddr)> {
        let address = free_address()?;
        let log = File::create(self.folder.join("serve.log"))?;
        let mut command = cores.server(&self.binary);
        command.env_clear().env("STOA_SERVER__LISTEN", address.to_string());
        command.arg("--config").arg(self.configuration()).arg("serve");
        let mut process = Running::start(command.stdout(log.try_clone()?).stderr(log))?;
        Client::wait_for(address, LIST, || process.check())?;
        Ok((process, address))
    }

    /// Where a bare server beside this shop keeps its files.
    pub(crate) fn bare_folder(&self) -> PathBuf {
        self.folder.join("bare")
    }
}

/// The same database with commits that are waited for, which tests go without.
fn durable(url: &str) -> Outcome<String> {
    let mut url = Url::parse(url)?;
    let kept = url.query_pairs().filter(|(name, _)| name != "options");
    let kept = kept.map(|(name, value)| (name.into_owned(), value.into_owned())).collect::<Vec<_>>();
    url.query_pairs_mut().clear().extend_pairs(kept);
    Ok(url.as_str().trim_end_matches('?').to_owned())
}
