//! A program's life: its tables are frozen without any side effect, then opened on a database.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::Bytes;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use stoa_catalog::{Catalog, CatalogError, Frame};
use stoa_customers::customers::Credentials;
use stoa_kernel::audit;
use stoa_kernel::auth::{Authentication, Limiter, PasswordHasher, REDIS_PATIENCE, Usage};
use stoa_kernel::clock::Clock;
use stoa_kernel::config::Config;
use stoa_kernel::db::{Db, MigrationSet};
use stoa_kernel::encryption::Cipher;
use stoa_kernel::from_shop::{CatalogVersion, FromShop, ShopParts};
use stoa_kernel::http::openapi::{self, Installation};
use stoa_kernel::http::{Front, GuardState, router};
use stoa_kernel::mail;
use stoa_kernel::metrics::{Instruments, Metrics};
use stoa_kernel::migrations;
use stoa_kernel::module::{Given, Linked, ModuleContext, RegisterError, Registry, RegistryProblems};
use stoa_kernel::money::{Currency, MoneyFormatter};
use stoa_kernel::order_link::OrderLinks;
use stoa_kernel::outbound::{HttpClient, HttpClientError};
use stoa_kernel::pages::OwnApi;
use stoa_kernel::queue::{self, Lane, Runner};
use stoa_kernel::random::Random;
use stoa_notices::webhooks::{self, Sender};
use stoa_staff::StaffCredentials;

use crate::passwords::password_hasher;
use crate::site::{self, SiteState};

/// What a program brings along besides its modules.
pub struct ProgramParts {
    /// The checked configuration.
    pub config: Arc<Config>,
    /// The modules that are linked.
    pub linked: Linked,
    /// Names of modules that the configuration may mention although they are not linked.
    pub reserved: &'static [&'static str],
    /// The time.
    pub clock: Clock,
    /// Randomness.
    pub random: Random,
    /// The pages of the console.
    pub console: Option<RegisterConsole>,
}

