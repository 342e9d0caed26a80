//! What is wanted of a statement: that it is run, its first row, or all of them.

use std::marker::PhantomData;

use sqlx_postgres::{PgArguments, PgConnection};
use sqlx_sqlite::{SqliteArguments, SqliteConnection};

use super::Sql;
use super::query::Record;

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

/// Runs a statement and takes what it gives.
pub(super) trait Fetch: Copy + Send + Sync {
    /// What it gives.
    type Output: Send;

    fn on_sqlite(
        self,
        connection: &mut SqliteConnection,
        sql: Sql,
        arguments: SqliteArguments,
    ) -> impl Future<Output = Result<Self::Output, sqlx::Error>> + Send;

    fn on_postgres(
        self,
        connection: &mut PgConnection,
        sql: Sql,
        arguments: PgArguments,
        naming: Naming,
    ) -> impl Future<Output = Result<Self::Output, sqlx::Error>> + Send;
}

/// How many rows it changed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Changed;

impl Fetch for Changed {
    type Output = u64;

    async fn on_sqlite(
        self,
        connection: &mut SqliteConnection,
        sql: Sql,
        arguments: SqliteArguments,
    ) -> Result<u64, sqlx::Error> {
        sqlx::query_with(sql.sqlite, arguments).execute(connection).await.map(|done| done.rows_affected())
    }

    async fn on_postgres(
        self,
        connection: &mut PgConnection,
        sql: Sql,
        arguments: PgArguments,
        naming: Naming,
    ) -> Result<u64, sqlx::Error> {
        let query = sqlx::query_with(sql.postgres, arguments).persistent(naming.is_named());
        query.execute(connection).await.map(|done| done.rows_affected())
    }
}

/// The first row, if there is one.
pub(super) struct First<T>(PhantomData<fn() -> T>);

/// All rows.
pub(super) struct All<T>(PhantomData<fn() -> T>);

impl<T> First<T> {
    pub(super) const NEW: Self = Self(PhantomData);
}

impl<T> All<T> {
    pub(super) const NEW: Self = Self(PhantomData);
}

impl<T> Clone for First<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for First<T> {}

impl<T> Clone for All<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for All<T> {}

impl<T: Record> Fetch for First<T> {
    type Output = Option<T>;

    async fn on_sqlite(
        self,
        connection: &mut SqliteConnection,
        sql: Sql,
        arguments: SqliteArguments,
    ) -> Result<Option<T>, sqlx::Error> {
        sqlx::query_as_with(sql.sqlite, arguments).fetch_optional(connection).await
    }

    async fn on_postgres(
        self,
        connection: &mut PgConnection,
        sql: Sql,
        arguments: PgArguments,
        naming: Naming,
    ) -> Result<Option<T>, sqlx::Error> {
        let query = sqlx::query_as_with(sql.postgres, arguments).persistent(naming.is_named());
        query.fetch_optional(connection).await
    }
}

impl<T: Record> Fetch for All<T> {
    type Output = Vec<T>;

    async fn on_sqlite(
        self,
        connection: &mut SqliteConnection,
        sql: Sql,
        arguments: SqliteArguments,
    ) -> Result<Vec<T>, sqlx::Error> {
        sqlx::query_as_with(sql.sqlite, arguments).fetch_all(connection).await
    }

    async fn on_postgres(
        self,
        connection: &mut PgConnection,
        sql: Sql,
        arguments: PgArguments,
        naming: Naming,
    ) -> Result<Vec<T>, sqlx::Error> {
        let query = sqlx::query_as_with(sql.postgres, arguments).persistent(naming.is_named());
        query.fetch_all(connection).await
    }
}
