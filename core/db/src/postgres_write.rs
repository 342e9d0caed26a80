//! Write transactions on connections to PostgreSQL that are kept for them.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use sqlx::raw_sql;
use sqlx_postgres::{PgArguments, PgConnection, PgPool, Postgres};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::DbError;
use super::connection_cache::{CachedConnection, ConnectionCache};
use super::error::is_refused_as_read_only;
use super::fetch::{Fetched, Naming, Wanted};
use super::pool::LEAST_READERS;
use super::server_pools::{Gone, ROLL_BACK_DURABLY};
use super::statement::Statement;

/// Of so many connections to a database, one is for transactions.
const SHARE: u32 = 3;

/// At least so many transactions may run at once.
const LEAST: u32 = 2;

/// How connections to PostgreSQL are shared out.
pub(super) struct Shares {
    pub(super) for_reads: u32,
    pub(super) for_writes: u32,
}

/// Shares so many connections out. A third write, and so many transactions may run at once.
///
/// Transactions that run beside one another wait for one another's rows, such as the counter of invoices, and take each
/// other's place in the processor's memory: on one core, ten at once take a fifth longer in all than three.
pub(super) fn share_out(connections: u32) -> Shares {
    let for_writes = (connections / SHARE).max(LEAST);
    Shares { for_reads: connections.saturating_sub(for_writes).max(LEAST_READERS), for_writes }
}

/// How many connections to PostgreSQL a shop opens at most whose configuration wants so many: one more, through which writes
/// wait for the disk, and never fewer than six.
pub fn postgres_connections(configured: u32) -> u32 {
    let Shares { for_reads, for_writes } = share_out(configured);
    for_reads + for_writes + 1
}

/// How many transactions may run at once. Those who wait for a slot wait in order.
#[derive(Clone)]
pub(super) struct WriteSlots {
    free: Arc<Semaphore>,
    all: usize,
    emptied: Arc<Notify>,
}

impl WriteSlots {
    fn new(all: u32) -> Self {
        let all = usize::try_from(all).unwrap_or(Semaphore::MAX_PERMITS);
        Self { free: Arc::new(Semaphore::new(all)), all, emptied: Arc::default() }
    }

    /// Waits for a slot.
    pub(super) async fn acquire(&self) -> Result<WriteSlot, sqlx::Error> {
        let permit = Arc::clone(&self.free).acquire_owned().await.map_err(|_| sqlx::Error::PoolClosed)?;
        Ok(WriteSlot { permit: Some(permit), slots: self.clone() })
    }

    /// Returns when all slots are free.
    pub(super) async fn all_free(&self) {
        let mut emptied = pin!(self.emptied.notified());
        // From here on it hears of it.
        emptied.as_mut().enable();
        if self.free.available_permits() < self.all {
            emptied.await;
        }
    }
}

/// A slot among those who write.
pub(super) struct WriteSlot {
    permit: Option<OwnedSemaphorePermit>,
    slots: WriteSlots,
}

impl Drop for WriteSlot {
    fn drop(&mut self) {
        drop(self.permit.take());
        if self.slots.free.available_permits() == self.slots.all {
            self.slots.emptied.notify_waiters();
        }
    }
}

/// Begins transactions, as many at once as there are connections for them.
///
/// These connections are used for nothing else: PostgreSQL keeps with each what it knows about its statements, so each has
/// less to remember.
pub(super) struct PostgresWrites {
    connections: ConnectionCache<Postgres>,
    slots: WriteSlots,
    patience: Duration,
    naming: Naming,
    gone: Gone,
}

impl PostgresWrites {
    /// On all connections of this pool, tested when they were not used for `fresh`; nobody waits for a slot longer than
    /// the pool would have them wait for a connection.
    pub(super) fn new(pool: PgPool, fresh: Duration, naming: Naming, gone: Gone) -> Self {
        let options = pool.options();
        let (slots, patience) = (WriteSlots::new(options.get_max_connections()), options.get_acquire_timeout());
        let connections = ConnectionCache::new(pool, 0, Some(fresh));
        Self { connections, slots, patience, naming, gone }
    }

