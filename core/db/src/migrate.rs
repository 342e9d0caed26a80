//! Migrations in sets: core's own and one per module, each with its own bookkeeping table.

use std::collections::HashSet;

use sqlx::migrate::{AppliedMigration, Migrate, MigrateError, Migration, Migrator};
use sqlx::{AssertSqlSafe, Connection, SqlSafeStr};
use sqlx_sqlite::SqliteConnection;

mod renamed;

use self::renamed::Renamed;
use super::pool::Pools;
use super::{Backend, Database, DbError, Sql};
use stoa_sql::sql;

/// What the bookkeeping tables of all sets begin with.
const PREFIX: &str = "_migrations_";

/// The migrations of core or of one module, for both databases.
#[derive(Debug, Clone)]
pub struct MigrationSet {
    name: &'static str,
    sqlite: &'static Migrator,
    postgres: &'static Migrator,
    renamed: Vec<Renamed>,
}

/// Embeds the migration files of a module; paths are relative to the crate's `Cargo.toml`.
///
/// The crate needs a `build.rs` with one `rerun-if-changed` line for each folder, or new files go
/// unnoticed by the compiler.
#[macro_export]
macro_rules! migrations {
    (sqlite: $sqlite:literal, postgres: $postgres:literal $(,)?) => {{
        static SQLITE: ::sqlx::migrate::Migrator = ::sqlx::migrate!($sqlite);
        static POSTGRES: ::sqlx::migrate::Migrator = ::sqlx::migrate!($postgres);
        $crate::MigrationSet::new(&SQLITE, &POSTGRES)
    }};
}

/// Whether one migration has run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MigrationState {
    /// In the program, and in the database as it is in the program.
    Applied,
    /// In the program only.
    Pending,
    /// In the database only: the database is newer than the program.
    Unknown,
    /// In both, but the text was changed after it had run.
    Changed,
}

impl MigrationState {
    /// The lower-case word shown to operators.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Applied => "applied",
            Self::Pending => "pending",
            Self::Unknown => "unknown",
            Self::Changed => "changed",
        }
    }
}

/// One migration and its state in a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MigrationStatus {
    /// `core` or the module's name.
    pub set: &'static str,
    /// The number that starts the file's name.
    pub version: i64,
    /// The rest of the file's name.
    pub description: String,
    /// Whether it has run.
    pub state: MigrationState,
}

/// Whether there is a table of this name.
pub const TABLE_EXISTS: Sql = sql!(
    sqlite: "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = $1",
    postgres: "SELECT COUNT(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename = $1",
);

/// The tables that remember which migrations have run.
const MIGRATION_TABLES: Sql = sql!(
    sqlite: "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE '\\_migrations\\_%' ESCAPE '\\'",
    postgres: "SELECT CAST(tablename AS TEXT) FROM pg_tables
               WHERE schemaname = current_schema() AND tablename LIKE '\\_migrations\\_%' ESCAPE '\\'",
);

/// The name of the table that remembers which migrations of core or of a module have run.
pub fn migrations_table(set: &str) -> String {
    format!("{PREFIX}{set}")
}

/// The migration set whose bookkeeping a table is.
pub(crate) fn set_of(table: &str) -> Option<&str> {
    table.strip_prefix(PREFIX)
}

impl MigrationSet {
    /// A set that gets its name from the module context it is registered with.
    pub fn new(sqlite: &'static Migrator, postgres: &'static Migrator) -> Self {
        Self { name: "", sqlite, postgres, renamed: Vec::new() }
    }

    /// Says that the migration `version` of this set gives things other names. The text of an applied migration never
    /// changes, and those of other sets may run long after that one, when a module is switched on: they run as if they
    /// had been written with the new names. A name is a table's, or words with a table's and a column's.
    #[must_use]
    pub fn renames(mut self, version: i64, names: &[(&'static str, &'static str)]) -> Self {
        self.renamed.extend(names.iter().map(|(old, new)| Renamed { version, old, new }));
        self
    }

    #[doc(hidden)]
    #[must_use]
    pub fn named(mut self, name: &'static str) -> Self {
        self.name = name;
        self
    }

    /// `core` or the module's name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The name of the table that remembers which migrations of this set have run.
    pub fn table(&self) -> String {
        migrations_table(self.name)
    }

    /// File names that exist for one database only, a mistake that stops the start.
    #[doc(hidden)]
    pub fn unpaired(&self) -> Vec<String> {
        let names = |migrator: &Migrator| {
            migrator.iter().map(|m| format!("{:04}_{}", m.version, m.description)).collect::<Vec<_>>()
        };
        let (sqlite, postgres) = (names(self.sqlite), names(self.postgres));
        let missing = |from: &[String], of: &[String], database: &str| {
            of.iter()
                .filter(|name| !from.contains(name))
                .map(|name| format!("{name} is missing for {database}"))
                .collect::<Vec<_>>()
        };
        [missing(&sqlite, &postgres, "SQLite"), missing(&postgres, &sqlite, "PostgreSQL")].concat()
    }

