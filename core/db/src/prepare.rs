//! Asking a database whether it understands a statement.

use sqlx::{Executor, SqlSafeStr};

use super::pool::Pools;
use super::{Database, DbError, Sql};

impl Database {
    /// Prepares a statement without running it; a test does so with all statements of the catalogue.
    #[doc(hidden)]
    pub async fn prepare(&self, sql: Sql) -> Result<(), DbError> {
        let prepared = match &*self.pools {
            Pools::Sqlite { read, .. } => read.prepare(sql.sqlite.into_sql_str()).await.map(drop),
            Pools::Postgres(postgres) => {
                postgres.primary.current().pool.prepare(sql.postgres.into_sql_str()).await.map(drop)
            }
        };
        prepared.map_err(DbError::of(sql))
    }
}
