//! Configuration: what an operator can set, where it is read from, and what is said when it is
//! wrong.
//!
//! Layers lie over one another (contract 1): the [defaults](Config::default), which `config.toml` at
//! the top of the project shows and which are compiled in; the operator's file; environment
//! variables `STOA_A__B`; flags. Each section is a struct in a file of its own. Every problem names its file and line or
//! its variable, the full key, what was expected, and the key that was probably meant; all problems
//! are told together, and none repeats a secret.
//!
//! To add a setting, add a field with its doc comment and default to the section's struct, and the
//! key with a comment for operators to `config.toml`. Tests fail until both say the same.

mod accounts;
mod address;
mod authority;
mod catalog;
mod check;
mod country;
mod database;
mod error;
mod invoices;
mod limits;
mod log;
mod mail;
mod media;
mod misnamed;
mod modules;
mod network;
mod orders;
mod payments;
mod secrets;
mod seller;
mod server;
mod shipping;
mod shop;
mod sources;
mod tax;
mod tree;
mod value;
mod webhook_endpoint;
mod webhooks;
mod worker;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub use accounts::{AccountsConfig, PasswordHashConfig, SessionsConfig};
pub use address::{BaseUrl, WebOrigin};
pub use catalog::CatalogConfig;
pub use country::CountryCode;
pub use database::{DatabaseConfig, DatabaseUrl, PostgresUrl};
pub use error::{ConfigError, ConfigProblem, Origin, Position};
pub use invoices::InvoicesConfig;
pub use limits::{LimitStore, LimitsConfig, RateLimit, RedisUrl};
pub use log::{LogConfig, LogFilter, LogFormat};
pub use mail::{MailConfig, Sender, SmtpConfig, SmtpEncryption};
pub use media::MediaConfig;
pub use misnamed::MisnamedVariable;
pub use modules::ModuleSection;
pub use network::{DnsServer, TrustedProxy};
pub use orders::OrdersConfig;
pub use payments::{
    DevelopmentConfig, MIN_KEY, MIN_SIGNING_KEY, ManualConfig, MollieConfig, PaymentsConfig, PaypalConfig, StripeConfig,
};
pub use secrets::{EncryptionKey, SecretsConfig};
pub use seller::SellerConfig;
pub use server::ServerConfig;
pub use shipping::{ShippingConfig, ShippingMethod};
pub use shop::ShopConfig;
pub use sources::Sources;
pub use tax::{BasisPoints, TaxConfig, TaxRates};
pub use webhook_endpoint::{EVENT_TYPES, EndpointKind, is_usable_secret};
pub use webhooks::{WebhookEndpoint, WebhooksConfig};
pub use worker::WorkerConfig;

use check::{Check, Section};
use sources::Layers;
use tree::{Hints, KeyPath, Node, Problems, decode, unknown_key};

pub(crate) use tree::closest;

/// Everything that an operator can set.
///
/// The default has every setting as `config.toml` shows it, with relative paths left relative.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Config {
    /// The HTTP server.
    pub server: ServerConfig,
    /// The database.
    pub database: DatabaseConfig,
    /// Name, currency, language and countries.
    pub shop: ShopConfig,
    /// The company behind the shop, for invoices.
    pub seller: SellerConfig,
    /// How the catalog is served.
    pub catalog: CatalogConfig,
    /// Pictures.
    pub media: MediaConfig,
    /// The modules that the configuration mentions, by key.
    pub modules: BTreeMap<String, ModuleSection>,
    /// The life of an order.
    pub orders: OrdersConfig,
    /// Numbers of invoices and credit notes.
    pub invoices: InvoicesConfig,
    /// Taxes.
    pub tax: TaxConfig,
    /// Ways of shipping.
    pub shipping: ShippingConfig,
    /// Payment gateways.
    pub payments: PaymentsConfig,
    /// Registration, passwords and sessions.
    pub accounts: AccountsConfig,
    /// E-mail to customers.
    pub mail: MailConfig,
    /// Rate limits.
    pub limits: LimitsConfig,
    /// Outbound webhooks.
    pub webhooks: WebhooksConfig,
    /// Jobs in the background.
    pub worker: WorkerConfig,
    /// The key for what is encrypted at rest.
    pub secrets: SecretsConfig,
    /// The log.
    pub log: LogConfig,
    /// Where relative paths start: the folder of the configuration file, else the working directory.
    pub folder: PathBuf,
}

