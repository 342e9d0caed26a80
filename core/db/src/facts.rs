//! What a database says about itself, for `stoa doctor`.

use chrono::{DateTime, Utc};

use super::pool::Pools;
use super::replica::ReplicaFacts;
use super::{Database, DbError, pooler};

/// The settings of a database that the shop's promises rest on.
#[derive(Debug, Clone, PartialEq)]
pub enum DatabaseFacts {
    /// The embedded database.
    Sqlite(SqliteFacts),
    /// A PostgreSQL server.
    Postgres(PostgresFacts),
}

/// What SQLite tells about the connection that writes.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct SqliteFacts {
    /// The version of the library, such as `3.50.1`.
    pub version: String,
    /// How changes are journaled: `wal` lets readers and the writer work side by side.
    pub journal_mode: String,
    /// How carefully commits are written to the disk: 2 (FULL) and above survive a power cut.
    pub synchronous: i64,
    /// Whether references between rows are enforced.
    pub foreign_keys: bool,
    /// Whether Litestream has ever followed it.
    pub has_follower: bool,
}

/// What PostgreSQL tells about the server and the connection.
#[derive(Debug, Clone, PartialEq, sqlx::FromRow)]
pub struct PostgresFacts {
    /// The version, such as `17.2`.
    pub version: String,
    /// The version as a number: 170002 for 17.2.
    pub version_number: i64,
    /// The encoding of all texts.
    pub encoding: String,
    /// Whether commits are forced to the disk.
    pub fsync: bool,
    /// Whether pages are protected against being written in part.
    pub full_page_writes: bool,
    /// Whether a commit waits for the disk: anything but `off` does.
    pub synchronous_commit: String,
    /// Whether the server accepts no changes, as a replica does.
    pub read_only: bool,
    /// Connections that the server accepts from all its clients together.
    pub max_connections: i64,
    /// The server's clock.
    pub now: DateTime<Utc>,
}

/// What one of several servers is.
#[derive(Debug, Clone)]
pub struct ServerFacts {
    /// Where it is.
    pub address: String,
    /// Whether it is a standby, or why it does not tell.
    pub is_standby: Result<bool, DbError>,
}

const SQLITE: &str = "SELECT sqlite_version() AS version, j.journal_mode, s.synchronous, f.foreign_keys,
            EXISTS (SELECT 1 FROM sqlite_master WHERE name = '_litestream_seq') AS has_follower
     FROM pragma_journal_mode j, pragma_synchronous s, pragma_foreign_keys f";

const POSTGRES: &str = "SELECT current_setting('server_version') AS version,
            CAST(current_setting('server_version_num') AS BIGINT) AS version_number,
            current_setting('server_encoding') AS encoding,
            CAST(current_setting('fsync') AS BOOLEAN) AS fsync,
            CAST(current_setting('full_page_writes') AS BOOLEAN) AS full_page_writes,
            current_setting('synchronous_commit') AS synchronous_commit,
            CAST(current_setting('transaction_read_only') AS BOOLEAN) AS read_only,
            CAST(current_setting('max_connections') AS BIGINT) AS max_connections,
            clock_timestamp() AS now";