/// Registers the pages of the console, which the host brings along.
pub type RegisterConsole =
    Arc<dyn Fn(&mut ModuleContext<'_>, &Config, &StaffCredentials, &Sender) -> Result<(), RegisterError> + Send + Sync>;

/// A program with frozen tables: it knows its routes, listeners, jobs and migrations, and has
/// touched nothing yet.
pub struct Program {
    /// The frozen tables.
    pub registry: Registry,
    /// The checked configuration.
    pub config: Arc<Config>,
    /// The password hasher.
    pub passwords: PasswordHasher,
    /// The one currency of all prices.
    pub currency: Currency,
    /// Writes amounts of that currency as the shop's locale does.
    pub money: Arc<MoneyFormatter>,
    /// What sends webhooks.
    pub webhooks: Sender,
    given: Given,
    random: Random,
    catalog: Arc<Catalog>,
    limiter: Arc<Limiter>,
    /// What is counted, if it may be asked for.
    metrics: Option<Metrics>,
    /// Made when the shop opens, unless a test brings that of the same program along.
    pub(crate) document: Arc<OnceLock<Bytes>>,
    /// How long a request waits for Redis; only tests change it.
    pub(crate) redis_patience: Duration,
}

/// Why a shop could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenShopError {
    /// The catalog could not start.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// Outbound HTTPS could not be prepared.
    #[error(transparent)]
    Http(#[from] HttpClientError),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] stoa_kernel::db::DbError),
    /// A module's start hook failed.
    #[error("the module `{module}` could not start: {reason}")]
    Module {
        /// The module.
        module: &'static str,
        /// What it said.
        reason: String,
    },
}

/// Core's own migrations.
pub(crate) fn core_migrations() -> MigrationSet {
    const ORDER_LINES: [(&str, &str); 2] =
        [("order_items", "order_lines"), ("unit_uses (order_item_id", "unit_uses (order_line_id")];
    migrations!(sqlite: "migrations/sqlite", postgres: "migrations/postgres").renames(49, &ORDER_LINES)
}

impl Program {
    /// Registers core and modules and freezes their tables. No tasks, and no I/O but reading the operator's texts.
    pub fn freeze(parts: ProgramParts) -> Result<Self, RegistryProblems> {
        let ProgramParts { config, linked, reserved, clock, random, console: pages } = parts;
        let passwords = password_hasher(&config, &random)
            .map_err(|problem| RegistryProblems { config: Vec::new(), registration: vec![problem] })?;
        let currency = Currency::from_code(config.shop.currency.code()).map_err(|error| RegistryProblems {
            config: Vec::new(),
            registration: vec![format!("shop.currency: {error}")],
        })?;
        let money = MoneyFormatter::new(&config.shop.locale.to_string(), currency).map_err(|error| {
            RegistryProblems { config: Vec::new(), registration: vec![format!("shop.locale: {error}")] }
        })?;
        let money = Arc::new(money);
        let catalog = Arc::new(Catalog::new(&config, &random));
        let limiter = Arc::new(Limiter::new(config.limits.clone(), clock.clone()));
        let document = Arc::new(OnceLock::new());
        let metrics = (config.server.metrics || config.telemetry.is_on()).then(Metrics::default);
        let features = Features {
            config: &config,
            catalog: &catalog,
            credentials: Credentials { limiter: Arc::clone(&limiter), passwords: passwords.clone() },
            staff: StaffCredentials { limiter: Arc::clone(&limiter), passwords: passwords.clone() },
            console: pages,
            webhooks: Sender::default(),
            document: &document,
            money: &money,
            metrics: metrics.as_ref(),
        };
        let http = HttpClient::unprepared();
        let console = config.console.enabled.then(|| config.console.path.0.as_str().into());
        let given = Given { clock: clock.clone(), http, console, bucket: config.media.bucket() };
        let registry = Registry::build(&linked, &config, reserved, &given, |cx| features.register(cx))?;
        let webhooks = features.webhooks.clone();
        Ok(Self {
            registry,
            config,
            passwords,
            currency,
            money,
            webhooks,
            given,
            random,
            catalog,
            limiter,
            metrics,
            document,
            redis_patience: REDIS_PATIENCE,
        })
    }

    /// The database handle of this program: with its randomness and its listeners.
    pub fn attach(&self, db: Db) -> Db {
        let db = db.with_random(self.random.clone()).with_events(Arc::clone(&self.registry.events));
        let db = db.with_texts(self.registry.texts.clone());
        db.telling_slow(self.config.log.slow())
    }

    /// What a shop of this program is made of, on a database.
    pub fn parts(&self, db: Db, cipher: Cipher, base_url: &str) -> Result<ShopParts, OpenShopError> {
        self.given.http.prepare()?;
        Ok(ShopParts {
            limiter: Arc::clone(&self.limiter),
            db: self.attach(db),
            clock: self.given.clock.clone(),
            random: self.random.clone(),
            cipher,
            http: self.given.http.clone(),
            config: Arc::clone(&self.config),
            base_url: base_url.into(),
            events: Arc::clone(&self.registry.events),
            tasks: Arc::clone(&self.registry.tasks),
            gateways: Arc::clone(&self.registry.gateways),
            texts: self.registry.texts.clone(),
            mail_templates: Arc::clone(&self.registry.mail_templates),
            currency: self.currency,
            money: Arc::clone(&self.money),
            console: Arc::clone(&self.registry.console),
            abilities: Arc::clone(&self.registry.abilities),
            capabilities: Arc::clone(&self.registry.capabilities),
            details: Arc::clone(&self.registry.details),
            selling: Arc::clone(&self.registry.selling),
            products: Arc::clone(&self.registry.products),
            shown: Arc::clone(&self.registry.shown),
            catalog_version: CatalogVersion::default(),
            order_page: self.registry.order_page,
            own_api: OwnApi::default(),
        })
    }

    /// The OpenAPI document of this program, as it is mounted.
    pub fn document(&self, base_url: &str) -> serde_json::Value {
        let Registry { routes, abilities, details, webhook_types, .. } = &self.registry;
        let shop_name = &*self.config.shop.name;
        openapi::document(routes, &Installation { shop_name, base_url, abilities, details, webhook_types })
    }

    /// Opens the shop on a migrated database under its public URL.
    pub async fn open(mut self, parts: ShopParts) -> Result<Shop, OpenShopError> {
        let base_url = Arc::clone(&parts.base_url);
        if self.config.webhooks.allow_private_destinations {
            tracing::warn!("webhooks.allow_private_destinations is on: webhooks may reach into this network");
        }
        webhooks::take_over(&parts.db, &parts.cipher, &parts.config).await?;
        self.catalog.start(&parts.db, Frame::from_shop(&parts)).await?;
        let document = self
            .document
            .get_or_init(|| Bytes::from(serde_json::to_vec(&self.document(&base_url)).expect("a document serializes")));
        let document = document.clone();
        for unmapped in self.registry.routes.unmapped() {
            tracing::warn!(
                module = unmapped.owner,
                route = unmapped.route.name,
                "no ability is mapped to the prefix of this route: it refuses everybody"
            );
        }
        let config = Arc::clone(&self.config);
        let metrics = self.metrics.take();
        self.limiter.open(&parts.cipher, metrics.clone(), self.redis_patience);
        let instruments = metrics.clone().map(|metrics| Instruments {
            metrics,
            measurements: Arc::clone(&self.registry.measurements),
            parts: parts.clone(),
        });
        let usage = Arc::new(Usage::default());
        let guard = Arc::new(GuardState {
            shop: parts.clone(),
            authentication: Authentication::from_shop(&parts),
            order_links: OrderLinks::from_shop(&parts),
            trusted_proxies: config.server.trusted_proxies.iter().copied().collect(),
            limiter: Arc::clone(&self.limiter),
            console_pages: self.registry.console_pages.clone(),
            usage: Arc::clone(&usage),
            names_routes: metrics.is_some() || config.log.access,
        });
        let has_storefront = self.registry.routes.entries.iter().any(|owned| owned.route.full_path() == "/");
        let leaving = CancellationToken::new();
        let site = site::routes(
            SiteState {
                parts: parts.clone(),
                migrations: self.registry.migrations.clone().into(),
                instruments: instruments.clone().filter(|_| config.server.metrics),
                write_probe: Arc::default(),
                leaving: leaving.clone(),
            },
            has_storefront,
        );
        let origins = config.server.allowed_origins.iter().map(|origin| origin.as_str().to_owned()).collect::<Vec<_>>();
        let routes = std::mem::take(&mut self.registry.routes);
        let app = router(routes, site, &guard, &origins);
        let front = Front::new(app, metrics, guard, self.registry.error_pages.clone());
        Ok(Shop {
            front,
            parts,
            registry: self.registry,
            catalog: self.catalog,
            usage,
            webhooks: self.webhooks,
            document,
            instruments,
            leaving,
        })
    }
}

/// Core's features, which register themselves like a module ("module zero").
struct Features<'a> {
    config: &'a Config,
    catalog: &'a Arc<Catalog>,
    credentials: Credentials,
    staff: StaffCredentials,
    console: Option<RegisterConsole>,
    webhooks: Sender,
    document: &'a Arc<OnceLock<Bytes>>,
    money: &'a Arc<MoneyFormatter>,
    metrics: Option<&'a Metrics>,
}

