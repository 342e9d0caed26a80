//! The database as the rest of the shop sees it.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, SubsecRound, Utc};
use futures_util::future::BoxFuture;
use sqlx_sqlite::{Sqlite, SqlitePool};

use super::connection_cache::ConnectionCache;
use super::count::StatementCount;
use super::freshness::Freshness;
use super::postgres::Postgres;
use super::query::{ReadPurpose, Target};
use super::shared_commit::{SharedWrite, WriteLine};
use super::tx::Connection;
use super::watched::StatementWatch;
use super::{DbError, Query, Sql, Tx};
use crate::audit::Acting;
use crate::clock::Clock;
use crate::events::EventBus;
use crate::i18n::Texts;
use crate::random::Random;

/// Which database product a [`Db`] talks to.
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

/// A handle to the shop's database; cloning it is cheap.
#[derive(Clone)]
pub struct Db {
    /// Behind one pointer, since many requests take a handle of their own.
    pub(super) pools: Arc<Pools>,
    pub(super) clock: Clock,
    random: Random,
    bus: Arc<EventBus>,
    texts: Texts,
    acting: Arc<Acting>,
    pub(super) count: StatementCount,
    watch: StatementWatch,
    /// For what a standby may answer.
    lists: Option<Arc<Freshness>>,
}

impl Db {
    pub(super) fn new(pools: Pools, clock: Clock) -> Self {
        let (count, watch) = (StatementCount::default(), StatementWatch::default());
        let (random, bus) = (Random::system(), Arc::new(EventBus::default()));
        let acting = Arc::default();
        Self { pools: Arc::new(pools), clock, random, bus, texts: Texts::built_in(), acting, count, watch, lists: None }
    }

    /// The same database, announcing and emitting events to the listeners of `bus`.
    #[must_use]
    pub fn with_events(mut self, bus: Arc<EventBus>) -> Self {
        self.bus = bus;
        self
    }

    /// The same database, whose transactions write texts down in these words.
    #[must_use]
    pub fn with_texts(mut self, texts: Texts) -> Self {
        self.texts = texts;
        self
    }

    /// The same database, with a line in the log for each statement that takes longer.
    #[must_use]
    pub fn telling_slow(mut self, slow: Option<Duration>) -> Self {
        self.watch = StatementWatch(slow);
        self
    }

    /// The same database, drawing the ids of its transactions from `random`.
    #[must_use]
    pub fn with_random(mut self, random: Random) -> Self {
        self.random = random;
        self
    }

    /// The same database, through which somebody else acts than the shop by itself; the audit log says who.
    #[must_use]
    pub fn acting_as(mut self, acting: impl Into<Acting>) -> Self {
        self.acting = Arc::new(acting.into());
        self
    }

    /// The same database seen at another time: rows written through it carry that clock's time.
    #[must_use]
    pub fn at(mut self, clock: Clock) -> Self {
        self.clock = clock;
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

    /// The current time in the database's precision of microseconds.
    pub fn now(&self) -> DateTime<Utc> {
        self.clock.now().trunc_subsecs(6)
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

    /// Runs `work` in one transaction: committed when it returns `Ok`, rolled back on `Err`.
    ///
    /// Password hashing, rendering and above all network calls belong before or after, never
    /// inside. With SQLite the transaction holds the only write connection, and writes that wait for
    /// it may share one commit; each still succeeds or fails alone, and none is answered before.
    ///
    /// Beginning and ending it is boxed, as each statement is: whoever writes is compiled without what that takes.
    pub async fn write<T, E>(&self, work: impl AsyncFnOnce(&mut Tx) -> Result<T, E>) -> Result<T, E>
    where
        E: From<DbError>,
    {
        let mut tx = self.begin().await?;
        let done = match work(&mut tx).await {
            Ok(value) => tx.write_tasks().await.map(|()| value).map_err(E::from),
            Err(error) => Err(error),
        };
        match done {
            Ok(value) => {
                tx.commit().await?;
                Ok(value)
            }
            Err(error) => {
                tx.roll_back().await?;
                Err(error)
            }
        }
    }

    fn begin(&self) -> BoxFuture<'_, Result<Tx, DbError>> {
        Box::pin(async {
            let connection = match &*self.pools {
                Pools::Sqlite { line, .. } => Connection::Sqlite(SharedWrite::begin(line).await?),
                Pools::Postgres(postgres) => {
                    let (write, ticket) = postgres.begin().await?;
                    Connection::Postgres(write, ticket)
                }
            };
            let (bus, acting) = (Arc::clone(&self.bus), Arc::clone(&self.acting));
            let tx = Tx::new(connection, self.now(), self.random.clone(), bus, self.texts.clone(), acting);
            Ok(tx.watched_by(self.count.clone(), self.watch))
        })
    }

    /// Checks that the database answers, within `limit`.
    pub async fn ping(&self, limit: Duration) -> Result<(), DbError> {
        const PING: Sql = crate::sql!("SELECT CAST(1 AS BIGINT)");
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
