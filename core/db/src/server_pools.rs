//! The connections to the PostgreSQL server in use.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use sqlx::Row;
use sqlx_postgres::{PgArguments, PgConnection, PgPool, PgPoolOptions, Postgres};
use stoa_base::config::Pooler;
use tokio::sync::{Notify, OnceCell};
use tokio_util::sync::CancellationToken;

use super::connection_cache::{CachedConnection, ConnectionCache};
use super::durable_reads::Reading;
use super::error::{is_connection_lost, is_refused_as_read_only};
use super::fetch::{Fetched, Naming, Wanted};
use super::flush_connection::FlushConnection;
use super::open::ACQUIRE_TIMEOUT;
use super::pool::WATCHES;
use super::postgres_write::{PostgresWrite, PostgresWrites, Shares, share_out};
use super::query::ReadPurpose;
use super::servers::Servers;
use super::shared_flush::{FlushTicket, SharedFlush, WITHOUT_WAITING};
use super::statement::Statement;
use super::{DbError, pooler};

/// How long after its last use a connection to PostgreSQL is believed to live without being asked.
const FRESH: Duration = Duration::from_secs(1);

macro_rules! concat_durably {
    ($end:literal) => {
        concat!(
            $end,
            "; SELECT CASE WHEN pg_is_in_recovery() OR pg_current_wal_insert_lsn() <= pg_current_wal_flush_lsn() THEN NULL
                      ELSE pg_logical_emit_message(true, 'stoa', '') END"
        )
    };
}

/// Ends a transaction that has read, and returns when what it has read is as durable as the server makes it: whoever does
/// not go through a pooler commits first and waits then.
const COMMIT_DURABLY: &str = concat_durably!("COMMIT");

/// The same for one that is undone.
pub(super) const ROLL_BACK_DURABLY: &str = concat_durably!("ROLLBACK");

/// The pools of one server.
pub(super) struct ServerPools {
    /// Which of the servers it is.
    pub(super) place: usize,
    pub(super) pool: PgPool,
    /// The connections of `pool`, for single statements.
    readers: ConnectionCache<Postgres>,
    writes: PostgresWrites,
    /// Through which commits wait for the disk together; none behind a pooler, where each waits by itself.
    flush: Option<SharedFlush>,
    gone: Gone,
    /// Told when the server may not be the right one any more.
    doubt: Arc<Notify>,
    /// How far a standby is known to have come, as a position of the log.
    pub(super) replayed: AtomicU64,
    /// Whether it is a standby of the shop's own database.
    pub(super) is_ours: OnceCell<bool>,
}

/// Ends what is waited for when another server has taken the place of this one.
#[derive(Clone, Default)]
pub(super) struct Gone(Option<CancellationToken>);

impl Gone {
    pub(super) fn is_so(&self) -> bool {
        self.0.as_ref().is_some_and(CancellationToken::is_cancelled)
    }

    /// Does work on the server, unless that was given up before its end.
    pub(super) async fn unless<T, E: From<sqlx::Error>>(
        &self,
        work: impl Future<Output = Result<T, E>>,
    ) -> Result<T, E> {
        match &self.0 {
            None => work.await,
            Some(gone) => gone.run_until_cancelled(work).await.unwrap_or_else(|| {
                let reason = io::Error::new(io::ErrorKind::ConnectionAborted, "another server has taken its place");
                Err(sqlx::Error::Io(reason).into())
            }),
        }
    }
}

impl ServerPools {
    /// Opens connections to one of the servers when they are needed.
    pub(super) fn new(servers: &Servers, place: usize, connections: u32, doubt: Arc<Notify>) -> Self {
        let Shares { for_reads, for_writes } = share_out(connections);
        let options = servers.options(place);
        let limit = servers.connect_timeout().map_or(ACQUIRE_TIMEOUT, |limit| limit.min(ACQUIRE_TIMEOUT));
        let pool_of = |connections| postgres_pool(connections, limit, servers.pooler);
        let gone = Gone(servers.are_several().then(CancellationToken::new));
        let pool = pool_of(for_reads).connect_lazy_with(options.clone());
        let readers = ConnectionCache::new(pool.clone(), WATCHES, Some(FRESH));
        let naming = match servers.pooler {
            Pooler::None => Naming::Named,
            Pooler::Transaction => Naming::Unnamed,
        };
        let writer = match naming {
            Naming::Named => options.clone().options([WITHOUT_WAITING]),
            Naming::Unnamed => options.clone(),
        };
        let writes = PostgresWrites::new(pool_of(for_writes).connect_lazy_with(writer), FRESH, naming, gone.clone());
        let flush = naming.is_named().then(|| {
            // Known by another name, since a program that looks for others has this one itself.
            let connection = FlushConnection::new(pool_of(1), options.clone().application_name("stoa: flush"), FRESH);
            SharedFlush::new(connection, writes.slots(), gone.clone())
        });
        let (replayed, is_ours) = (AtomicU64::new(0), OnceCell::new());
        Self { place, pool, readers, writes, flush, gone, doubt, replayed, is_ours }
    }

    /// Whether another server may take its place.
    pub(super) fn may_go(&self) -> bool {
        self.gone.0.is_some()
    }

    /// Whether another server has taken its place.
    pub(super) fn is_gone(&self) -> bool {
        self.gone.is_so()
    }

    /// Ends what waits for it.
    pub(super) fn give_up(&self) {
        if let Some(gone) = &self.gone.0 {
            gone.cancel();
        }
    }

