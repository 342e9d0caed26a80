//! Writes that wait for SQLite's one write connection share a commit, so that the rate of orders is not the rate at which
//! the disk can sync.
//!
//! Whoever wants to write stands in line. The first one finds no transaction and begins one. Who is done hands the
//! connection, with the transaction open, to the next in line, who sets a savepoint; when nobody waits any more, or the
//! transaction is [`MOST_WRITES`] or [`LONGEST`] old, it is committed in a task of its own. A lone write therefore has a
//! transaction to itself.
//!
//! What holds:
//!
//! 1. Nobody is answered before the commit has succeeded: neither who wrote nor who was refused, since the refusal may
//!    rest on what another has written in the same transaction.
//! 2. When the commit fails, everybody who took part gets its error, and nothing of it is in the database.
//! 3. A write that fails, panics or is dropped halfway is rolled back to its savepoint, alone. A write that was dropped
//!    after its work was done is committed with the rest, as it would have been while its own commit was under way.
//! 4. The connection always has exactly one owner: a [`Turn`], the task that settles a transaction, or the pool. Whatever
//!    drops a turn passes it on, so no way of ending a write can leave the line standing.
//! 5. SQLite ends a whole transaction by itself after some failures, such as a full disk; statements after that would each
//!    be committed alone, and a savepoint would silently begin another transaction. The commit therefore first releases
//!    the savepoint that was set with `BEGIN`. When that is gone, so is the transaction, and all writes have failed.
//!
//! Constraints have to be immediate, as those of all our migrations are: a deferred one that fails with the commit
//! fails it for everybody.

mod line;
mod transaction;

#[cfg(test)]
mod tests;

use std::ops::{Deref, DerefMut};
use std::time::Duration;

use sqlx_sqlite::SqliteConnection;

use line::Turn;
pub(super) use line::WriteLine;

use super::DbError;
use crate::notifier::Notifiers;

/// Writes that one commit takes with it at most.
const MOST_WRITES: u32 = 64;

/// How long a transaction is handed on after it began; the write that then has it still comes to its end.
const LONGEST: Duration = Duration::from_millis(5);

/// One write of a transaction that it may share with others. Dropped before its end, it is rolled back.
pub(super) struct SharedWrite(Turn);

impl SharedWrite {
    /// Waits for the connection and begins the write.
    pub(super) async fn begin(line: &WriteLine) -> Result<Self, DbError> {
        let mut turn = line.turn().await?;
        turn.begin().await?;
        Ok(Self(turn))
    }

    /// Keeps what was written and waits for the commit; then notifies those who wait for its work.
    pub(super) async fn commit(mut self, notifiers: &Notifiers) -> Result<(), DbError> {
        let outcome = self.0.add_write(notifiers);
        drop(self);
        outcome.wait().await
    }

    /// Undoes what was written, and waits until it is settled whether the others' writes are kept.
    pub(super) async fn roll_back(mut self) -> Result<(), DbError> {
        let outcome = self.0.undo().await;
        drop(self);
        match outcome {
            Some(outcome) => outcome.wait().await,
            None => Ok(()),
        }
    }
}

impl Deref for SharedWrite {
    type Target = SqliteConnection;

    fn deref(&self) -> &SqliteConnection {
        self.0.connection()
    }
}

impl DerefMut for SharedWrite {
    fn deref_mut(&mut self) -> &mut SqliteConnection {
        self.0.connection_mut()
    }
}
