//! A statement with its arguments, bound for whichever driver is in use.

use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use sqlx::encode::IsNull;
use sqlx::{Arguments as _, Decode, Encode, FromRow, Type};
use sqlx_postgres::{PgArguments, PgRow, Postgres};
use sqlx_sqlite::{Sqlite, SqliteArguments, SqliteArgumentsBuffer, SqliteConnection, SqliteRow};
use tracing::Instrument;

use super::fetch::{Fetched, Wanted};
use super::freshness::Freshness;
use super::pool::Pools;
use super::postgres_write::PostgresWrite;
use super::spin_then_park::spin_then_park;
use super::statement::Statement;
use super::watched::StatementWatch;
use super::{DbError, Sql};

/// A value that can be bound to a placeholder on both databases.
pub trait Bind<'t>: Encode<'t, Sqlite> + Type<Sqlite> + Encode<'t, Postgres> + Type<Postgres> {}
impl<'t, T> Bind<'t> for T where T: Encode<'t, Sqlite> + Type<Sqlite> + Encode<'t, Postgres> + Type<Postgres> {}

/// A single column's value that can be read from both databases.
pub trait Column:
    Send + Unpin + Type<Sqlite> + Type<Postgres> + for<'r> Decode<'r, Sqlite> + for<'r> Decode<'r, Postgres>
{
}
impl<T> Column for T where
    T: Send + Unpin + Type<Sqlite> + Type<Postgres> + for<'r> Decode<'r, Sqlite> + for<'r> Decode<'r, Postgres>
{
}

/// A row type that can be read from both databases; `#[derive(sqlx::FromRow)]` makes one.
pub trait Record: Send + Unpin + for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> {}
impl<T> Record for T where T: Send + Unpin + for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> {}

pub(super) enum Target<'c> {
    Pools(&'c Pools, ReadPurpose<'c>),
    Sqlite(&'c mut SqliteConnection),
    Postgres(&'c mut PostgresWrite),
}

/// What becomes of what is read.
#[derive(Clone, Copy)]
pub(super) enum ReadPurpose<'c> {
    /// Somebody is told, or something is done because of it.
    Answer,
    /// Somebody is told, and a standby may say it that is as fresh as this.
    List(&'c Freshness),
    /// It only decides whether to write.
    Decision,
}

enum Bound {
    Sqlite(SqliteArguments),
    Postgres(PgArguments),
}

impl Bound {
    fn len(&self) -> usize {
        match self {
            Self::Sqlite(arguments) => arguments.len(),
            Self::Postgres(arguments) => arguments.len(),
        }
    }
}

/// Whether a database would store a value as null.
fn is_null<'t>(value: &impl Bind<'t>) -> bool {
    matches!(Encode::<Sqlite>::encode_by_ref(value, &mut SqliteArgumentsBuffer::default()), Ok(IsNull::Yes))
}

/// One statement on its way to the database: bind its placeholders in order, then run it.
#[must_use = "a query does nothing until it is run"]
pub struct Query<'c> {
    target: Target<'c>,
    statement: Statement,
    arguments: Result<Bound, sqlx::error::BoxDynError>,
    watch: StatementWatch,
}

impl<'c> Query<'c> {
    pub(super) fn new(target: Target<'c>, sql: Sql, watch: StatementWatch) -> Self {
        let arguments = match &target {
            Target::Pools(Pools::Sqlite { .. }, _) | Target::Sqlite(_) => Bound::Sqlite(SqliteArguments::default()),
            Target::Pools(Pools::Postgres(_), _) | Target::Postgres(_) => Bound::Postgres(PgArguments::default()),
        };
        Self { target, statement: Statement::new(sql), arguments: Ok(arguments), watch }
    }

    /// Binds the next two placeholders to texts between which all lie that begin so: the first included, the second not.
    pub fn bind_beginning(self, begin: &str) -> Self {
        self.bind(begin.to_owned()).bind(format!("{begin}\u{10FFFF}"))
    }

    /// Binds the next placeholder to the pattern of `LIKE … ESCAPE '\\'` that all texts fit that hold this one anywhere.
    pub fn bind_holding(self, text: &str) -> Self {
        let mut pattern = String::from("%");
        for letter in text.chars() {
            if matches!(letter, '%' | '_' | '\\') {
                pattern.push('\\');
            }
            pattern.push(letter);
        }
        pattern.push('%');
        self.bind(pattern)
    }

    /// Binds the next placeholder to true, or to null where the flag is not set, so that a filter can be left out.
    pub fn bind_flag(self, flag: bool) -> Self {
        self.bind(flag.then_some(true))
    }

    /// Binds the next placeholder to ids, which `json_each` makes rows of: `CAST(value ->> 'id' AS BIGINT)`.
    pub fn bind_ids(self, ids: impl IntoIterator<Item = i64>) -> Self {
        self.bind(ids.into_iter().map(|id| json!({ "id": id })).collect::<Value>().to_string())
    }

