//! One shop as a command finds it: configuration, frozen program, database.

use std::path::PathBuf;
use std::sync::Arc;

use stoa_core::catalog::import::{ReadSettings, TagUse};
use stoa_core::clock::Clock;
use stoa_core::config::{Config, ConfigError, DatabaseUrl, LoadedConfig, MisnamedVariable, SecretsConfig, Sources};
use stoa_core::db::{Db, MigrationSet, MigrationState, MigrationStatus, Missing, OpenOptions};
use stoa_core::encryption::{Cipher, MissingKey};
use stoa_core::error_chain;
use stoa_core::invoices::check_series;
use stoa_core::module::Linked;
use stoa_core::money::Currency;
use stoa_core::program::{Program, ProgramParts};
use stoa_core::random::Random;
use stoa_core::shop_currency::{CurrencyError, check_currency, settle_currency};
use stoa_kernel::audit::Actor;
use stoa_kernel::from_shop::ShopParts;

use crate::demo;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::modules::{STOCK_KEEPING_MODULE, STOCK_MODULES};

/// How a shop is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OpenMode {
    /// As it is configured.
    Configured,
    /// With the gateways `development` and `simulated`, and all linked modules that the configuration does not mention.
    Demo,
}

/// The configuration with the program that it makes.
pub(crate) struct Installation {
    pub(crate) program: Program,
    pub(crate) config: Arc<Config>,
    /// Where relative paths start.
    pub(crate) folder: PathBuf,
    /// The configuration file that was read.
    pub(crate) file: Option<PathBuf>,
    /// How the shop is opened.
    pub(crate) purpose: OpenMode,
    /// Environment variables that are ignored, and look as if they were meant as settings.
    pub(crate) misnamed: Vec<MisnamedVariable>,
    /// Who works at this command line.
    actor: Actor,
}

impl Installation {
    /// Reads the configuration.
    pub(crate) fn config(environment: &Environment, file: Option<PathBuf>) -> Result<LoadedConfig, ConfigError> {
        let mut sources = Sources::new(&environment.working_directory).environment(environment.variables.clone());
        if let Some(file) = file {
            sources = sources.file(file);
        }
        Config::load(sources)
    }

    /// Loads the configuration and freezes the program. Everything wrong is told in one message.
    pub(crate) fn load(environment: &Environment, file: Option<PathBuf>, purpose: OpenMode) -> Result<Self, Failure> {
        let loaded = Self::config(environment, file).map_err(|error| Failure::usage(error.to_string()))?;
        let linked = Linked::collect();
        let mut config = loaded.config;
        if purpose == OpenMode::Demo {
            config.apply_demo(&linked.names());
        }
        let config = Arc::new(config);
        let program = Program::freeze(ProgramParts {
            config: Arc::clone(&config),
            linked,
            reserved: STOCK_MODULES,
            clock: Clock::system(),
            random: Random::system(),
            console: Some(Arc::new(stoa_console::register)),
        })
        .map_err(|problems| Failure::usage(problems.to_string()))?;
        let (folder, file, misnamed) = (loaded.folder, loaded.file, loaded.misnamed);
        let actor = Actor::CommandLine(environment.user().into());
        Ok(Self { program, config, folder, file, purpose, misnamed, actor })
    }

    /// What reading catalog files depends on.
    pub(crate) fn read_settings(&self) -> ReadSettings {
        let stock = STOCK_KEEPING_MODULE;
        ReadSettings {
            currency: self.program.currency,
            now: Clock::system().now(),
            tags: TagUse::LeftOut,
            stock_module: self.program.registry.is_linked(stock).then(|| stock.to_owned()),
        }
    }

    /// Opens the database as it is.
    pub(crate) async fn open(&self, missing: Missing) -> Result<Db, Failure> {
        self.refuse_emptied()?;
        self.open_with(&OpenOptions::configured(&self.config.database, missing)).await
    }

    /// Refuses an empty file in the place of the database while a key is at hand: the key was made for a shop, and opening
    /// the file would make another one that has nothing of it.
    fn refuse_emptied(&self) -> Result<(), Failure> {
        let DatabaseUrl::SqliteFile(file) = &self.config.database.url else { return Ok(()) };
        if !std::fs::metadata(file).is_ok_and(|found| found.is_file() && found.len() == 0) {
            return Ok(());
        }
        let SecretsConfig { key, key_file } = &self.config.secrets;
        let (kept, mend) = match key {
            Some(_) => (String::from("secrets.key (STOA_SECRETS__KEY)"), String::from("remove the empty file")),
            None if key_file.exists() => (key_file.display().to_string(), format!("move {} away", key_file.display())),
            None => return Ok(()),
        };
        Err(Failure::operation(format!(
            "the database {} is empty (0 bytes), but there is a key for it: {kept}. A full disk, an interrupted copy or a \
             mistaken command may have emptied the file. Restore a backup with `stoa restore FILE`; for a new shop, {mend}",
            file.display()
        )))
    }