    /// The checksums of all files for one database: they change when any of the files does.
    #[cfg(feature = "testing")]
    pub fn checksums(&self, backend: Backend) -> impl Iterator<Item = &'static [u8]> {
        self.migrator(backend).iter().map(|migration| migration.checksum.as_ref())
    }

    /// The same set, as it was when `version` was its latest file; for tests of upgrades.
    #[cfg(feature = "testing")]
    #[must_use]
    pub fn up_to(&self, version: i64) -> Self {
        let cut = |migrator: &Migrator| -> &'static Migrator {
            let kept = migrator.iter().filter(|migration| migration.version <= version).cloned().collect();
            Box::leak(Box::new(Migrator { migrations: std::borrow::Cow::Owned(kept), ..Migrator::DEFAULT }))
        };
        let renamed = self.renamed.iter().filter(|renamed| renamed.version <= version).copied().collect();
        Self { name: self.name, sqlite: cut(self.sqlite), postgres: cut(self.postgres), renamed }
    }

    /// The files for one database: number and text.
    pub fn texts(&self, backend: Backend) -> impl Iterator<Item = (i64, &'static str)> {
        self.migrator(backend).iter().map(|migration| (migration.version, migration.sql.as_str()))
    }

    fn migrator(&self, backend: Backend) -> &'static Migrator {
        match backend {
            Backend::Sqlite => self.sqlite,
            Backend::Postgres => self.postgres,
        }
    }

    /// The state of this set's migrations where these have run, each with its checksum.
    pub fn status(&self, backend: Backend, applied: &[(i64, Vec<u8>)]) -> Vec<MigrationStatus> {
        let applied = applied
            .iter()
            .map(|(version, checksum)| AppliedMigration { version: *version, checksum: checksum.clone().into() });
        self.compare(backend, &applied.collect::<Vec<_>>())
    }

    fn compare(&self, backend: Backend, applied: &[AppliedMigration]) -> Vec<MigrationStatus> {
        let migrator = self.migrator(backend);
        let known = migrator.iter().map(|migration| {
            let state = match applied.iter().find(|done| done.version == migration.version) {
                None => MigrationState::Pending,
                Some(done) if done.checksum == migration.checksum => MigrationState::Applied,
                Some(_) => MigrationState::Changed,
            };
            MigrationStatus {
                set: self.name,
                version: migration.version,
                description: migration.description.to_string(),
                state,
            }
        });
        let unknown =
            applied.iter().filter(|done| !migrator.version_exists(done.version)).map(|done| MigrationStatus {
                set: self.name,
                version: done.version,
                description: String::from("made by a newer program"),
                state: MigrationState::Unknown,
            });
        known.chain(unknown).collect()
    }
}

impl Database {
    /// Applies what is pending of all sets, in one transaction: either everything or nothing.
    ///
    /// Two programs that start at once wait for each other. A database with migrations that this
    /// program does not know, or with one whose text was changed, is refused by [`DbError`]; ask
    /// [`Database::migration_status`] first to say so in plain words.
    pub async fn migrate(&self, sets: &[MigrationSet]) -> Result<(), DbError> {
        let reached = match &*self.pools {
            Pools::Sqlite { write, .. } => {
                let mut connection = write.acquire().await?;
                // Else a table that others refer to could not be made anew. This cannot be said inside a transaction.
                sqlx::query("PRAGMA foreign_keys = OFF").execute(&mut *connection).await?;
                let migrated = migrate_sqlite(sets, &mut connection).await;
                sqlx::query("PRAGMA foreign_keys = ON").execute(&mut *connection).await?;
                migrated?
            }
            Pools::Postgres(postgres) => {
                let server = postgres.primary.current();
                // The driver has to know of this transaction, since it begins others in it.
                let mut tx = server.pool.begin().await?;
                if server.is_pooled() {
                    sqlx::raw_sql(FORGET_NAMES).execute(&mut *tx).await?;
                }
                sqlx::raw_sql(LOCK).execute(&mut *tx).await?;
                let mut reached = Vec::new();
                for set in sets {
                    let pending = pending_of(set, Backend::Postgres, &mut *tx).await?;
                    reached.extend(apply(set, &pending, sets, &mut *tx).await?);
                }
                if server.is_pooled() {
                    tx.clear_cached_statements().await?;
                }
                tx.commit().await?;
                reached
            }
        };
        if !reached.is_empty() {
            tracing::info!(versions = reached.join(", "), "database migrated");
        }
        Ok(())
    }

    /// Those of the sets that have run here before: the modules that were on at some time.
    pub async fn known_sets(&self, sets: &[MigrationSet]) -> Result<Vec<MigrationSet>, DbError> {
        let tables = self.migration_tables().await?;
        Ok(sets.iter().filter(|set| tables.contains(&set.table())).cloned().collect())
    }

    /// The names of all other sets that have run here: modules that are off, or that this program does not have.
    pub async fn sets_besides(&self, sets: &[MigrationSet]) -> Result<Vec<String>, DbError> {
        let tables = self.migration_tables().await?;
        let known = tables.iter().filter_map(|table| set_of(table));
        let mut others =
            known.filter(|name| sets.iter().all(|set| set.name() != *name)).map(str::to_owned).collect::<Vec<_>>();
        others.sort_unstable();
        Ok(others)
    }