impl Features<'_> {
    fn register(&self, cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.migrations(core_migrations());
        cx.routes(Arc::clone(self.document), openapi::document_routes())?;
        stoa_catalog::register(cx, self.catalog)?;
        queue::register(cx);
        stoa_customers::register(cx, self.config, &self.credentials)?;
        mail::register(cx);
        stoa_selling::register(cx, self.config, self.money, self.metrics.cloned(), &self.credentials.limiter)?;
        stoa_notices::register(cx, self.config, self.webhooks.clone());
        stoa_gateways::register(cx, self.config)?;
        audit::register(cx);
        stoa_staff::register(cx);
        register_console_abilities(cx);
        if let Some(pages) = self.console.as_ref().filter(|_| self.config.console.enabled) {
            pages(cx, self.config, &self.staff, &self.webhooks)?;
        }
        Ok(())
    }
}

/// What can be done in the console about the shop as a whole.
fn register_console_abilities(cx: &mut ModuleContext<'_>) {
    for (name, opens) in [
        ("health.view", "see what needs attention, as `stoa doctor` tells it"),
        ("modules.view", "see the modules and what they bring"),
        ("settings.view", "see the configuration in force, without its secrets"),
        ("jobs.view", "see the jobs and what waits"),
        ("jobs.run", "run jobs now"),
        ("events.view", "see events that could not be delivered"),
        ("events.retry", "try events again"),
    ] {
        cx.console_ability(name, opens);
    }
}