    async fn open_with(&self, options: &OpenOptions) -> Result<Db, Failure> {
        let db = Db::open(options, Clock::system()).await?;
        Ok(self.program.attach(db).acting_as(self.actor.clone()))
    }

    /// Opens an existing database whose migrations are all applied and whose key is at hand.
    pub(crate) async fn open_current(&self) -> Result<Db, Failure> {
        let db = self.open(Missing::Refuse).await?;
        self.refuse_outdated(&db).await?;
        Ok(db)
    }

    /// Opens what a trial is judged against, writing nothing: the shop as it is, or an empty one in memory where there is
    /// none yet.
    pub(crate) async fn open_for_trial(&self) -> Result<Db, Failure> {
        self.refuse_emptied()?;
        if self.has_database_file() {
            let db = self.open(Missing::Refuse).await?;
            if self.has_shop(&db).await? {
                self.refuse_outdated(&db).await?;
                let judged = check_currency(&db, self.program.currency).await;
                judged.map_err(|error| Failure::usage(error_chain(&error)))?;
                return Ok(db);
            }
            db.close().await;
        }
        let db = self.open_with(&OpenOptions::new(DatabaseUrl::SqliteMemory, Missing::Create, 1)).await?;
        db.migrate(&self.program.registry.migrations).await?;
        Ok(db)
    }

    /// Whether something is there to be opened. An empty file is no database yet, and opening it would make it one.
    fn has_database_file(&self) -> bool {
        match &self.config.database.url {
            DatabaseUrl::SqliteMemory => false,
            DatabaseUrl::SqliteFile(file) => std::fs::metadata(file).is_ok_and(|found| found.len() > 0),
            DatabaseUrl::Postgres(_) => true,
        }
    }

    /// Whether any migration has been applied to the database.
    pub(crate) async fn has_shop(&self, db: &Db) -> Result<bool, Failure> {
        let status = db.migration_status(&self.program.registry.migrations).await?;
        Ok(status.iter().any(|migration| migration.state != MigrationState::Pending))
    }

    /// Opens the database, made when missing with its key, and applies pending migrations where
    /// the configuration allows it.
    pub(crate) async fn open_migrated(&self) -> Result<Db, Failure> {
        let db = self.open(Missing::Create).await?;
        self.make_current(&db).await?;
        Ok(db)
    }

    /// Brings an open database up to date where the configuration allows it, and settles what it is to keep: the key's
    /// fingerprint and the currency.
    pub(crate) async fn make_current(&self, db: &Db) -> Result<(), Failure> {
        self.refuse_foreign(db).await?;
        if self.config.database.auto_migrate {
            db.migrate(&self.migration_sets(db).await?).await?;
        } else {
            self.refuse_pending(db).await?;
        }
        check_series(db, &self.config.invoices).await.map_err(|error| Failure::usage(error_chain(&error)))?;
        self.note_key_and_currency(db).await
    }

    /// Notes in a migrated database what it is to be opened with from now on; anything else than what was noted before is
    /// refused.
    pub(crate) async fn note_key_and_currency(&self, db: &Db) -> Result<(), Failure> {
        self.cipher(db, MissingKey::Create).await?;
        self.settle_currency(db).await
    }

    /// The same for a program that runs on, and may start together with the server of its database. A demo is not made of
    /// a shop that somebody has.
    pub(crate) async fn open_for_service(&self, purpose: OpenMode) -> Result<Db, Failure> {
        Db::wait_for_server(&self.config.database.url).await;
        let opened = self.open(Missing::Create).await;
        let db = opened.map_err(|failure| match (&failure, &self.config.database.url) {
            (Failure::Operation(told), DatabaseUrl::Postgres(_)) => {
                Failure::operation(format!("{told}\n  fix: {}", mend_of_unreachable(told)))
            }
            _ => failure,
        })?;
        if purpose == OpenMode::Demo {
            demo::refuse_own_shop(self, &db).await?;
        }
        self.make_current(&db).await?;
        // From here on the shop acts by itself.
        Ok(db.acting_as(Actor::System))
    }

