//! One moment of a database, held still.

use super::connection::Connection;
use super::plan::TablePlan;
use super::schema::{self, Table};
use super::{CopyError, TableDigest, read, text};
use crate::pool::Pools;
use crate::server_pools::ServerPools;
use crate::{Backend, Database, DbError};

/// One moment of a database: what is written afterwards cannot be seen through it.
///
/// It holds a connection and, on SQLite, keeps the log of changes from being shortened; drop it soon.
pub struct Snapshot {
    pub(super) connection: Connection,
    pub(super) tables: Vec<Table>,
}

/// What a set's bookkeeping in a database says has run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppliedSet {
    /// `core` or the module's name.
    pub set: String,
    /// The numbers of its migrations, each with the checksum of its text.
    pub migrations: Vec<(i64, Vec<u8>)>,
}

/// A moment of a PostgreSQL database that other connections can see too.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Exported {
    /// What `pg_dump --snapshot` takes.
    pub id: String,
    /// The schema that holds the shop's tables.
    pub schema: String,
    /// The server's version as a number: 170002 for 17.2.
    pub server_version: i64,
}

impl Database {
    /// Holds a moment of the database still.
    pub async fn snapshot(&self) -> Result<Snapshot, DbError> {
        let reading = match &*self.pools {
            Pools::Sqlite { .. } => None,
            Pools::Postgres(postgres) => {
                let server = postgres.primary.current();
                refuse_pooler(&server)?;
                server.reading().await?
            }
        };
        let mut connection = match &*self.pools {
            Pools::Sqlite { read, .. } => Connection::Sqlite(read.begin().await?),
            Pools::Postgres(postgres) => {
                let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
                Connection::Postgres(postgres.primary.current().pool.begin_with(begin).await?)
            }
        };
        // Both databases settle on the moment when the first table is read, which this does.
        let tables = schema::tables(&mut connection).await?;
        if let Some(reading) = reading {
            reading.end().await?;
        }
        Ok(Snapshot { connection, tables })
    }
}

/// What a whole database is read or written by must be one server process.
pub(super) fn refuse_pooler(server: &ServerPools) -> Result<(), DbError> {
    if !server.is_pooled() {
        return Ok(());
    }
    let reason = "this cannot be done through a pooler; run it with STOA_DATABASE__URL naming the PostgreSQL server itself and \
                  STOA_DATABASE__POOLER=none";
    Err(sqlx::Error::Configuration(reason.into()).into())
}

impl Snapshot {
    /// Names of all tables with their numbers of rows, in the order of the names; without bookkeeping of migrations.
    pub async fn counts(&mut self) -> Result<Vec<(String, u64)>, DbError> {
        let mut counts = Vec::new();
        for table in self.tables.iter().filter(|table| table.bookkeeping_of().is_none()) {
            counts.push((table.name.clone(), read::count(&mut self.connection, &table.name).await?));
        }
        Ok(counts)
    }

    /// Digests of all tables, in the order of their names; without bookkeeping of migrations.
    pub async fn digests(&mut self) -> Result<Vec<TableDigest>, CopyError> {
        let backend = self.backend();
        let mut digests = Vec::new();
        for table in self.tables.iter().filter(|table| table.bookkeeping_of().is_none()) {
            let plan = TablePlan::reading(table, backend)?;
            digests.push(read::digest(&mut self.connection, &plan).await?);
        }
        Ok(digests)
    }

    /// Which migrations have run, of all sets that the database knows, whether or not the program does.
    pub async fn applied(&mut self) -> Result<Vec<AppliedSet>, DbError> {
        let mut sets = Vec::new();
        for table in &self.tables {
            let Some(set) = table.bookkeeping_of() else { continue };
            let migrations = match &mut self.connection {
                Connection::Sqlite(tx) => sqlx::query_as(text::applied(&table.name)).fetch_all(&mut **tx).await?,
                Connection::Postgres(tx) => sqlx::query_as(text::applied(&table.name)).fetch_all(&mut **tx).await?,
            };
            sets.push(AppliedSet { set: set.to_owned(), migrations });
        }
        Ok(sets)
    }

    /// Lets `pg_dump` see the same moment, as long as this snapshot lives; none on SQLite.
    pub async fn export(&mut self) -> Result<Option<Exported>, DbError> {
        const EXPORT: &str = "SELECT pg_export_snapshot() AS id, current_schema()::text AS schema,
                                     CAST(current_setting('server_version_num') AS BIGINT) AS server_version";
        match &mut self.connection {
            Connection::Sqlite(_) => Ok(None),
            Connection::Postgres(tx) => Ok(Some(sqlx::query_as(EXPORT).fetch_one(&mut **tx).await?)),
        }
    }

    pub(super) fn backend(&self) -> Backend {
        match self.connection {
            Connection::Sqlite(_) => Backend::Sqlite,
            Connection::Postgres(_) => Backend::Postgres,
        }
    }
}
