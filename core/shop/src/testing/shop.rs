//! A whole shop in a test.

use std::fmt::Write;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use tempfile::TempDir;

use stoa_customers::addresses::{Address, AddressDraft, PostalAddress, create_address};
use stoa_customers::customers::{CustomerRecord, NewCustomer, create_customer};
use stoa_kernel::auth::PasswordHasher;
use stoa_kernel::clock::Clock;
use stoa_kernel::config::{Config, EncryptionKey, PasswordHashConfig, Sources};
use stoa_kernel::db::{Backend, DbError, MigrationSet};
use stoa_kernel::encryption::Cipher;
use stoa_kernel::from_shop::FromShop;
use stoa_kernel::module::{Linked, Module, ModuleEntry, RegistryProblems};
use stoa_kernel::random::Random;
use stoa_notices::webhooks::{Resolve, WebhookEvent};

use super::browser::TestBrowser;
use super::client::TestClient;
use super::command::{CommandEnd, run_command};
use super::database::{TestDatabase, temporary_folder};
use super::gateway::TestGateway;
use super::published::{Published, Recipe, open};
use super::redis::TestRedis;
use crate::program::{Program, ProgramParts, RegisterConsole, Shop};
use crate::verification::verify;

/// Where the shop believes to be reachable, unless the configuration says otherwise.
const BASE_URL: &str = "http://shop.test";

/// When tests begin: Thursday, 15 January 2026, at noon.
const START_SECONDS: i64 = 1_768_478_400;

/// The least that Argon2 can do. What protects passwords in production would take most of a test's time.
const CHEAP: PasswordHashConfig = PasswordHashConfig { memory_kib: 8, iterations: 1, parallelism: 1 };

/// How long requests wait for Redis, which must not look away because the machine is busy.
const REDIS_PATIENCE: Duration = Duration::from_secs(20);

/// The key of all test shops that count in memory, so that several can share a database.
const KEY: EncryptionKey = EncryptionKey::new([7; 32]);

/// How a test's shop shall be.
pub struct TestShopBuilder {
    backend: Backend,
    database: Option<TestDatabase>,
    entries: Vec<ModuleEntry>,
    enabled: Vec<&'static str>,
    reserved: &'static [&'static str],
    config: String,
    clock: Clock,
    seed: u64,
    redis: Option<TestRedis>,
    redis_patience: Duration,
    resolver: Option<Arc<dyn Resolve>>,
    console: Option<RegisterConsole>,
}

impl TestShopBuilder {
    fn new(backend: Backend) -> Self {
        let start = DateTime::from_timestamp(START_SECONDS, 0).expect("a valid time");
        Self {
            backend,
            database: None,
            entries: Vec::new(),
            enabled: Vec::new(),
            reserved: &[],
            config: String::new(),
            clock: Clock::manual(start),
            seed: 1,
            redis: None,
            redis_patience: REDIS_PATIENCE,
            resolver: None,
            console: None,
        }
    }

    /// Links a module and enables it.
    #[must_use]
    pub fn module<M: Module>(self) -> Self {
        self.enabled(&[M::NAME]).linked_module(ModuleEntry::of::<M>("test", "0.0.0"))
    }

    /// Links a module and leaves it to the configuration whether it is enabled.
    #[must_use]
    pub fn linked_module(mut self, entry: ModuleEntry) -> Self {
        self.entries.push(entry);
        self
    }

    /// Links all modules that the test binary contains, and leaves it to the configuration which are enabled.
    #[must_use]
    pub fn all_modules(mut self) -> Self {
        self.entries.extend(inventory::iter::<ModuleEntry>.into_iter().copied());
        self
    }

    /// Enables these of the modules that are linked.
    #[must_use]
    pub fn enabled(mut self, names: &[&'static str]) -> Self {
        self.enabled.extend(names);
        self
    }

    /// Names of modules that the configuration may mention although they are not linked.
    #[must_use]
    pub fn reserved(mut self, names: &'static [&'static str]) -> Self {
        self.reserved = names;
        self
    }

    /// Adds to the configuration file, in TOML. Relative paths start at a folder of the shop's own.
    #[must_use]
    pub fn config(mut self, toml: &str) -> Self {
        let _ = writeln!(self.config, "{toml}");
        self
    }

    /// Uses a database that another shop uses too, as a second instance would.
    #[must_use]
    pub fn on(mut self, database: &TestDatabase) -> Self {
        self.database = Some(database.clone());
        self
    }

    /// Uses another shop's clock, so that both are moved together.
    #[must_use]
    pub fn clock(mut self, clock: &Clock) -> Self {
        self.clock = clock.clone();
        self
    }