    /// Binds the next placeholder.
    pub fn bind<'t, T: Bind<'t>>(mut self, value: T) -> Self {
        let is_null = self.statement.sql.has_filters && is_null(&value);
        if let Ok(bound) = &mut self.arguments {
            let added = match bound {
                Bound::Sqlite(arguments) => arguments.add(value),
                Bound::Postgres(arguments) => arguments.add(value),
            };
            match added {
                Ok(()) if is_null => self.statement.is_null(bound.len()),
                Ok(()) => {}
                Err(error) => self.arguments = Err(error),
            }
        }
        self
    }

    /// Runs the statement and returns how many rows it changed.
    pub async fn execute(self) -> Result<u64, DbError> {
        Ok(self.run(Wanted::Changes).await?.count())
    }

    /// Runs the statement and returns its first row, if there is one.
    pub async fn optional<T: Record>(self) -> Result<Option<T>, DbError> {
        let sql = self.statement.sql;
        let fetched = self.run(Wanted::First).await?;
        Ok(fetched.into_rows().map_err(DbError::of(sql))?.pop())
    }

    /// Runs the statement and returns all its rows.
    pub async fn all<T: Record>(self) -> Result<Vec<T>, DbError> {
        let sql = self.statement.sql;
        self.run(Wanted::All).await?.into_rows().map_err(DbError::of(sql))
    }

    /// Runs the statement. Boxed, so that whoever waits for it, which is nearly everybody, neither needs room for all that a
    /// server may ask for nor is compiled with it.
    fn run(self, wanted: Wanted) -> BoxFuture<'c, Result<Fetched, DbError>> {
        Box::pin(async move {
            let watched = self.watch.begin(self.statement.sql);
            let fetched = self.fetched(wanted).instrument(watched.span.clone()).await?;
            watched.end(&fetched);
            Ok(fetched)
        })
    }

    async fn fetched(self, wanted: Wanted) -> Result<Fetched, DbError> {
        let (statement, sql) = (self.statement, self.statement.sql);
        match (self.target, self.arguments.map_err(sqlx::Error::Encode)?) {
            (Target::Pools(Pools::Sqlite { readers, .. }, _), Bound::Sqlite(arguments)) => {
                let mut reader = readers.acquire().await.map_err(DbError::of(sql))?;
                let answer = spin_then_park(wanted.on_sqlite(&mut reader, statement, arguments)).await;
                reader.done(answer.is_ok());
                answer.map_err(DbError::of(sql))
            }
            (Target::Sqlite(connection), Bound::Sqlite(arguments)) => {
                spin_then_park(wanted.on_sqlite(connection, statement, arguments)).await.map_err(DbError::of(sql))
            }
            (Target::Pools(Pools::Postgres(postgres), purpose), Bound::Postgres(arguments)) => {
                // Boxed, or those of SQLite would be as large.
                Box::pin(postgres.read(purpose, statement, arguments, wanted)).await
            }
            (Target::Postgres(tx), Bound::Postgres(arguments)) => tx.fetch(statement, arguments, wanted).await,
            _ => unreachable!("arguments are made for the driver of their target"),
        }
    }

    /// Runs a statement that always gives exactly one row, such as a count or an insert with
    /// `RETURNING`.
    pub async fn one<T: Record>(self) -> Result<T, DbError> {
        let sql = self.statement.sql;
        self.optional().await?.ok_or_else(|| DbError::of(sql)(sqlx::Error::RowNotFound))
    }

    /// The first column of the one row that the statement always gives.
    pub async fn scalar<T: Column>(self) -> Result<T, DbError>
    where
        (T,): Record,
    {
        Ok(self.one::<(T,)>().await?.0)
    }

    /// The first column of the first row, if there is one.
    pub async fn optional_scalar<T: Column>(self) -> Result<Option<T>, DbError>
    where
        (T,): Record,
    {
        Ok(self.optional::<(T,)>().await?.map(|row| row.0))
    }

    /// The first column of all rows.
    pub async fn scalars<T: Column>(self) -> Result<Vec<T>, DbError>
    where
        (T,): Record,
    {
        Ok(self.all::<(T,)>().await?.into_iter().map(|row| row.0).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::mem::size_of_val;

    use super::*;
    use crate::{Database, Write};

    /// More than what runs a statement or begins a transaction has to remember, and far less than what opens a connection does.
    const SMALL: usize = 4096;

    #[tokio::test]
    async fn what_runs_a_statement_has_no_room_for_what_opens_a_connection() {
        let db = Database::in_memory().await.expect("a database in memory");
        let sql = Sql::new("SELECT 1", "SELECT 1", "here", 1);
        let (statement, write) = (size_of_val(&*db.read(sql).run(Wanted::All)), size_of_val(&*Write::begin(&db)));
        assert!(statement < SMALL, "each statement takes {statement} bytes");
        assert!(write < SMALL, "each transaction takes {write} bytes to begin");
    }
}
