//! Noticing that something was written, by this process or another.

use std::time::Duration;

use sqlx::pool::PoolConnection;
use sqlx_postgres::PgListener;
use sqlx_sqlite::{Sqlite, SqliteConnection};

use super::pool::Pools;
use super::server_pools::Gone;
use super::{Database, DbError};

/// How often SQLite is asked whether another connection has committed. The question reads one
/// counter from shared memory, so asking often costs next to nothing.
const SQLITE_INTERVAL: Duration = Duration::from_millis(20);

/// How long a lost PostgreSQL notification can go unnoticed.
const POSTGRES_INTERVAL: Duration = Duration::from_secs(1);

/// How often whoever is behind a pooler looks for itself.
const POOLED_INTERVAL: Duration = Duration::from_millis(500);

/// The channel that the triggers of the PostgreSQL schema notify.
const POSTGRES_CHANNEL: &str = "stoa_changes";

enum Source {
    /// `PRAGMA data_version` on a connection that itself never writes.
    DataVersion {
        connection: PoolConnection<Sqlite>,
        seen: i64,
    },
    /// Whoever waits looks for itself: a database in memory has one connection, which cannot see its own counter move, and
    /// through a pooler nobody hears of anything.
    Interval(Duration),
    Notifications(Box<PgListener>, Gone),
}

/// Wakes whoever waits for changes in the database.
///
/// A wake-up means that something may have changed; what did is for the waiter to find out.
pub struct ChangeWatch {
    source: Source,
}

impl Database {
    /// Starts to watch for changes, keeping one connection for it where that helps.
    pub async fn watch(&self) -> Result<ChangeWatch, DbError> {
        let source = match &*self.pools {
            Pools::Sqlite { read, write, .. }
                if read.options().get_max_connections() == 1 && write.options().get_max_connections() == 1 =>
            {
                Source::Interval(SQLITE_INTERVAL)
            }
            Pools::Sqlite { read, .. } => {
                let mut connection = read.acquire().await?;
                let seen = data_version(&mut connection).await?;
                Source::DataVersion { connection, seen }
            }
            Pools::Postgres(postgres) => {
                let server = postgres.primary.current();
                if server.is_pooled() {
                    Source::Interval(POOLED_INTERVAL)
                } else {
                    let listening = async {
                        let mut listener = PgListener::connect_with(&server.pool).await?;
                        listener.listen(POSTGRES_CHANNEL).await?;
                        Ok::<_, sqlx::Error>(Box::new(listener))
                    };
                    Source::Notifications(server.gone().unless(listening).await?, server.gone())
                }
            }
        };
        Ok(ChangeWatch { source })
    }
}

impl ChangeWatch {
    /// Waits until something may have changed since the last call.
    pub async fn changed(&mut self) -> Result<(), DbError> {
        match &mut self.source {
            Source::DataVersion { connection, seen } => loop {
                tokio::time::sleep(SQLITE_INTERVAL).await;
                let now = data_version(connection).await?;
                if now != *seen {
                    *seen = now;
                    return Ok(());
                }
            },
            Source::Interval(interval) => tokio::time::sleep(*interval).await,
            Source::Notifications(listener, gone) => {
                let heard = gone.unless(listener.recv());
                // Both a notification and the end of the interval are a reason to look.
                if let Ok(received) = tokio::time::timeout(POSTGRES_INTERVAL, heard).await {
                    received?;
                }
            }
        }
        Ok(())
    }
}

async fn data_version(connection: &mut SqliteConnection) -> Result<i64, DbError> {
    Ok(sqlx::query_scalar("PRAGMA data_version").fetch_one(connection).await?)
}