    /// Brings these pages of the console along, and switches it on.
    #[must_use]
    pub fn console(mut self, pages: RegisterConsole) -> Self {
        self.console = Some(pages);
        self.config("[console]\nenabled = true")
    }

    /// Draws other random numbers; instances on one database must differ in this.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Counts limits there.
    #[must_use]
    pub fn redis(mut self, redis: &TestRedis) -> Self {
        self.redis = Some(redis.clone());
        self
    }

    /// Lets requests wait so long for Redis, instead of longer than a busy machine makes them wait.
    #[must_use]
    pub fn redis_patience(mut self, patience: Duration) -> Self {
        self.redis_patience = patience;
        self
    }

    /// Looks the names of webhook destinations up there.
    #[must_use]
    pub fn resolver(mut self, resolver: impl Resolve) -> Self {
        self.resolver = Some(Arc::new(resolver));
        self
    }

    /// Freezes the program without opening it: what `stoa check` does.
    pub fn freeze(self) -> Result<Program, RegistryProblems> {
        self.freeze_in(&temporary_folder())
    }

    fn freeze_in(&self, folder: &TempDir) -> Result<Program, RegistryProblems> {
        let file = folder.path().join("config.toml");
        std::fs::write(&file, &self.config).expect("the temporary folder can be written");
        let enabled = self.enabled.iter().map(|name| format!("modules.{name}.enabled"));
        let mut sources = enabled.fold(Sources::new(folder.path()).file(file), |sources, key| sources.flag(key, true));
        if let Some(redis) = &self.redis {
            sources = sources.flag("limits.store", redis.url().expose());
        }
        let loaded = match Config::load(sources) {
            Ok(loaded) => loaded,
            Err(error) => return Err(RegistryProblems { config: error.into_problems(), registration: Vec::new() }),
        };
        let mut config = loaded.config;
        config.accounts.password_hash = CHEAP;
        Program::freeze(ProgramParts {
            config: Arc::new(config),
            linked: Linked::of(self.entries.iter().copied()),
            reserved: self.reserved,
            clock: self.clock.clone(),
            random: Random::seeded(self.seed),
            console: self.console.clone(),
        })
    }

    /// Opens the shop on a database with all its migrations.
    pub async fn open(self) -> TestShop {
        let folder = temporary_folder();
        let mut program = self.freeze_in(&folder).unwrap_or_else(|problems| panic!("{problems}"));
        program.redis_patience = self.redis_patience;
        if let Some(resolver) = &self.resolver {
            program.webhooks.resolve_with(Arc::clone(resolver));
        }
        let database = match self.database {
            Some(database) => database,
            None => TestDatabase::new(self.backend).await,
        };
        let db = database.open(self.clock.clone()).await;
        let dormant = db.known_sets(&program.registry.dormant_migrations).await.expect("the database can be read");
        let sets = [program.registry.migrations.as_slice(), &dormant].concat();
        db.migrate(&sets).await.expect("migrations apply");
        let passwords = program.passwords.clone();
        let base_url = program.config.server.base_url.as_ref().map_or(BASE_URL, |url| url.as_str()).to_owned();
        let cipher = Cipher::new(self.redis.as_ref().map_or(&KEY, |redis| &redis.key), Random::seeded(self.seed));
        let parts = program.parts(db, cipher, &base_url).expect("services can be made");
        let recipe = Recipe::new(self.config, self.enabled, &self.entries, self.console.is_some(), base_url);
        let (shop, published) = open(program, parts, recipe).await;
        let shop = TestShop {
            published,
            shop,
            clock: self.clock,
            passwords,
            database,
            customers: AtomicU32::new(0),
            seed: self.seed,
            folder,
        };
        shop.refresh_catalog().await;
        shop
    }
}

/// Core's own migrations, taken from a program without modules.
pub(super) fn core_migrations() -> Vec<MigrationSet> {
    let program = TestShopBuilder::new(Backend::Sqlite).freeze().expect("a program without modules has no problems");
    program.registry.migrations
}

/// An open shop without background work: the test decides when jobs run and when the catalog is looked at.
pub struct TestShop {
    shop: Shop,
    /// What its answers are held against.
    published: Arc<Published>,
    /// The time, which stands still until it is moved.
    pub clock: Clock,
    /// The hasher of passwords, with the cheapest parameters.
    pub passwords: PasswordHasher,
    database: TestDatabase,
    customers: AtomicU32,
    seed: u64,
    /// Where the configuration's relative paths start.
    folder: TempDir,
}

impl Deref for TestShop {
    type Target = Shop;

