//! The connections to a database.

use sqlx_sqlite::{Sqlite, SqlitePool};

use super::connection_cache::ConnectionCache;
use super::postgres::Postgres;
use super::shared_commit::WriteLine;

/// Which database product a [`Database`](crate::Database) is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backend {
    /// The embedded database, one file.
    Sqlite,
    /// A PostgreSQL server, shared by several instances.
    Postgres,
}

impl Backend {
    /// The lower-case name used in folders, messages and `--json` output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
        }
    }
}

/// Connections that watch for changes, for the catalog and for the runner. They are taken from the pool of readers, which
/// therefore always has so many that are not cached.
pub(super) const WATCHES: u32 = 2;

/// At least so many connections read: one more than watch.
pub(super) const LEAST_READERS: u32 = WATCHES + 1;

pub(super) enum Pools {
    /// SQLite has many readers and exactly one writer: with one write connection and
    /// `BEGIN IMMEDIATE`, transactions stand in line instead of failing as "locked".
    Sqlite {
        read: SqlitePool,
        /// The connections of `read`, for single statements.
        readers: ConnectionCache<Sqlite>,
        write: SqlitePool,
        line: WriteLine,
    },
    Postgres(Postgres),
}

impl Pools {
    pub(super) fn sqlite(read: SqlitePool, write: SqlitePool) -> Self {
        let (readers, line) = (ConnectionCache::new(read.clone(), WATCHES, None), WriteLine::new(write.clone()));
        Self::Sqlite { read, readers, write, line }
    }
}