/// The first problems of the file, and the tables with rows that refer to nothing.
const DAMAGE: &str = "SELECT problem FROM (SELECT integrity_check AS problem FROM pragma_integrity_check LIMIT 20)
     WHERE problem <> 'ok'
     UNION ALL
     SELECT 'a row of ' || \"table\" || ' refers to a row of ' || parent || ' that does not exist'
     FROM (SELECT DISTINCT \"table\", parent FROM pragma_foreign_key_check)";

impl Database {
    /// The settings of the database.
    pub async fn facts(&self) -> Result<DatabaseFacts, DbError> {
        Ok(match &*self.pools {
            Pools::Sqlite { write, .. } => DatabaseFacts::Sqlite(sqlx::query_as(SQLITE).fetch_one(write).await?),
            Pools::Postgres(postgres) => {
                let mut tx = postgres.primary.current().begin_reading().await?;
                let facts = sqlx::query_as(POSTGRES).persistent(false).fetch_one(tx.connection()).await?;
                tx.end("COMMIT").await?;
                DatabaseFacts::Postgres(facts)
            }
        })
    }

    /// Reads a SQLite file through and tells what is damaged in it; nothing when it is sound.
    ///
    /// PostgreSQL checks its pages itself where the server was set up with checksums, so there is
    /// nothing to read here.
    pub async fn damage(&self) -> Result<Vec<String>, DbError> {
        match &*self.pools {
            Pools::Sqlite { write, .. } => Ok(sqlx::query_scalar(DAMAGE).fetch_all(write).await?),
            Pools::Postgres(_) => Ok(Vec::new()),
        }
    }

    /// Begins to write and changes its mind: fails where the database cannot be written to.
    pub async fn check_writable(&self) -> Result<(), DbError> {
        match &*self.pools {
            Pools::Sqlite { write, .. } => write.begin_with("BEGIN IMMEDIATE").await?.rollback().await?,
            // A transaction gets its number when it first writes; a replica refuses to give one.
            Pools::Postgres(postgres) => {
                let mut tx = postgres.primary.current().begin_reading().await?;
                tx.run("SELECT txid_current()").await?;
                tx.end("ROLLBACK").await?;
            }
        }
        Ok(())
    }

    /// Whether connections share server processes, as behind a pooler; looked for anew. Never with SQLite.
    pub async fn is_behind_pooler(&self) -> Result<bool, DbError> {
        let Pools::Postgres(postgres) = &*self.pools else { return Ok(false) };
        let server = postgres.primary.current();
        let (mut one, mut other) = (server.pool.acquire().await?, server.pool.acquire().await?);
        Ok(pooler::is_between(&mut one, &mut other).await?)
    }

    /// The server that the shop is kept on, of several; none with SQLite.
    pub fn server(&self) -> Option<String> {
        match &*self.pools {
            Pools::Sqlite { .. } => None,
            Pools::Postgres(postgres) => Some(postgres.primary.address()),
        }
    }

    /// What the servers of `database.url` are at the moment; nothing where there is one.
    pub async fn servers(&self) -> Vec<ServerFacts> {
        match &*self.pools {
            Pools::Sqlite { .. } => Vec::new(),
            Pools::Postgres(postgres) => postgres.primary.look().await,
        }
    }

    /// What is to be told of the standby that lists are read from, if there is one.
    pub async fn replica_facts(&self) -> Option<Result<ReplicaFacts, DbError>> {
        match &*self.pools {
            Pools::Sqlite { .. } => None,
            Pools::Postgres(postgres) => postgres.replica_facts().await,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use sqlx::Connection;
    use sqlx_sqlite::{SqliteConnectOptions, SqliteConnection};

    use super::*;
    use crate::{Missing, OpenOptions};
    use stoa_base::config::DatabaseUrl;

    async fn open(file: &Path) -> Database {
        let options = OpenOptions::new(DatabaseUrl::SqliteFile(file.to_owned()), Missing::Create, 1);
        Database::open(&options).await.expect("the folder is ours")
    }

    #[tokio::test]
    async fn a_database_opened_by_the_shop_survives_power_cuts() {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let db = open(&folder.path().join("shop.db")).await;
        let DatabaseFacts::Sqlite(facts) = db.facts().await.expect("it answers") else { panic!("it is SQLite") };
        assert_eq!((facts.journal_mode.as_str(), facts.synchronous, facts.foreign_keys), ("wal", 2, true));
        db.check_writable().await.expect("it is ours");
    }

    #[tokio::test]
    async fn a_reference_to_nothing_is_damage() {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let file = folder.path().join("shop.db");
        let careless = SqliteConnectOptions::new().filename(&file).create_if_missing(true).foreign_keys(false);
        let mut connection = SqliteConnection::connect_with(&careless).await.expect("the folder is ours");
        let shop = "CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (a INTEGER REFERENCES a (id));";
        sqlx::raw_sql(shop).execute(&mut connection).await.expect("valid SQL");
        let db = open(&file).await;
        assert_eq!(db.damage().await.expect("it answers"), [] as [String; 0]);
        sqlx::raw_sql("INSERT INTO b VALUES (5), (6);").execute(&mut connection).await.expect("nobody minds");
        assert_eq!(db.damage().await.expect("it answers"), ["a row of b refers to a row of a that does not exist"]);
    }
}
