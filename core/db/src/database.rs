//! A database, as the kernel's handle and everything in this crate see it.

use std::sync::Arc;
use std::time::Duration;

use super::count::StatementCount;
use super::freshness::Freshness;
use super::pool::{Backend, Pools};
use super::postgres::Postgres;
use super::query::{ReadPurpose, Target};
use super::watched::StatementWatch;
use super::{DbError, Query, Sql};

/// A database: its connections, and what is told of its statements. It is read from; [`Write`](crate::Write) writes.
/// Cloning it is cheap.
#[derive(Clone)]
pub struct Database {
    /// Behind one pointer, since many requests take a handle of their own.
    pub(super) pools: Arc<Pools>,
    pub(super) count: StatementCount,
    pub(super) watch: StatementWatch,
    /// For what a standby may answer.
    lists: Option<Arc<Freshness>>,
}

impl Database {
    pub(super) fn new(pools: Pools) -> Self {
        let (count, watch) = (StatementCount::default(), StatementWatch::default());
        Self { pools: Arc::new(pools), count, watch, lists: None }
    }

    /// The same database, with a line in the log for each statement that takes longer.
    #[must_use]
    pub fn telling_slow(mut self, slow: Option<Duration>) -> Self {
        self.watch = StatementWatch(slow);
        self
    }

    /// Which database product this is.
    pub fn backend(&self) -> Backend {
        match *self.pools {
            Pools::Sqlite { .. } => Backend::Sqlite,
            Pools::Postgres(_) => Backend::Postgres,
        }
    }

    /// The same database for the lists of one request, which a standby may answer if there is one (`database.read_url`): what
    /// is read through it is not older than what anybody was told before, but may be older than a write that nobody was
    /// told of yet.
    #[must_use]
    pub fn for_lists(&self) -> Self {
        let has_replica = matches!(&*self.pools, Pools::Postgres(Postgres { replica: Some(_), .. }));
        Self { lists: has_replica.then(Arc::default), ..self.clone() }
    }

    /// A statement that only reads, outside any transaction. On PostgreSQL what it gives is on disk, or at the end of a request
    /// whose answer tells it.
    pub fn read(&self, sql: Sql) -> Query<'_> {
        self.count.add();
        let purpose = self.lists.as_deref().map_or(ReadPurpose::Answer, ReadPurpose::List);
        Query::new(Target::Pools(&self.pools, purpose), sql, self.watch)
    }

    /// The same for a look that only decides whether to write: what it sees may not be on disk yet, but what is written
    /// because of it comes there after it. Tell nobody, and do nothing else.
    pub fn look(&self, sql: Sql) -> Query<'_> {
        self.count.add();
        Query::new(Target::Pools(&self.pools, ReadPurpose::Decision), sql, self.watch)
    }

    /// Checks that the database answers, within `limit`.
    pub async fn ping(&self, limit: Duration) -> Result<(), DbError> {
        const PING: Sql = stoa_sql::sql!("SELECT CAST(1 AS BIGINT)");
        match tokio::time::timeout(limit, self.look(PING).scalar::<i64>()).await {
            Ok(answer) => answer.map(drop),
            Err(_) => Err(sqlx::Error::PoolTimedOut.into()),
        }
    }

    /// Closes all connections, after those in use were given back.
    pub async fn close(&self) {
        match &*self.pools {
            Pools::Sqlite { readers, write, .. } => {
                readers.close().await;
                write.close().await;
            }
            Pools::Postgres(postgres) => postgres.close().await,
        }
    }
}
