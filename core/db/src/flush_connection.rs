//! The connection through which PostgreSQL is asked for the disk.
//!
//! A server that crashes ends all its connections, and may have lost what it had not confirmed; the next connection would know nothing
//! of that. So only a connection that was there before a commit and answers after it proves that the commit still holds.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use sqlx::Executor;
use sqlx_postgres::{PgConnectOptions, PgPoolOptions, Postgres};

use super::connection_cache::ConnectionCache;

/// Writes into the log and changes nothing, so that its commit has something to wait for.
const WRITE_NOTHING: &str = "SELECT pg_logical_emit_message(true, 'stoa', '')";

/// Whether all that was written into the log is on disk. A replica has nothing of its own to be flushed.
const HAS_FLUSHED: &str = "SELECT CASE WHEN pg_is_in_recovery() THEN TRUE
                                       ELSE pg_current_wal_insert_lsn() <= pg_current_wal_flush_lsn() END";

/// Tells a connection from those before and after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ConnectionNumber(u64);

/// One connection at a time, replaced only when it is lost.
pub(super) struct FlushConnection {
    connections: ConnectionCache<Postgres>,
    /// How many there were, the present one included.
    opened: Arc<AtomicU64>,
    answered: Mutex<Option<Instant>>,
    fresh: Duration,
}

impl FlushConnection {
    /// Opens connections when they are needed; one that was not used for `fresh` is tested first.
    pub(super) fn new(pool: PgPoolOptions, server: PgConnectOptions, fresh: Duration) -> Self {
        let opened = Arc::<AtomicU64>::default();
        let count = Arc::clone(&opened);
        let pool = pool.max_connections(1).max_lifetime(None).idle_timeout(None).after_connect(move |_, _| {
            count.fetch_add(1, Ordering::Relaxed);
            Box::pin(async { Ok(()) })
        });
        let connections = ConnectionCache::new(pool.connect_lazy_with(server), 0, Some(fresh));
        Self { connections, opened, answered: Mutex::default(), fresh }
    }

    /// The connection that is there now, opened if need be.
    pub(super) async fn present(&self) -> Result<ConnectionNumber, sqlx::Error> {
        if self.answered().is_none_or(|answered| answered.elapsed() >= self.fresh) {
            self.connections.acquire().await?.done(true);
            self.note(Some(Instant::now()));
        }
        Ok(self.number())
    }

    /// Returns when all that was committed before is as durable as the server makes it, if this is the connection that was
    /// there then.
    pub(super) async fn flush(&self) -> Result<ConnectionNumber, sqlx::Error> {
        let written = self.write_nothing().await;
        self.note(written.is_ok().then(Instant::now));
        written.map(|()| self.number())
    }

    /// Whether all that can be seen now is on disk, as this connection tells.
    pub(super) async fn has_flushed(&self) -> Result<(ConnectionNumber, bool), sqlx::Error> {
        let answer = self.ask().await;
        self.note(answer.is_ok().then(Instant::now));
        answer.map(|flushed| (self.number(), flushed))
    }

    /// Ends the connection.
    pub(super) async fn close(&self) {
        self.connections.close().await;
    }

    async fn write_nothing(&self) -> Result<(), sqlx::Error> {
        let mut connection = self.connections.acquire().await?;
        let written = connection.execute(sqlx::query(WRITE_NOTHING)).await;
        connection.done(written.is_ok());
        written.map(drop)
    }

    async fn ask(&self) -> Result<bool, sqlx::Error> {
        let mut connection = self.connections.acquire().await?;
        let answer = sqlx::query_scalar(HAS_FLUSHED).fetch_one(&mut *connection).await;
        connection.done(answer.is_ok());
        answer
    }

    fn number(&self) -> ConnectionNumber {
        ConnectionNumber(self.opened.load(Ordering::Relaxed))
    }

    fn answered(&self) -> Option<Instant> {
        *self.answered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, answered: Option<Instant>) {
        *self.answered.lock().unwrap_or_else(PoisonError::into_inner) = answered;
    }
}
