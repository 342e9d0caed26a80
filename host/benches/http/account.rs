//! `GET /me` with an access token that is read from the database each time, on both databases.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use stoa_core::config::DatabaseUrl;
use stoa_core::db::Backend;
use stoa_core::testing::TestDatabase;
use tokio::runtime::Runtime;

use crate::Outcome;
use crate::bare::{Bare, Bodies};
use crate::full_load;
use crate::options::Options;
use crate::process::{Cores, Running};
use crate::report::{Report, Row};
use crate::throughput::{median, ratio};
use crate::wire::{Client, free_address, get, get_with};

const PATH: &str = "/api/v1/me";

/// Least share of the bare server's rate, on SQLite.
const SHARE: f64 = 0.25;

/// All defaults, but without limits, and with a public address that does not depend on the port.
const CONFIGURATION: &str = r#"[server]
base_url = "https://shop.example.com"

[limits]
protected = { requests = 0, per_seconds = 60 }
"#;

/// A shop with a customer and a token, but without products.
struct Account {
    folder: PathBuf,
    binary: PathBuf,
    token: String,
    /// Removed when this is dropped.
    _database: Option<TestDatabase>,
}

/// Measures both databases beside a bare server with a body of the same size.
pub(crate) fn measure(options: &Options, cores: &Cores, report: &mut Report) -> Outcome<()> {
    let runtime = Runtime::new()?;
    for backend in [Backend::Sqlite, Backend::Postgres] {
        let name = match backend {
            Backend::Sqlite => "SQLite",
            Backend::Postgres => "PostgreSQL",
        };
        eprintln!("full load: account on {name}");
        let account = Account::prepare(backend, &runtime, options, cores)?;
        let (stoa, address) = account.serve(cores)?;
        let request = get_with(PATH, &[("authorization", &format!("Bearer {}", account.token))]);
        let body = Client::connect(address)?.send(&request)?.1.to_vec();
        let bodies = Bodies { list: body.clone(), page: body.clone(), product: body.clone() };
        let bare = Bare::start(account.folder.join("bare"), &bodies, cores)?;
        let requests: [Arc<[Box<[u8]>]>; 2] = [Arc::new([request]), Arc::new([get(crate::shop::LIST)])];
        let mut rounds = Vec::new();
        for round in 0..=options.rounds {
            let run = |address, process, requests| {
                full_load::run(address, process, requests, options.connections, options.duration())
            };
            let pair = (run(address, &stoa, &requests[0])?, run(bare.address, &bare.process, &requests[1])?);
            if round > 0 {
                rounds.push(pair);
            }
        }
        let share = median(rounds.iter().map(|(stoa, bare)| stoa.rate / bare.rate));
        let [stoa_rate, bare_rate] =
            [median(rounds.iter().map(|(stoa, _)| stoa.rate)), median(rounds.iter().map(|(_, bare)| bare.rate))];
        let text = format!("{}: {stoa_rate:.0}/s, bare {bare_rate:.0}/s, body of {} bytes", ratio(share), body.len());
        let row = Row::without_products(format!("`/me` with a token, {name}")).measured(text);
        report.add(match backend {
            Backend::Sqlite => row.target("≥ 25 % of bare axum", share >= SHARE),
            Backend::Postgres => row,
        });
        report.note(format!(
            "full load `account`, {name}: {:.1} µs of processor time for a request of the server alone",
            median(rounds.iter().map(|(stoa, _)| stoa.cost)),
        ));
    }
    Ok(())
}

impl Account {
    fn prepare(backend: Backend, runtime: &Runtime, options: &Options, cores: &Cores) -> Outcome<Self> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("http-bench").join(format!("account-{backend:?}"));
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        let database = match backend {
            Backend::Sqlite => None,
            Backend::Postgres => Some(runtime.block_on(TestDatabase::empty(backend))),
        };
        let url = match database.as_ref().map(TestDatabase::url) {
            Some(DatabaseUrl::Postgres(url)) => format!("\n[database]\nurl = \"{}\"\n", url.expose()),
            _ => String::new(),
        };
        fs::write(folder.join("config.toml"), format!("{CONFIGURATION}{url}"))?;
        let mut account = Self { folder, binary: options.binary.clone(), token: String::new(), _database: database };
        account.run(cores, &["migrate"])?;
        account
            .run(cores, &["customer", "create", "--email", "ada@example.com", "--name", "Ada Buyer", "--verified"])?;
        let made =
            account.run(cores, &["token", "create", "--customer", "ada@example.com", "--name", "bench", "--json"])?;
        let made: serde_json::Value = serde_json::from_slice(&made)?;
        made["token"].as_str().ok_or("no token was printed")?.clone_into(&mut account.token);
        Ok(account)
    }

    fn run(&self, cores: &Cores, arguments: &[&str]) -> Outcome<Vec<u8>> {
        let mut command = cores.everywhere(&self.binary);
        command.env_clear().arg("--config").arg(self.folder.join("config.toml")).args(arguments);
        let output = command.output()?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        Err(format!("{arguments:?} failed: {}", String::from_utf8_lossy(&output.stderr)).into())
    }

    fn serve(&self, cores: &Cores) -> Outcome<(Running, std::net::SocketAddr)> {
        let address = free_address()?;
        let log = File::create(self.folder.join("serve.log"))?;
        let mut command = cores.server(&self.binary);
        command.env_clear().env("STOA_SERVER__LISTEN", address.to_string());
        command.arg("--config").arg(self.folder.join("config.toml")).arg("serve");
        let mut process = Running::start(command.stdout(log.try_clone()?).stderr(log))?;
        Client::wait_for(address, crate::shop::LIST, || process.check())?;
        Ok((process, address))
    }
}
