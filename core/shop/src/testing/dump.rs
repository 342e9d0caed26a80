//! A database that another version of the program has left behind.

use std::collections::BTreeMap;

use sqlx::{AssertSqlSafe, ConnectOptions, Connection};
use sqlx_postgres::PgConnection;
use sqlx_sqlite::SqliteConnectOptions;

use stoa_kernel::config::DatabaseUrl;

use super::database::TestDatabase;

/// The rows of a table, or the names of all, on a connection of either driver.
macro_rules! row_counts {
    ($connection:expr, $tables:literal) => {{
        let connection = &mut $connection;
        let tables = sqlx::query_scalar::<_, String>($tables).fetch_all(&mut *connection).await;
        let mut counts = BTreeMap::new();
        for table in tables.expect("tables can be listed") {
            let count = sqlx::query_scalar::<_, i64>(AssertSqlSafe(format!("SELECT COUNT(*) FROM \"{table}\"")));
            counts.insert(table, count.fetch_one(&mut *connection).await.expect("rows can be counted"));
        }
        counts
    }};
}

impl TestDatabase {
    /// Runs a script of many statements, such as a dump, in this empty database.
    pub async fn load(&self, script: &str) {
        let script = sqlx::raw_sql(AssertSqlSafe(script.to_owned()));
        let done = match self.url() {
            DatabaseUrl::Postgres(url) => {
                let mut connection = PgConnection::connect(url.expose()).await.expect("the database is there");
                script.execute(&mut connection).await.map(drop)
            }
            DatabaseUrl::SqliteFile(file) => {
                let options = SqliteConnectOptions::new().filename(file).create_if_missing(true);
                let mut connection = options.connect().await.expect("the file can be made");
                let done = script.execute(&mut connection).await.map(drop);
                connection.close().await.expect("it can be closed");
                done
            }
            DatabaseUrl::SqliteMemory => unreachable!("a test's database is a file or on a server"),
        };
        done.expect("the script runs");
    }

    /// How many rows each table has, whichever tables there are.
    pub async fn row_counts(&self) -> BTreeMap<String, i64> {
        match self.url() {
            DatabaseUrl::Postgres(url) => {
                let mut connection = PgConnection::connect(url.expose()).await.expect("the database is there");
                row_counts!(connection, "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'")
            }
            DatabaseUrl::SqliteFile(file) => {
                let options = SqliteConnectOptions::new().filename(file);
                let mut connection = options.connect().await.expect("the file is there");
                row_counts!(
                    connection,
                    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
                )
            }
            DatabaseUrl::SqliteMemory => unreachable!("a test's database is a file or on a server"),
        }
    }
}