    /// The migrations that concern this database: core's, those of modules that are on, and of those that were on before.
    /// Their tables keep up, so that they can be switched on again, and what they had promised can be taken back meanwhile.
    pub(crate) async fn migration_sets(&self, db: &Db) -> Result<Vec<MigrationSet>, Failure> {
        let registry = &self.program.registry;
        let dormant = db.known_sets(&registry.dormant_migrations).await?;
        Ok([registry.migrations.as_slice(), &dormant].concat())
    }

    /// The cipher of the shop in a migrated database; another key than the shop's is refused.
    pub(crate) async fn cipher(&self, db: &Db, missing: MissingKey) -> Result<Cipher, Failure> {
        Ok(Cipher::of_installation(db, &self.config.secrets, &Random::system(), missing).await?)
    }

    /// What the shop is made of, on an open database, with the currency that its amounts are in.
    pub(crate) async fn parts(&self, db: Db, base_url: &str) -> Result<ShopParts, Failure> {
        let cipher = self.cipher(&db, MissingKey::Refuse).await?;
        let currency = self.currency(&db).await?;
        let mut services = self.program.parts(db, cipher, base_url)?;
        if currency != services.currency {
            services.money = Arc::new(services.money.with_currency(currency));
            services.currency = currency;
        }
        Ok(services)
    }

    /// The currency of a migrated database's amounts, whatever the configuration says.
    pub(crate) async fn currency(&self, db: &Db) -> Result<Currency, Failure> {
        match check_currency(db, self.program.currency).await {
            Ok(()) => Ok(self.program.currency),
            Err(CurrencyError::Another { kept, .. }) => Ok(kept),
            Err(error) => Err(error.into()),
        }
    }

    /// Refuses to go on while the configured currency is not the shop's. Whoever gives an amount means the configured one.
    pub(crate) async fn settle_currency(&self, db: &Db) -> Result<(), Failure> {
        settle_currency(db, self.program.currency).await.map_err(|error| Failure::usage(error_chain(&error)))
    }

    /// Refuses a database that this program cannot work on as it is, or whose key is not at hand.
    async fn refuse_outdated(&self, db: &Db) -> Result<(), Failure> {
        let status = self.migration_status(db).await?;
        refuse_foreign(&status)?;
        refuse_pending(&status)?;
        self.cipher(db, MissingKey::Refuse).await?;
        Ok(())
    }

    async fn migration_status(&self, db: &Db) -> Result<Vec<MigrationStatus>, Failure> {
        Ok(db.migration_status(&self.migration_sets(db).await?).await?)
    }

    /// Refuses a database that is newer than this program, or whose migrations were changed.
    pub(crate) async fn refuse_foreign(&self, db: &Db) -> Result<(), Failure> {
        refuse_foreign(&self.migration_status(db).await?)
    }

    /// Refuses a database to which migrations of this program have not been applied.
    pub(crate) async fn refuse_pending(&self, db: &Db) -> Result<(), Failure> {
        refuse_pending(&self.migration_status(db).await?)
    }
}

fn refuse_foreign(status: &[MigrationStatus]) -> Result<(), Failure> {
    if let Some(unknown) = status.iter().find(|migration| migration.state == MigrationState::Unknown) {
        return Err(Failure::operation(format!(
            "the database is newer than this program: migration {} of `{}` is unknown here; \
                 use the version of stoa that last ran on this database, or a newer one",
            unknown.version, unknown.set
        )));
    }
    if let Some(changed) = status.iter().find(|migration| migration.state == MigrationState::Changed) {
        return Err(Failure::operation(format!(
            "migration {} ({}) of `{}` is not the one that was applied to this database; {}",
            changed.version,
            changed.description,
            changed.set,
            mend_of_changed(changed.set)
        )));
    }
    Ok(())
}

/// How a migration is mended that has run with another text.
pub(crate) fn mend_of_changed(set: &str) -> String {
    if set == "core" {
        return String::from("use the version of stoa that made it");
    }
    format!(
        "use the version of the module `{set}` that made it; its authors: put its text back, and write what is new into a file \
         with the next number"
    )
}

/// How a PostgreSQL is reached that was not.
pub(crate) fn mend_of_unreachable(told: &str) -> &'static str {
    if told.contains("database.pooler") {
        return "set `database.pooler = \"transaction\"`, or let `database.url` name the server itself";
    }
    "start PostgreSQL, or correct `database.url`; the database must exist"
}

fn refuse_pending(status: &[MigrationStatus]) -> Result<(), Failure> {
    let pending = status.iter().filter(|migration| migration.state == MigrationState::Pending).count();
    if pending > 0 {
        return Err(Failure::operation(format!("{pending} migration(s) are pending; apply them with `stoa migrate`")));
    }
    Ok(())
}