    fn deref(&self) -> &Shop {
        &self.shop
    }
}

impl TestShop {
    /// The password of customers that [`TestShop::customer`] makes.
    pub const PASSWORD: &'static str = "correct horse battery staple";

    /// A shop as it is out of the box, without modules.
    pub async fn new(backend: Backend) -> Self {
        Self::builder(backend).open().await
    }

    /// A shop that differs from that.
    pub fn builder(backend: Backend) -> TestShopBuilder {
        TestShopBuilder::new(backend)
    }

    /// The database, to be opened once more or given to another shop.
    pub fn database(&self) -> &TestDatabase {
        &self.database
    }

    /// The document that the shop's answers are held against.
    pub fn published(&self) -> &Published {
        &self.published
    }

    /// A client without credentials.
    pub fn client(&self) -> TestClient {
        TestClient::new(self.shop.front.clone(), self.shop.parts.clone(), Arc::clone(&self.published))
    }

    /// A browser that was never here before.
    pub fn browser(&self) -> TestBrowser {
        TestBrowser::new(self.client())
    }

    /// Makes a customer with a verified address of their own and the password [`TestShop::PASSWORD`].
    pub async fn customer(&self) -> CustomerRecord {
        let number = self.customers.fetch_add(1, Ordering::Relaxed) + 1;
        let hash = self.passwords.hash(Self::PASSWORD.to_owned()).await.expect("a password is hashed");
        let new = NewCustomer {
            email: format!("customer-{number}-{}@example.com", self.seed),
            name: format!("Customer {number}"),
            password_hash: Some(hash),
            verified: true,
        };
        create_customer(&self.shop.parts.db, new).await.expect("a customer is made")
    }

    /// Saves an address of a customer, the default for bills and parcels.
    pub async fn address(&self, customer: &CustomerRecord) -> Address {
        let draft = AddressDraft {
            label: Some(String::from("Home")),
            postal: PostalAddress {
                name: customer.name.clone(),
                company: None,
                line1: String::from("Keizersgracht 1"),
                line2: None,
                city: String::from("Amsterdam"),
                postal_code: String::from("1015 AA"),
                region: None,
                country: String::from("NL"),
                phone: None,
            },
            is_default_billing: Some(true),
            is_default_shipping: Some(true),
        };
        create_address(&self.shop.parts.db, customer.id, &draft).await.expect("an address is saved")
    }

    /// A gateway, to be asked directly.
    pub fn gateway(&self, id: &str) -> TestGateway {
        TestGateway::of(&self.parts.clock, &self.parts.gateways, id)
    }

    /// What a function of the shop takes: `shop.uses::<Payments>()`.
    pub fn uses<T: FromShop>(&self) -> T {
        T::from_shop(&self.shop.parts)
    }

    /// The time now.
    pub fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    /// Moves the time.
    pub fn advance(&self, by: TimeDelta) {
        self.clock.advance(by);
    }

    /// Writes when tokens and sessions were last used, as the instance would a moment later.
    pub async fn write_usage(&self) {
        self.shop.write_usage().await.expect("the database can be written");
    }

    /// Queues an event for all endpoints that subscribe to it, in a transaction of its own.
    pub async fn queue_webhook(&self, event: &WebhookEvent) {
        let queued = self.shop.parts.db.write(async |tx| stoa_notices::webhooks::queue(tx, event).await);
        queued.await.expect("the database can be written");
    }

    /// Queues an event in a transaction that is then rolled back.
    pub async fn queue_webhook_and_roll_back(&self, event: &WebhookEvent) {
        let undone = self.shop.parts.db.write(async |tx| -> Result<(), Option<DbError>> {
            stoa_notices::webhooks::queue(tx, event).await?;
            Err(None)
        });
        let undone = undone.await.expect_err("it is rolled back");
        assert!(undone.is_none(), "the database can be written");
    }

    /// Runs a command of a module, such as `["notes", "count"]`, as `stoa notes count` would be.
    pub async fn command(&self, arguments: &[&str]) -> CommandEnd {
        run_command(&self.shop, self.folder.path().to_owned(), arguments).await
    }

    /// What breaks an invariant, as `stoa verify` tells it.
    pub async fn breaches(&self) -> Vec<String> {
        let found = verify(&self.shop.parts.db, &self.shop.registry.invariants).await;
        found.expect("the database can be read").iter().map(ToString::to_string).collect()
    }

    /// Where the configuration's relative paths start, and those of commands.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Takes over the newest catalog, as the instance would a moment later.
    pub async fn refresh_catalog(&self) {
        self.shop.refresh_catalog().await.expect("the catalog can be read");
    }
}
