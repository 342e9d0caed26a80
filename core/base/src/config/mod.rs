//! Configuration: what an operator can set, where it is read from, and what is said when it is
//! wrong.
//!
//! Layers lie over one another (contract 1), merged by figment: the [defaults](Config::default), which are `config.toml` at
//! the top of the project, compiled in; the operator's file; environment
//! variables `STOA_A__B`; flags. Each section is a struct in a file of its own. Every problem names its file and line or
//! its variable, the full key, what was expected, and the key that was probably meant; all problems
//! are told together, and none repeats a secret.
//!
//! To add a setting, add a field with its doc comment to the section's struct, and the key with its default and a comment for
//! operators to `config.toml`. Tests fail until both are there.

mod accounts;
mod address;
mod authority;
mod catalog;
mod check;
mod consents;
mod console;
mod consumer_rights;
mod country;
mod database;
mod error;
mod in_force;
mod invoices;
mod layer;
mod limits;
mod log;
mod mail;
mod media;
mod misnamed;
mod modules;
mod network;
mod orders;
mod payments;
mod postgres_url;
mod s3;
mod secrets;
mod seller;
mod server;
mod shipping;
mod shop;
mod sources;
mod target_session;
mod tax;
mod telemetry;
mod tree;
mod value;
mod webhook_endpoint;
mod webhooks;
mod worker;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;

pub use accounts::{AccountsConfig, PasswordHashConfig, SessionsConfig};
pub use address::{BaseUrl, ServiceUrl, WebOrigin};
pub use catalog::{CatalogConfig, PurgeConfig, PurgeKind, SharedCacheConfig};
pub use consents::{ConsentConfig, ConsentScope};
pub use console::{ConsoleConfig, ConsoleNetwork, ConsolePath, ConsoleRole};
pub use consumer_rights::{ConsumerRights, DigitalWithoutWaiver};
pub use country::CountryCode;
pub use database::{DatabaseConfig, DatabaseUrl, Pooler};
pub use error::{ConfigError, ConfigProblem, Origin, Position};
pub use in_force::{SettingInForce, SettingsInForce};
pub use invoices::{InvoicesConfig, NumberPrefix, SeriesName, SeriesOf};
pub use limits::{LimitStore, LimitsConfig, RateLimit, RedisUrl};
pub use log::{LogConfig, LogFilter, LogFormat};
pub use mail::{MailConfig, Sender, SmtpConfig, SmtpEncryption};
pub use media::{BucketUrl, MediaConfig};
pub use misnamed::MisnamedVariable;
pub use modules::ModuleSection;
pub use network::{DnsServer, TrustedProxy};
pub use orders::OrdersConfig;
pub use payments::{
    DevelopmentConfig, MIN_KEY, MIN_SIGNING_KEY, ManualConfig, MollieConfig, PaymentsConfig, PaypalConfig,
    SimulatedConfig, StripeConfig,
};
pub use postgres_url::{PostgresHost, PostgresUrl};
pub use s3::{S3Access, default_region};
pub use secrets::{EncryptionKey, SecretsConfig};
pub use seller::SellerConfig;
pub use server::ServerConfig;
pub use shipping::{Carrier, ShippingConfig, ShippingMethod};
pub use shop::ShopConfig;
pub use sources::Sources;
pub use target_session::TargetSession;
pub use tax::{BasisPoints, TaxConfig, TaxRates};
pub use telemetry::TelemetryConfig;
pub use webhook_endpoint::{EVENT_TYPES, EndpointKind, is_usable_secret};
pub use webhooks::{WebhookEndpoint, WebhooksConfig};
pub use worker::WorkerConfig;

use check::Check;
use sources::Layers;
use tree::{KeyPath, Problems, Tree};

#[doc(hidden)]
pub use network::unify;

/// Everything that an operator can set.
///
/// The default has every setting as `config.toml` shows it, with relative paths left relative.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
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
    /// Images.
    pub media: MediaConfig,
    /// The modules that the configuration mentions, by key.
    #[serde(default)]
    pub modules: BTreeMap<String, ModuleSection>,
    /// The life of an order.
    pub orders: OrdersConfig,
    /// Numbers of invoices and credit notes.
    pub invoices: InvoicesConfig,
    /// Taxes.
    pub tax: TaxConfig,
    /// Shipping methods.
    pub shipping: ShippingConfig,
    /// Payment gateways.
    pub payments: PaymentsConfig,
    /// Registration, passwords and sessions.
    pub accounts: AccountsConfig,
    /// The place where operators work.
    pub console: ConsoleConfig,
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
    /// Traces and metrics for a collector.
    pub telemetry: TelemetryConfig,
    /// Where relative paths start: the folder of the configuration file, else the working directory.
    #[serde(skip)]
    pub folder: PathBuf,
    /// Each setting with where it was written, without secrets, for operators.
    #[serde(skip)]
    pub in_force: SettingsInForce,
}

impl Default for Config {
    fn default() -> Self {
        let defaults = Sources::defaults();
        Self::decode(&Arc::new(defaults), Path::new("")).expect("a test reads the defaults")
    }
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
        let Layers { tree, file, folder, misnamed } = sources.read()?;
        let config = Self::decode(&Arc::new(tree), &folder)?;
        Ok(LoadedConfig { config, file, folder, misnamed })
    }

    fn decode(tree: &Arc<Tree>, folder: &Path) -> Result<Self, ConfigError> {
        let mut problems = Problems::default();
        let root = KeyPath::default();
        let decoded: Option<Self> = tree.decode(&root, modules::switches(tree.root()), &mut problems);
        let checked = decoded.map(|mut config| {
            config.resolve_paths(folder);
            config.check(&mut Check::new(tree, &mut problems));
            config.in_force = SettingsInForce::of(tree);
            for (key, section) in &mut config.modules {
                section.settings_are_in(tree, key);
            }
            config
        });
        ConfigError::unless_empty(problems.list)?;
        Ok(checked.expect("without a problem there is a configuration"))
    }

    /// Makes relative paths start at `folder`.
    fn resolve_paths(&mut self, folder: &Path) {
        let resolve = |path: &mut PathBuf| *path = folder.join(&*path);
        self.database.url = self.database.url.clone().resolved_from(folder);
        resolve(&mut self.media.folder);
        resolve(&mut self.media.scaled_folder);
        resolve(&mut self.secrets.key_file);
        let Self { shop, mail, webhooks, .. } = self;
        [&mut shop.texts, &mut mail.templates, &mut mail.smtp.extra_ca_file, &mut webhooks.extra_ca_file]
            .into_iter()
            .flatten()
            .for_each(resolve);
        self.folder = folder.to_path_buf();
    }

    /// Notes what is wrong beyond the form of single settings.
    fn check(&self, check: &mut Check<'_>) {
        self.database.check(&mut check.table("database"));
        self.shop.check(&mut check.table("shop"));
        self.catalog.check(&mut check.table("catalog"));
        self.media.check(&mut check.table("media"));
        self.shipping.check(&mut check.table("shipping"));
        self.invoices.check(&mut check.table("invoices"));
        self.payments.check(&mut check.table("payments"));
        self.accounts.check(&mut check.table("accounts"));
        self.console.check(&mut check.table("console"));
        self.mail.check(&mut check.table("mail"));
        self.webhooks.check(&mut check.table("webhooks"));
        self.telemetry.check(&mut check.table("telemetry"));
    }
}
