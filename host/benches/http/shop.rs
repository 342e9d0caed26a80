//! A shop with a catalog in it, and the release binary serving it.

use std::fs::{self, File};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::Outcome;
use crate::fixture::Catalog;
use crate::options::Options;
use crate::process::{Cores, Running};
use crate::wire::{Client, free_address};

/// The list of products, which is also what a starting server is asked first.
pub(crate) const LIST: &str = "/api/v1/products";

/// A search that no product's text holds, answered as soon as the index is complete.
const UNKNOWN_TERM: &str = "/api/v1/search?q=%C8%98%C8%9A%C8%98%C8%9A";

/// All defaults, but without limits, and with a public address that does not depend on the port, so
/// that answers have the same size in every run.
const CONFIGURATION: &str = r#"[server]
base_url = "https://shop.example.com"

[limits]
catalog = { requests = 0, per_seconds = 60 }
token_creation = { requests = 0, per_seconds = 60 }
failed_logins = { requests = 0, per_seconds = 60 }
"#;

/// A folder with an imported catalog.
pub(crate) struct Shop {
    folder: PathBuf,
    binary: PathBuf,
    pub(crate) catalog: Catalog,
    /// How long the import took; none when an earlier run's database is used.
    pub(crate) imported_in: Option<Duration>,
}

impl Shop {
    /// Makes the catalog of so many products and imports it with `stoa import`.
    pub(crate) fn prepare(products: u32, options: &Options, cores: &Cores) -> Outcome<Self> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("http-bench").join(products.to_string());
        fs::create_dir_all(&folder)?;
        let (file, imported) = (folder.join("catalog.jsonl"), folder.join("imported.jsonl"));
        let catalog = Catalog::write(products, &file)?;
        let reuse = options.reuse && imported.exists() && fs::read(&imported)? == fs::read(&file)?;
        fs::write(folder.join("config.toml"), CONFIGURATION)?;
        let mut shop = Self { folder, binary: options.binary.clone(), catalog, imported_in: None };
        if !reuse {
            eprintln!("importing {products} products");
            let data = shop.folder.join("data");
            if data.exists() {
                fs::remove_dir_all(data)?;
            }
            let start = Instant::now();
            let mut import = cores.everywhere(&shop.binary);
            import.env_clear().arg("--config").arg(shop.folder.join("config.toml"));
            import.arg("import").arg(&file).args(["--format", "stoa"]);
            let output = import.output().map_err(|error| format!("cannot start {}: {error}", shop.binary.display()))?;
            shop.imported_in = Some(start.elapsed());
            if !output.status.success() {
                return Err(format!("the import failed: {}", String::from_utf8_lossy(&output.stderr)).into());
            }
            fs::rename(file, imported)?;
        }
        Ok(shop)
    }

    /// Starts `stoa serve` and waits for its first answer; returns how long that took as well.
    pub(crate) fn serve(&self, cores: &Cores) -> Outcome<(Server, Duration)> {
        self.serve_with(cores, &[])
    }

    /// The same with settings, as the environment gives them.
    pub(crate) fn serve_with(&self, cores: &Cores, settings: &[(&str, &str)]) -> Outcome<(Server, Duration)> {
        let address = free_address()?;
        let log = File::create(self.folder.join("serve.log"))?;
        let start = Instant::now();
        let mut command = cores.server(&self.binary);
        command.env_clear().env("STOA_SERVER__LISTEN", address.to_string()).envs(settings.iter().copied());
        command.arg("--config").arg(self.folder.join("config.toml")).arg("serve");
        command.stdout(log.try_clone()?).stderr(log);
        let mut process = Running::start(&mut command)?;
        let client = Client::wait_for(address, LIST, || process.check())?;
        Ok((Server { process, address, client }, start.elapsed()))
    }

    /// Where a bare server beside this shop keeps its files.
    pub(crate) fn bare_folder(&self) -> PathBuf {
        self.folder.join("bare")
    }

    /// How the shop is called in the report.
    pub(crate) fn name(&self) -> String {
        let digits = self.catalog.slugs.len().to_string();
        let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
        groups.collect::<Vec<_>>().join(",")
    }
}

/// A serving shop.
pub(crate) struct Server {
    pub(crate) process: Running,
    pub(crate) address: SocketAddr,
    pub(crate) client: Client,
}

impl Server {
    /// Waits until the server can search.
    pub(crate) fn wait_for_search(&mut self) -> Outcome<()> {
        self.client.body(UNKNOWN_TERM).map(drop)
    }
}