    async fn migration_tables(&self) -> Result<HashSet<String>, DbError> {
        Ok(self.look(MIGRATION_TABLES).scalars::<String>().await?.into_iter().collect())
    }

    async fn list_applied(&self, table: &str) -> Result<Vec<AppliedMigration>, DbError> {
        // Not through the pool, whose connections may all be cached.
        let applied = match &*self.pools {
            Pools::Sqlite { readers, .. } => {
                let mut reader = readers.acquire().await?;
                let applied = reader.list_applied_migrations(table).await;
                reader.done(applied.is_ok());
                applied
            }
            Pools::Postgres(postgres) => {
                let server = postgres.primary.current();
                let mut tx = server.begin_reading().await?;
                if server.is_pooled() {
                    tx.run(FORGET_NAMES).await?;
                }
                let applied = tx.connection().list_applied_migrations(table).await?;
                if server.is_pooled() {
                    tx.connection().clear_cached_statements().await?;
                }
                tx.commit().await?;
                Ok(applied)
            }
        };
        Ok(applied?)
    }

    /// What of all sets has run and what has not; changes nothing.
    pub async fn migration_status(&self, sets: &[MigrationSet]) -> Result<Vec<MigrationStatus>, DbError> {
        let tables = self.migration_tables().await?;
        let mut found = Vec::new();
        for set in sets {
            let table = set.table();
            let applied = if tables.contains(&table) { self.list_applied(&table).await? } else { Vec::new() };
            found.extend(set.compare(self.backend(), &applied));
        }
        Ok(found)
    }
}

/// Held while migrations are applied, until the transaction ends.
const LOCK: &str = "SELECT pg_advisory_xact_lock(7305789018236772)";

/// What the driver keeps under names, somebody who has failed may have left in the server process behind a pooler.
const FORGET_NAMES: &str = "DEALLOCATE ALL; SET LOCAL client_min_messages = warning";

/// Applies what is pending, and refuses it where rows refer to others that are not there afterwards. Answers where sets have come to.
async fn migrate_sqlite(sets: &[MigrationSet], connection: &mut SqliteConnection) -> Result<Vec<String>, DbError> {
    let mut tx = connection.begin_with("BEGIN IMMEDIATE").await?;
    let mut pending = Vec::new();
    for set in sets {
        pending.push((set, pending_of(set, Backend::Sqlite, &mut *tx).await?));
    }
    pending.retain(|(_, migrations)| !migrations.is_empty());
    // Looking through all tables takes a while.
    let before = if pending.is_empty() { 0 } else { count_dangling(&mut tx).await? };
    let mut reached = Vec::new();
    for (set, migrations) in &pending {
        reached.extend(apply(set, migrations, sets, &mut *tx).await?);
    }
    if !pending.is_empty() && count_dangling(&mut tx).await? > before {
        let problem = "a migration leaves rows that refer to others which are not there";
        return Err(MigrateError::Source(problem.into()).into());
    }
    tx.commit().await?;
    Ok(reached)
}

/// How many rows refer to others that are not there.
async fn count_dangling(connection: &mut SqliteConnection) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("SELECT COUNT(*) FROM pragma_foreign_key_check").fetch_one(connection).await
}

async fn pending_of(
    set: &MigrationSet,
    backend: Backend,
    connection: &mut impl Migrate,
) -> Result<Vec<&'static Migration>, MigrateError> {
    let table = set.table();
    connection.ensure_migrations_table(&table).await?;
    let applied = connection.list_applied_migrations(&table).await?;
    for status in set.compare(backend, &applied) {
        match status.state {
            MigrationState::Unknown => return Err(MigrateError::VersionMissing(status.version)),
            MigrationState::Changed => return Err(MigrateError::VersionMismatch(status.version)),
            MigrationState::Applied | MigrationState::Pending => {}
        }
    }
    let all = set.migrator(backend).iter();
    Ok(all.filter(|migration| !applied.iter().any(|done| done.version == migration.version)).collect())
}

/// Applies migrations of a set, and answers what it has come to, such as `core 60`.
async fn apply(
    set: &MigrationSet,
    migrations: &[&'static Migration],
    all: &[MigrationSet],
    connection: &mut impl Migrate,
) -> Result<Option<String>, MigrateError> {
    let renamed = || all.iter().filter(|other| other.name != set.name).flat_map(|other| &other.renamed);
    for migration in migrations {
        let text = renamed().fold(migration.sql.as_str().to_owned(), |text, renamed| renamed.translate(&text));
        // The checksum stays that of the file.
        let mut translated = (*migration).clone();
        translated.sql = AssertSqlSafe(text).into_sql_str();
        connection.apply(&set.table(), &translated).await?;
        tracing::debug!(set = set.name, version = migration.version, "migration applied");
    }
    Ok(migrations.last().map(|last| format!("{} {}", set.name, last.version)))
}

#[cfg(test)]
mod tests;
