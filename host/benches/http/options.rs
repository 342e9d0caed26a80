//! The arguments after `--`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;

/// What can be measured, in the order of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scenario {
    Import,
    Start,
    FirstPages,
    List,
    Page400,
    Product,
    Pages,
    Search,
    ListSearch,
    Account,
    Buying,
    Modules,
    Lives,
    Endpoints,
    OrderHistory,
    Console,
    LoginFlood,
    Memory,
}

impl Scenario {
    /// The name by which it is chosen.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Import => "import",
            Self::Start => "start",
            Self::FirstPages => "first-pages",
            Self::List => "list",
            Self::Page400 => "page-400",
            Self::Product => "product",
            Self::Pages => "pages",
            Self::Search => "search",
            Self::ListSearch => "list-search",
            Self::Account => "account",
            Self::Buying => "buying",
            Self::Modules => "modules",
            Self::Lives => "lives",
            Self::Endpoints => "endpoints",
            Self::OrderHistory => "order-history",
            Self::Console => "console",
            Self::LoginFlood => "login-flood",
            Self::Memory => "memory",
        }
    }
}

/// Measure the release binary over HTTP.
#[derive(Debug, Parser)]
#[command(name = "http")]
pub(crate) struct Options {
    /// Only scenarios of these names: import, start, first-pages, list, page-400, product, pages, search,
    /// list-search, account, buying, modules, lives, endpoints, order-history, console, login-flood, memory. Default: all.
    pub(crate) scenarios: Vec<String>,

    /// Seconds of one measurement; each is repeated in rounds.
    #[arg(long, default_value_t = 3)]
    seconds: u32,

    /// Rounds of each measurement.
    #[arg(long, default_value_t = 5)]
    pub(crate) rounds: u32,

    /// Sizes of the catalog.
    #[arg(long, value_delimiter = ',', default_values_t = [1_000, 100_000])]
    pub(crate) products: Vec<u32>,

    /// Connections at full load.
    #[arg(long, default_value_t = 64)]
    pub(crate) connections: u32,

    /// Requests per second of the searches.
    #[arg(long, default_value_t = 500)]
    pub(crate) rate: u32,

    /// Use the databases that the last run has left, instead of importing again.
    #[arg(long)]
    pub(crate) reuse: bool,

    /// The binary to measure. Default: the one that cargo has just built.
    #[arg(long, default_value = env!("CARGO_BIN_EXE_stoa"))]
    pub(crate) binary: PathBuf,

    /// Only what this file has customers do, in the shop at --at.
    #[arg(long)]
    pub(crate) journey: Option<PathBuf>,

    /// Host and port of a shop that runs, perhaps another maker's.
    #[arg(long, default_value = "127.0.0.1:8080")]
    pub(crate) at: String,

    /// Given by `cargo bench`.
    #[arg(long, hide = true)]
    pub(crate) bench: bool,

    /// Be the bare server, with the bodies in this folder.
    #[arg(long, hide = true)]
    pub(crate) bare: Option<PathBuf>,
}

impl Options {
    /// Whether the scenario was chosen.
    pub(crate) fn wants(&self, scenario: Scenario) -> bool {
        self.scenarios.is_empty() || self.scenarios.iter().any(|name| name == scenario.name())
    }

    /// Whether a scenario was chosen that reads the catalog.
    pub(crate) fn wants_catalog(&self) -> bool {
        let others = [
            Scenario::Account,
            Scenario::Buying,
            Scenario::Modules,
            Scenario::Lives,
            Scenario::Endpoints,
            Scenario::OrderHistory,
            Scenario::Console,
        ];
        let others = others.map(Scenario::name);
        self.scenarios.is_empty() || self.scenarios.iter().any(|name| !others.contains(&name.as_str()))
    }

    /// How long one measurement takes.
    pub(crate) fn duration(&self) -> Duration {
        Duration::from_secs(u64::from(self.seconds))
    }
}
