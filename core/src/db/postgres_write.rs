//! Write transactions on connections of PostgreSQL that are kept at hand.

use std::sync::Arc;
use std::time::Duration;

use sqlx::{PgConnection, Postgres, raw_sql};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::kept::{KeptConnection, KeptConnections};
use super::shared_flush;

/// Of so many connections, one may write at a time.
const SHARE: u32 = 3;

/// At least so many transactions may run at once.
const LEAST: u32 = 2;

/// Begins transactions, so many at once.
///
/// Transactions that run beside one another wait for one another's rows, such as the counter of invoices, and take each
/// other's place in the processor's memory: on one core, ten at once take a fifth longer in all than three. Those who wait
/// here wait in order, and reads have the other connections.
pub(super) struct PostgresWrites {
    connections: KeptConnections<Postgres>,
    places: Arc<Semaphore>,
    patience: Duration,
}

impl PostgresWrites {
    /// On connections of this pool, of which there are `most`; nobody waits longer than `patience` for a place.
    pub(super) fn new(connections: KeptConnections<Postgres>, most: u32, patience: Duration) -> Self {
        let places = usize::try_from((most / SHARE).max(LEAST)).unwrap_or(Semaphore::MAX_PERMITS);
        Self { connections, places: Arc::new(Semaphore::new(places)), patience }
    }

    /// Begins a transaction.
    pub(super) async fn begin(&self) -> Result<PostgresWrite, sqlx::Error> {
        let place = timeout(self.patience, Arc::clone(&self.places).acquire_owned()).await;
        let place = place.map_err(|_| sqlx::Error::PoolTimedOut)?.map_err(|_| sqlx::Error::PoolClosed)?;
        let mut begun = PostgresWrite { connection: Some(self.connections.take().await?), _place: place };
        begun.run(shared_flush::BEGIN).await?;
        Ok(begun)
    }
}

/// A running transaction. Dropped before it has ended, it takes its connection with it, and PostgreSQL rolls it back.
pub(super) struct PostgresWrite {
    connection: Option<KeptConnection<Postgres>>,
    /// Given back after the connection.
    _place: OwnedSemaphorePermit,
}

impl PostgresWrite {
    /// Where its statements run.
    pub(super) fn connection(&mut self) -> &mut PgConnection {
        self.connection.as_mut().expect("it is there until the transaction ends")
    }

    pub(super) async fn commit(self) -> Result<(), sqlx::Error> {
        self.end("COMMIT").await
    }

    pub(super) async fn roll_back(self) -> Result<(), sqlx::Error> {
        self.end("ROLLBACK").await
    }

    async fn end(mut self, statement: &'static str) -> Result<(), sqlx::Error> {
        self.run(statement).await?;
        if let Some(connection) = self.connection.take() {
            connection.done(true);
        }
        Ok(())
    }

    async fn run(&mut self, statement: &'static str) -> Result<(), sqlx::Error> {
        raw_sql(statement).execute(self.connection()).await.map(drop)
    }
}

impl Drop for PostgresWrite {
    fn drop(&mut self) {
        if let Some(connection) = &mut self.connection {
            connection.close_on_drop();
        }
    }
}
