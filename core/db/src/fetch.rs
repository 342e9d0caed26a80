//! What is wanted of a statement: that it is run, its first row, or all of them.
//!
//! What rows are made into is left out of it. The code that runs a statement is so the same for all of them, and built once;
//! were it built for each kind of row, with all that a server may ask for, it would be most of the program.

use sqlx_postgres::{PgArguments, PgConnection, PgRow};
use sqlx_sqlite::{SqliteArguments, SqliteConnection, SqliteRow};

use super::query::Record;
use super::statement::Statement;

/// Whether PostgreSQL keeps a statement under a name, to be used again by the same connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    /// The server process stays the same, so it has it the next time.
    Named,
    /// The next transaction may be another server process's.
    Unnamed,
}

impl Naming {
    pub(super) fn is_named(self) -> bool {
        self == Self::Named
    }
}

/// What is wanted of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// How many rows it changed.
    Changes,
    /// The first row, if there is one.
    First,
    /// All rows.
    All,
}

/// What a statement has given.
pub(super) enum Fetched {
    /// So many rows are changed.
    Changed(u64),
    /// Rows of SQLite.
    Sqlite(Vec<SqliteRow>),
    /// Rows of PostgreSQL.
    Postgres(Vec<PgRow>),
}

impl Fetched {
    /// How many rows it has given or changed.
    pub(super) fn count(&self) -> u64 {
        match self {
            Self::Changed(changed) => *changed,
            Self::Sqlite(rows) => rows.len() as u64,
            Self::Postgres(rows) => rows.len() as u64,
        }
    }

    /// Makes the rows into what they are read as.
    pub(super) fn into_rows<T: Record>(self) -> Result<Vec<T>, sqlx::Error> {
        match self {
            Self::Changed(_) => Ok(Vec::new()),
            Self::Sqlite(rows) => rows.iter().map(T::from_row).collect(),
            Self::Postgres(rows) => rows.iter().map(T::from_row).collect(),
        }
    }
}

impl Wanted {
    /// Runs a statement on SQLite and takes what is wanted of it.
    pub(super) async fn on_sqlite(
        self,
        connection: &mut SqliteConnection,
        statement: Statement,
        arguments: SqliteArguments,
    ) -> Result<Fetched, sqlx::Error> {
        let query = sqlx::query_with(statement.sqlite(), arguments);
        match self {
            Self::Changes => query.execute(connection).await.map(|done| Fetched::Changed(done.rows_affected())),
            Self::First => query.fetch_optional(connection).await.map(|row| Fetched::Sqlite(Vec::from_iter(row))),
            Self::All => query.fetch_all(connection).await.map(Fetched::Sqlite),
        }
    }

    /// Runs a statement on PostgreSQL and takes what is wanted of it.
    pub(super) async fn on_postgres(
        self,
        connection: &mut PgConnection,
        statement: Statement,
        arguments: PgArguments,
        naming: Naming,
    ) -> Result<Fetched, sqlx::Error> {
        let query = sqlx::query_with(statement.postgres(), arguments).persistent(naming.is_named());
        match self {
            Self::Changes => query.execute(connection).await.map(|done| Fetched::Changed(done.rows_affected())),
            Self::First => query.fetch_optional(connection).await.map(|row| Fetched::Postgres(Vec::from_iter(row))),
            Self::All => query.fetch_all(connection).await.map(Fetched::Postgres),
        }
    }
}