/// An open shop: it can answer requests, and work in the background.
pub struct Shop {
    /// The whole application, for the server.
    pub front: Front,
    /// What it is made of.
    pub parts: ShopParts,
    /// The frozen tables, without the routes, which are mounted.
    pub registry: Registry,
    catalog: Arc<Catalog>,
    usage: Arc<Usage>,
    /// What sends webhooks.
    pub webhooks: Sender,
    /// The OpenAPI document, as `GET /openapi.json` answers it.
    pub document: Bytes,
    /// What it counts and measures, if anybody wants to know.
    pub instruments: Option<Instruments>,
    /// Cancelled when this instance shall get no more requests: `/health/ready` says so, everything else goes on.
    pub leaving: CancellationToken,
}

impl Shop {
    /// Starts what runs beside the requests: following the catalog, the modules' start hooks, and
    /// the runner of events and jobs if `worker.enabled`.
    pub async fn start(&mut self, tracker: &TaskTracker, stop: &CancellationToken) -> Result<(), OpenShopError> {
        let (catalog, db, until) = (Arc::clone(&self.catalog), self.parts.db.clone(), stop.clone());
        tracker.spawn(async move { catalog.follow(&db, &until).await });
        let (usage, db, until) = (Arc::clone(&self.usage), self.parts.db.clone(), stop.clone());
        tracker.spawn(async move { usage.keep_writing(&db, &until).await });
        self.run_start_hooks(tracker, stop).await?;
        if self.parts.config.worker.enabled {
            // What a command has written beside the server shall not wait for the next minute.
            tracker.spawn(self.runner().following_the_database_beside_requests().run(stop.clone()));
        }
        Ok(())
    }

    /// Starts what `stoa worker` runs: the modules' start hooks, and the runner of the queue, for these lanes or for all,
    /// which here looks for what other programs have written. The returned task ends after `stop`.
    pub async fn start_worker(
        &mut self,
        lanes: Option<Vec<Lane>>,
        tracker: &TaskTracker,
        stop: &CancellationToken,
    ) -> Result<JoinHandle<()>, OpenShopError> {
        self.run_start_hooks(tracker, stop).await?;
        let runner = self.runner().following_the_database().only(lanes);
        Ok(tracker.spawn(runner.run(stop.clone())))
    }

    async fn run_start_hooks(&mut self, tracker: &TaskTracker, stop: &CancellationToken) -> Result<(), OpenShopError> {
        let started = self.registry.starting.run(&self.parts, tracker, stop).await;
        started.map_err(|(module, reason)| OpenShopError::Module { module, reason })
    }

    /// The runner of events and jobs.
    pub fn runner(&self) -> Runner {
        let seconds = self.parts.config.webhooks.scheduler_interval_seconds;
        let interval = Duration::from_secs(seconds);
        Runner::new(self.parts.clone(), interval)
    }

    /// Writes at once when tokens and sessions were last used, instead of a moment later.
    pub async fn write_usage(&self) -> Result<(), stoa_kernel::db::DbError> {
        self.usage.write(&self.parts.db).await
    }

    /// Takes over the newest catalog at once, instead of when it is noticed.
    pub async fn refresh_catalog(&self) -> Result<(), stoa_kernel::db::DbError> {
        self.catalog.refresh(&self.parts.db).await
    }
}
