//! One shop as a command finds it: configuration, frozen program, database.

use std::path::PathBuf;
use std::sync::Arc;

use stoa_core::catalog::import::ReadSettings;
use stoa_core::clock::Clock;
use stoa_core::config::{Config, DatabaseUrl, Sources};
use stoa_core::db::{Db, MigrationSet, MigrationState, Missing, OpenOptions};
use stoa_core::encryption::{Cipher, MissingKey};
use stoa_core::module::Linked;
use stoa_core::program::{Program, ProgramParts};
use stoa_core::random::Random;
use stoa_core::services::Services;

use crate::environment::Environment;
use crate::failure::Failure;
use crate::modules::{STOCK_KEEPING_MODULE, STOCK_MODULES};

/// Whether a shop is opened for showing around.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// As it is configured.
    Work,
    /// With the development gateway and all linked modules that the configuration does not mention.
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
}

impl Installation {
    /// Loads the configuration and freezes the program. Everything wrong is told in one message.
    pub(crate) fn load(environment: &Environment, file: Option<PathBuf>, purpose: Purpose) -> Result<Self, Failure> {
        let mut sources = Sources::new(&environment.working_directory).environment(environment.variables.clone());
        if let Some(file) = file {
            sources = sources.file(file);
        }
        let loaded = Config::load(sources).map_err(|error| Failure::usage(error.to_string()))?;
        let linked = Linked::collect();
        let mut config = loaded.config;
        if purpose == Purpose::Demo {
            config.apply_demo(&linked.names());
        }
        let config = Arc::new(config);
        let program = Program::freeze(ProgramParts {
            config: Arc::clone(&config),
            linked,
            reserved: STOCK_MODULES,
            clock: Clock::system(),
            random: Random::system(),
        })
        .map_err(|problems| Failure::usage(problems.to_string()))?;
        Ok(Self { program, config, folder: loaded.folder, file: loaded.file })
    }

    /// What reading catalog files depends on.
    pub(crate) fn read_settings(&self) -> ReadSettings {
        let stock = STOCK_KEEPING_MODULE;
        ReadSettings {
            currency: self.program.currency,
            now: Clock::system().now(),
            stock_module: self.program.registry.is_linked(stock).then(|| stock.to_owned()),
        }
    }

    /// Opens the database as it is.
    pub(crate) async fn open(&self, missing: Missing) -> Result<Db, Failure> {
        self.open_at(self.config.database.url.clone(), missing).await
    }

    async fn open_at(&self, url: DatabaseUrl, missing: Missing) -> Result<Db, Failure> {
        let options = OpenOptions { url, missing, connections: self.config.database.max_connections };
        let db = Db::open(&options, Clock::system()).await?;
        Ok(self.program.attach(db))
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
        if self.has_database_file() {
            let db = self.open(Missing::Refuse).await?;
            if self.has_shop(&db).await? {
                self.refuse_outdated(&db).await?;
                return Ok(db);
            }
            db.close().await;
        }
        let db = self.open_at(DatabaseUrl::SqliteMemory, Missing::Create).await?;
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
        self.refuse_foreign(&db).await?;
        if self.config.database.auto_migrate {
            db.migrate(&self.migration_sets(&db).await?).await?;
        } else {
            self.refuse_pending(&db).await?;
        }
        self.cipher(&db, MissingKey::Create).await?;
        Ok(db)
    }

    /// The same for a program that runs on, and may start together with the server of its database.
    pub(crate) async fn open_for_service(&self) -> Result<Db, Failure> {
        Db::wait_for_server(&self.config.database.url).await;
        self.open_migrated().await
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

    /// The services of the program on an open database.
    pub(crate) async fn services(&self, db: Db, base_url: &str) -> Result<Services, Failure> {
        let cipher = self.cipher(&db, MissingKey::Refuse).await?;
        Ok(self.program.services(db, cipher, base_url)?)
    }

    /// Refuses a database that this program cannot work on as it is, or whose key is not at hand.
    async fn refuse_outdated(&self, db: &Db) -> Result<(), Failure> {
        self.refuse_foreign(db).await?;
        self.refuse_pending(db).await?;
        self.cipher(db, MissingKey::Refuse).await?;
        Ok(())
    }

    /// Refuses a database that is newer than this program, or whose migrations were changed.
    pub(crate) async fn refuse_foreign(&self, db: &Db) -> Result<(), Failure> {
        let status = db.migration_status(&self.migration_sets(db).await?).await?;
        if let Some(unknown) = status.iter().find(|migration| migration.state == MigrationState::Unknown) {
            return Err(Failure::operation(format!(
                "the database is newer than this program: migration {} of `{}` is unknown here; \
                 use the version of stoa that last ran on this database, or a newer one",
                unknown.version, unknown.set
            )));
        }
        if let Some(changed) = status.iter().find(|migration| migration.state == MigrationState::Changed) {
            return Err(Failure::operation(format!(
                "migration {} ({}) of `{}` is not the one that was applied to this database; \
                 use the version of stoa that made it",
                changed.version, changed.description, changed.set
            )));
        }
        Ok(())
    }

    pub(crate) async fn refuse_pending(&self, db: &Db) -> Result<(), Failure> {
        let status = db.migration_status(&self.migration_sets(db).await?).await?;
        let pending = status.iter().filter(|migration| migration.state == MigrationState::Pending).count();
        if pending > 0 {
            return Err(Failure::operation(format!(
                "{pending} migration(s) are pending; apply them with `stoa migrate`"
            )));
        }
        Ok(())
    }
}