    /// Opens the first connection, and tells whether it shares server processes with another although it should not.
    pub(super) async fn shares_with(&self, other: &mut PgConnection) -> Result<bool, sqlx::Error> {
        let mut reader = self.readers.acquire().await?;
        let shares = !self.is_pooled() && pooler::is_between(other, &mut reader).await?;
        reader.done(true);
        Ok(shares)
    }

    /// What ends when another server takes its place.
    pub(super) fn gone(&self) -> Gone {
        self.gone.clone()
    }

    /// Whether each transaction may be another server process's.
    pub(super) fn is_pooled(&self) -> bool {
        self.flush.is_none()
    }

    /// Got before something is read that is told; none behind a pooler.
    pub(super) async fn reading(&self) -> Result<Option<Reading>, DbError> {
        match &self.flush {
            Some(flush) => Ok(Some(Reading::begin(flush).await?)),
            None => Ok(None),
        }
    }

    /// Begins a write, with what is needed to wait for the disk after it.
    pub(super) async fn begin(&self) -> Result<(PostgresWrite, Option<FlushTicket>), DbError> {
        let begun = async {
            let ticket = match &self.flush {
                Some(flush) => Some(flush.ticket().await?),
                None => None,
            };
            Ok((self.writes.begin().await?, ticket))
        };
        let begun = self.gone.unless(begun).await;
        if begun.is_err() {
            self.doubt.notify_one();
        }
        begun
    }

    /// Begins a transaction that reads several times, or what must not be cut apart.
    pub(super) async fn begin_reading(&self) -> Result<PostgresWrite, sqlx::Error> {
        let reader = self.gone.unless(self.readers.acquire()).await?;
        PostgresWrite::begin(reader, None, self.writes.naming(), self.gone.clone()).await
    }

    /// Runs one statement that only reads.
    pub(super) async fn read(
        &self,
        purpose: ReadPurpose<'_>,
        statement: Statement,
        arguments: PgArguments,
        wanted: Wanted,
    ) -> Result<Fetched, DbError> {
        let is_told = !matches!(purpose, ReadPurpose::Decision);
        let Some(flush) = &self.flush else { return self.read_pooled(is_told, statement, arguments, wanted).await };
        let answer = async {
            let reading = if is_told { Reading::begin(flush).await? } else { Reading::Noted };
            let mut reader = self.readers.acquire().await.map_err(DbError::of(statement.sql))?;
            let answer = wanted.on_postgres(&mut reader, statement, arguments, Naming::Named).await;
            self.settle(reader, answer.as_ref().err());
            reading.end().await?;
            answer.map_err(DbError::of(statement.sql))
        };
        self.gone.unless(answer).await
    }

    /// Behind a pooler a statement is parsed, bound and run in a transaction, which holds the server process that has it.
    async fn read_pooled(
        &self,
        is_told: bool,
        statement: Statement,
        arguments: PgArguments,
        wanted: Wanted,
    ) -> Result<Fetched, DbError> {
        let mut tx = self.begin_reading().await.map_err(DbError::of(statement.sql))?;
        let answer = tx.fetch(statement, arguments, wanted).await;
        let end = match &answer {
            Ok(_) if is_told => COMMIT_DURABLY,
            Ok(_) => "COMMIT",
            Err(_) => "ROLLBACK",
        };
        match (answer, tx.end(end).await) {
            (Ok(answer), Ok(_)) => Ok(answer),
            (Ok(_), Err(error)) => Err(DbError::of(statement.sql)(error)),
            (Err(error), _) => Err(error),
        }
    }

    /// Asks the server one thing, as a text; the statement has no arguments, and tells nobody what somebody has written.
    pub(super) async fn ask(&self, statement: &'static str) -> Result<String, sqlx::Error> {
        let asked = async {
            let mut reader = self.readers.acquire().await?;
            let answer = sqlx::raw_sql(statement).fetch_one(&mut *reader).await;
            self.settle(reader, answer.as_ref().err());
            answer?.try_get(0)
        };
        self.gone.unless(asked).await
    }

    /// Gives a connection back after its statement.
    fn settle(&self, reader: CachedConnection<Postgres>, error: Option<&sqlx::Error>) {
        if error.is_some_and(|error| is_refused_as_read_only(error) || is_connection_lost(error)) {
            self.doubt.notify_one();
        }
        match error {
            Some(error) if is_refused_as_read_only(error) => reader.give_up_all(),
            error => reader.done(error.is_none()),
        }
    }

    /// Closes all connections, after those in use were given back.
    pub(super) async fn close(&self) {
        self.readers.close().await;
        self.writes.close().await;
        if let Some(flush) = &self.flush {
            flush.close().await;
        }
    }
}

fn postgres_pool(connections: u32, acquire_timeout: Duration, pooler: Pooler) -> PgPoolOptions {
    let pool = PgPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(acquire_timeout)
        // A round trip each time would be a third of all; what was just used still lives.
        .test_before_acquire(false)
        .before_acquire(|connection, known| {
            Box::pin(async move {
                use sqlx::Connection;
                Ok(known.idle_for < FRESH || connection.ping().await.is_ok())
            })
        });
    match pooler {
        Pooler::None => pool.after_connect(|connection, _| {
            Box::pin(async move {
                use sqlx::Executor;
                connection.execute("SET TIME ZONE 'UTC'").await?;
                Ok(())
            })
        }),
        // What is set would be set for whoever gets the server process next.
        Pooler::Transaction => pool,
    }
}