/// A configuration, and where it came from.
#[derive(Debug, Clone)]
pub struct LoadedConfig {
    /// The settings, with all paths resolved.
    pub config: Config,
    /// The file that was read, if there was one.
    pub file: Option<PathBuf>,
    /// Where relative paths start: the folder of that file, else the working directory.
    pub folder: PathBuf,
    /// Variables that would be settings if their levels were set apart by `__`, and are ignored as they are.
    pub misnamed: Vec<MisnamedVariable>,
}

impl Config {
    /// Reads, decodes and checks the configuration.
    ///
    /// What only the program around it can know is left to it: the
    /// [keys](Self::check_module_keys) and the [settings](ModuleSection::decode) of modules.
    pub fn load(sources: Sources) -> Result<LoadedConfig, ConfigError> {
        let Layers { defaults, root, file, folder, misnamed } = sources.read()?;
        let config = Self::decode(root, &defaults, &folder)?;
        Ok(LoadedConfig { config, file, folder, misnamed })
    }

    fn decode(root: Node, defaults: &Node, folder: &Path) -> Result<Self, ConfigError> {
        let mut sections = Sections { root, defaults, folder, known: Vec::new(), problems: Problems::default() };
        let config = Self {
            server: sections.take(),
            database: sections.take(),
            shop: sections.take(),
            seller: sections.take(),
            catalog: sections.take(),
            media: sections.take(),
            modules: sections.take_modules(),
            orders: sections.take(),
            invoices: sections.take(),
            tax: sections.take(),
            shipping: sections.take(),
            payments: sections.take(),
            accounts: sections.take(),
            mail: sections.take(),
            limits: sections.take(),
            webhooks: sections.take(),
            worker: sections.take(),
            secrets: sections.take(),
            log: sections.take(),
            folder: folder.to_path_buf(),
        };
        ConfigError::unless_empty(sections.finish())?;
        Ok(config)
    }
}

/// Takes the tree apart into sections; what is left over at the end is unknown.
struct Sections<'a> {
    root: Node,
    defaults: &'a Node,
    folder: &'a Path,
    known: Vec<&'static str>,
    problems: Problems,
}

impl Sections<'_> {
    fn take<S: Section>(&mut self) -> S {
        self.known.push(S::KEY);
        let Some(node) = self.root.take(S::KEY) else {
            return S::default();
        };
        let hints = Hints { root: &node.path, also_known: &[], defaults: Some(self.defaults) };
        let Some(mut section) = decode::<S>(&node, hints, &mut self.problems) else {
            return S::default();
        };
        section.resolve_paths(self.folder);
        section.check(&mut Check::new(&node, &mut self.problems));
        section
    }

    fn take_modules(&mut self) -> BTreeMap<String, ModuleSection> {
        self.known.push(modules::MODULES);
        match self.root.take(modules::MODULES) {
            Some(node) => modules::read(node, &mut self.problems),
            None => BTreeMap::new(),
        }
    }

    fn finish(mut self) -> Vec<ConfigProblem> {
        let hints = Hints { root: &KeyPath::root(), also_known: &[], defaults: Some(self.defaults) };
        for node in self.root.entries().into_iter().flat_map(BTreeMap::values) {
            self.problems.list.push(unknown_key(&node.path, node.origin.clone(), &self.known, hints));
        }
        self.problems.list
    }
}
