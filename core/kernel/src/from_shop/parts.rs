//! What a running shop is made of.

use std::sync::Arc;

use super::{CatalogVersion, OrderPage};
use crate::auth::{AbilityCatalog, Limiter};
use crate::clock::Clock;
use crate::config::Config;
use crate::console::ConsoleAbilities;
use crate::db::Db;
use crate::doctor::Examination;
use crate::encryption::Cipher;
use crate::events::EventBus;
use crate::gateways::GatewayTable;
use crate::http::openapi::ApiMembers;
use crate::i18n::Texts;
use crate::jobs::JobTable;
use crate::mail::MailTemplates;
use crate::module::{DetailsTable, FacetTable, ModuleDescription, ProductModules, SellingRules, WebhookTypes};
use crate::money::{Currency, MoneyFormatter};
use crate::outbound::HttpClient;
use crate::pages::{OwnApi, PageFrame, PageListers, PageTemplates, PanelTable};
use crate::queue::TaskKinds;
use crate::random::Random;

/// Tables of the program that pages show something of.
pub struct ShownTables {
    /// The modules' parts of the storefront's pages.
    pub panels: PanelTable,
    /// The templates of the modules' own pages.
    pub page_templates: PageTemplates,
    /// What frames these pages.
    pub(crate) frame: PageFrame,
    /// What modules let customers choose products by.
    pub(crate) facets: FacetTable,
    /// What lists the modules' public pages.
    pub(crate) sitemap: PageListers,
    /// The scheduled jobs.
    pub jobs: Arc<JobTable>,
    /// All linked modules.
    pub modules: Arc<Vec<ModuleDescription>>,
    /// The parts of `stoa doctor` that look at a shop.
    pub examinations: Arc<Vec<Examination>>,
    /// The types of events that webhooks tell of.
    pub webhook_types: Arc<WebhookTypes>,
    /// The names of what the API answers and takes.
    pub members: ApiMembers,
}

/// What a running shop is made of. Only programs put it together; all else takes what it uses by [`FromShop`](super::FromShop).
/// Cloning is cheap.
#[derive(Clone)]
pub struct ShopParts {
    /// The database.
    pub db: Db,
    /// The time.
    pub clock: Clock,
    /// Randomness for tokens, ids and secrets.
    pub random: Random,
    /// Encryption of what is secret in the database.
    pub cipher: Cipher,
    /// Outbound HTTP.
    pub http: HttpClient,
    /// The checked configuration.
    pub config: Arc<Config>,
    /// The public URL of the shop, without a trailing slash.
    pub base_url: Arc<str>,
    /// The listeners, for announcing preflight events.
    pub events: Arc<EventBus>,
    /// What the queue may hold.
    pub tasks: Arc<TaskKinds>,
    /// The gateways.
    pub gateways: Arc<GatewayTable>,
    /// The one currency of all prices.
    pub currency: Currency,
    /// Writes amounts of that currency as the shop's locale does.
    pub money: Arc<MoneyFormatter>,
    /// What can be done in the console, and by whom.
    pub console: Arc<ConsoleAbilities>,
    /// What access tokens can open.
    pub abilities: Arc<AbilityCatalog>,
    /// What counts requests against the limits.
    pub limiter: Arc<Limiter>,
    /// Capability keys that are available, sorted.
    pub capabilities: Arc<[&'static str]>,
    /// All texts, with the operator's own among them.
    pub texts: Texts,
    /// The texts of all mails, with the operator's own among them.
    pub mail_templates: Arc<MailTemplates>,
    /// What modules say about products.
    pub details: Arc<DetailsTable>,
    /// What the linked modules are to products.
    pub products: Arc<ProductModules>,
    /// What modules have a say in when something is sold.
    pub selling: Arc<SellingRules>,
    /// What pages show of the program.
    pub shown: Arc<ShownTables>,
    /// The version of the catalog.
    pub catalog_version: CatalogVersion,
    /// The shop's own page of one order.
    pub order_page: OrderPage,
    /// The shop's own API, for its pages.
    pub own_api: OwnApi,
}
