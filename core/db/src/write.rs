//! A running write transaction.

use futures_util::future::BoxFuture;

use super::count::StatementCount;
use super::durable_reads::{Reading, UnconfirmedReads};
use super::notifier::Notifiers;
use super::pool::Pools;
use super::postgres_write::PostgresWrite;
use super::query::Target;
use super::shared_commit::SharedWrite;
use super::shared_flush::FlushTicket;
use super::watched::StatementWatch;
use super::{Database, DbError, Query, Sql};

enum Connection {
    Sqlite(SharedWrite),
    /// Behind a pooler, with nothing to wait for after the commit.
    Postgres(PostgresWrite, Option<FlushTicket>),
}

/// A write transaction, the only way to change anything. Dropped before its end, it is rolled back.
///
/// With SQLite it holds the only write connection, and writes that wait for it may share one commit; each still succeeds or
/// fails alone, and none is answered before. Beginning and ending it is boxed, as each statement is: whoever writes is
/// compiled without what that takes.
pub struct Write {
    connection: Connection,
    count: StatementCount,
    watch: StatementWatch,
}

impl Write {
    /// Begins one, whose statements are counted with those of the database, and watched like them.
    pub fn begin(database: &Database) -> BoxFuture<'_, Result<Self, DbError>> {
        Box::pin(async {
            let connection = match &*database.pools {
                Pools::Sqlite { line, .. } => Connection::Sqlite(SharedWrite::begin(line).await?),
                Pools::Postgres(postgres) => {
                    let (write, ticket) = postgres.begin().await?;
                    Connection::Postgres(write, ticket)
                }
            };
            Ok(Self { connection, count: database.count.clone(), watch: database.watch })
        })
    }

    /// A statement inside this transaction.
    pub fn run(&mut self, sql: Sql) -> Query<'_> {
        self.count.add();
        let target = match &mut self.connection {
            Connection::Sqlite(tx) => Target::Sqlite(tx),
            Connection::Postgres(tx, _) => Target::Postgres(tx),
        };
        Query::new(target, sql, self.watch)
    }

    /// Commits. These are woken then, for whom there is something to do.
    pub fn commit(self, notifiers: Notifiers) -> BoxFuture<'static, Result<(), DbError>> {
        Box::pin(async move { self.commit_and_notify(&notifiers).await.map_err(DbError::of_commit) })
    }

    async fn commit_and_notify(self, notifiers: &Notifiers) -> Result<(), DbError> {
        match self.connection {
            // Here they are notified with the commit, even when nobody waits for that any more.
            Connection::Sqlite(write) => write.commit(notifiers).await,
            Connection::Postgres(tx, ticket) => {
                // What was read before lies in front of this commit; where it fails, nothing is told.
                drop(UnconfirmedReads::collect());
                let slot = tx.commit().await?;
                if let Some(ticket) = ticket {
                    ticket.wait(slot).await?;
                }
                notifiers.notify();
                Ok(())
            }
        }
    }

    /// Rolls back. Fails only where the commit failed of others, on whose writes this one may have relied, or is not known to
    /// hold.
    pub fn roll_back(self) -> BoxFuture<'static, Result<(), DbError>> {
        Box::pin(async {
            match self.connection {
                Connection::Sqlite(write) => write.roll_back().await,
                Connection::Postgres(tx, ticket) => match tx.roll_back().await {
                    // Why it was refused may be told.
                    Ok(()) => match ticket {
                        Some(ticket) => Reading::of(ticket).end().await,
                        None => Ok(()),
                    },
                    Err(error) => {
                        // Its connection is closed, which undoes it as well.
                        tracing::warn!(error = &error as &dyn std::error::Error, "rollback failed");
                        Ok(())
                    }
                },
            }
        })
    }
}

#[cfg(test)]
impl Database {
    /// Runs `work` in one transaction, as the kernel does.
    pub(super) async fn write<T, E: From<DbError>>(
        &self,
        work: impl AsyncFnOnce(&mut Write) -> Result<T, E>,
    ) -> Result<T, E> {
        self.write_for(Notifiers::default(), work).await
    }

    /// The same, whose commit notifies these.
    pub(super) async fn write_for<T, E: From<DbError>>(
        &self,
        notifiers: Notifiers,
        work: impl AsyncFnOnce(&mut Write) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut write = Write::begin(self).await?;
        match work(&mut write).await {
            Ok(value) => write.commit(notifiers).await.map(|()| value).map_err(E::from),
            Err(error) => write.roll_back().await.map_err(E::from).and(Err(error)),
        }
    }
}