    /// Tells when nobody writes.
    pub(super) fn slots(&self) -> WriteSlots {
        self.slots.clone()
    }

    /// What becomes of the statements of its transactions.
    pub(super) fn naming(&self) -> Naming {
        self.naming
    }

    /// Begins a transaction.
    pub(super) async fn begin(&self) -> Result<PostgresWrite, sqlx::Error> {
        let slot = timeout(self.patience, self.slots.acquire()).await.map_err(|_| sqlx::Error::PoolTimedOut)??;
        PostgresWrite::begin(self.connections.acquire().await?, Some(slot), self.naming, self.gone.clone()).await
    }

    /// Closes the connections, after those in use were given back.
    pub(super) async fn close(&self) {
        self.connections.close().await;
    }
}

/// A running transaction. Dropped before it has ended, it takes its connection with it, and PostgreSQL rolls it back.
pub(super) struct PostgresWrite {
    connection: Option<CachedConnection<Postgres>>,
    /// Given back after the connection.
    slot: Option<WriteSlot>,
    naming: Naming,
    gone: Gone,
    /// The server takes no writes, so its connections are of no use any more.
    is_refused: bool,
}

impl PostgresWrite {
    /// Begins one on this connection.
    pub(super) async fn begin(
        connection: CachedConnection<Postgres>,
        slot: Option<WriteSlot>,
        naming: Naming,
        gone: Gone,
    ) -> Result<Self, sqlx::Error> {
        let mut begun = Self { connection: Some(connection), slot, naming, gone, is_refused: false };
        begun.run("BEGIN").await?;
        Ok(begun)
    }

    /// Where its statements run.
    pub(super) fn connection(&mut self) -> &mut PgConnection {
        self.connection.as_mut().expect("it is there until the transaction ends")
    }

    /// Runs one of its statements.
    pub(super) async fn fetch(
        &mut self,
        statement: Statement,
        arguments: PgArguments,
        wanted: Wanted,
    ) -> Result<Fetched, DbError> {
        let (naming, gone) = (self.naming, self.gone.clone());
        let answer = gone.unless(wanted.on_postgres(self.connection(), statement, arguments, naming)).await;
        if let Err(error) = &answer {
            self.is_refused |= is_refused_as_read_only(error);
        }
        answer.map_err(DbError::of(statement.sql))
    }

    /// Commits; the slot is kept for as long as the caller wants to be counted among those who write.
    pub(super) async fn commit(self) -> Result<Option<WriteSlot>, sqlx::Error> {
        self.end("COMMIT").await
    }

    /// Undoes it. Behind a pooler, what it has read may be told then.
    pub(super) async fn roll_back(self) -> Result<(), sqlx::Error> {
        let statement = if self.naming.is_named() { "ROLLBACK" } else { ROLL_BACK_DURABLY };
        self.end(statement).await.map(drop)
    }

    /// Ends it by these words.
    pub(super) async fn end(mut self, statement: &'static str) -> Result<Option<WriteSlot>, sqlx::Error> {
        self.run(statement).await?;
        match self.connection.take() {
            Some(connection) if self.is_refused => connection.give_up_all(),
            Some(connection) => connection.done(true),
            None => {}
        }
        Ok(self.slot.take())
    }

    /// Runs words that have no arguments.
    pub(super) async fn run(&mut self, statement: &'static str) -> Result<(), sqlx::Error> {
        let gone = self.gone.clone();
        gone.unless(raw_sql(statement).execute(self.connection())).await.map(drop)
    }
}

impl Drop for PostgresWrite {
    fn drop(&mut self) {
        if let Some(connection) = &mut self.connection {
            connection.close_on_drop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_third_of_the_connections_write_and_enough_are_left_to_read() {
        let shares = |connections| {
            let Shares { for_reads, for_writes } = share_out(connections);
            (for_reads, for_writes, postgres_connections(connections))
        };
        assert_eq!([1, 5, 6, 10, 100].map(shares), [(3, 2, 6), (3, 2, 6), (4, 2, 7), (7, 3, 11), (67, 33, 101)]);
    }
}
