//! Who waits for the write connection, and how it gets from one to the next.

use std::collections::VecDeque;
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sqlx_sqlite::{SqliteConnection, SqlitePool};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::LONGEST;
use super::transaction::{Outcome, Stage, Transaction};
use crate::DbError;
use crate::notifier::Notifiers;

/// How long a write waits for its turn.
const PATIENCE: Duration = Duration::from_secs(30);

const NO_TRANSACTION: &str = "a turn has a transaction from its beginning to its end";

/// The line in front of a database's write connection, first come, first served.
#[derive(Clone)]
pub(crate) struct WriteLine {
    pool: SqlitePool,
    queue: Arc<Mutex<TurnQueue>>,
    /// How long a transaction is handed on after it began.
    pub(super) longest: Duration,
}

#[derive(Default)]
struct TurnQueue {
    /// Whether somebody has the turn, or a transaction is being settled.
    is_taken: bool,
    next: VecDeque<oneshot::Sender<Turn>>,
}

impl WriteLine {
    /// A line for the one connection of `pool`.
    pub(crate) fn new(pool: SqlitePool) -> Self {
        Self { pool, queue: Arc::default(), longest: LONGEST }
    }

    /// Waits for the turn.
    pub(super) async fn turn(&self) -> Result<Turn, DbError> {
        let receiver = {
            let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
            if !mem::replace(&mut queue.is_taken, true) {
                return Ok(Turn::new(self.clone(), None));
            }
            let (sender, receiver) = oneshot::channel();
            queue.next.push_back(sender);
            receiver
        };
        match tokio::time::timeout(PATIENCE, receiver).await {
            Ok(Ok(turn)) => Ok(turn),
            // The line never drops who waits in it.
            Ok(Err(_)) => Err(sqlx::Error::WorkerCrashed.into()),
            Err(_) => Err(sqlx::Error::PoolTimedOut.into()),
        }
    }

    /// Gives the turn to the next who still waits, and the open transaction with it. With nobody there, the transaction
    /// is given back to be settled.
    fn pass_on(self, mut open: Option<Transaction>) -> Option<(Self, Transaction)> {
        loop {
            let next = {
                let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
                let next = queue.next.pop_front();
                queue.is_taken = next.is_some() || open.is_some();
                next
            };
            let Some(next) = next else {
                return open.map(|transaction| (self, transaction));
            };
            match next.send(Turn::new(self.clone(), open.take())) {
                Ok(()) => return None,
                // Gone meanwhile.
                Err(mut turn) => open = turn.0.take().and_then(|owned| owned.transaction),
            }
        }
    }
}

/// The right to use the write connection, with the transaction that others may have written in before.
pub(super) struct Turn(Option<Owned>);

struct Owned {
    line: WriteLine,
    transaction: Option<Transaction>,
}

impl Turn {
    fn new(line: WriteLine, transaction: Option<Transaction>) -> Self {
        Self(Some(Owned { line, transaction }))
    }

    /// Begins a transaction, or sets a savepoint in the one that is open.
    pub(super) async fn begin(&mut self) -> Result<(), DbError> {
        let owned = self.0.as_mut().expect(NO_TRANSACTION);
        if let Some(open) = &mut owned.transaction {
            return open.set_savepoint().await;
        }
        let connection = owned.line.pool.acquire().await?;
        owned.transaction.insert(Transaction::new(connection, owned.line.longest)).begin().await
    }

    pub(super) fn connection(&self) -> &SqliteConnection {
        self.0.as_ref().and_then(|owned| owned.transaction.as_ref()).expect(NO_TRANSACTION).connection()
    }

    pub(super) fn connection_mut(&mut self) -> &mut SqliteConnection {
        self.transaction_mut().connection_mut()
    }

    /// Counts the write among those that the commit shall take; it is to be waited for after the turn was dropped.
    pub(super) fn add_write(&mut self, notifiers: &Notifiers) -> Outcome {
        self.transaction_mut().add_write(notifiers)
    }

    /// Rolls the write back. There is an outcome to wait for when others have written in the same transaction.
    pub(super) async fn undo(&mut self) -> Option<Outcome> {
        self.transaction_mut().undo().await
    }

    fn transaction_mut(&mut self) -> &mut Transaction {
        self.0.as_mut().and_then(|owned| owned.transaction.as_mut()).expect(NO_TRANSACTION)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let Some(Owned { line, transaction }) = self.0.take() else { return };
        let to_finish = match transaction {
            Some(transaction) if !transaction.can_be_handed_on() => (line, transaction),
            open => match line.pass_on(open) {
                None => return,
                Some(to_finish) => to_finish,
            },
        };
        let finishing = Finishing(Some(to_finish));
        // Without a runtime the transaction is given up with the connection.
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(finishing.run());
        }
    }
}

/// A transaction that nobody may write in before it was committed, or cleared of a write that was left halfway.
struct Finishing(Option<(WriteLine, Transaction)>);

impl Finishing {
    async fn run(mut self) {
        let Some((_, transaction)) = &mut self.0 else { return };
        if matches!(transaction.stage(), Stage::Entering | Stage::Writing) {
            // The write was dropped halfway.
            drop(transaction.undo().await);
        }
        if transaction.can_be_handed_on() {
            let Some((line, transaction)) = self.0.take() else { return };
            match line.pass_on(Some(transaction)) {
                None => return,
                still_to_finish => self.0 = still_to_finish,
            }
        }
        let Some((_, transaction)) = &mut self.0 else { return };
        transaction.finish().await;
        if let Some((line, transaction)) = self.0.take() {
            // Its connection goes back to the pool.
            drop(transaction);
            drop(line.pass_on(None));
        }
    }
}

impl Drop for Finishing {
    /// Comes to something only when the runtime ends before the task: closing the connection undoes the transaction.
    fn drop(&mut self) {
        if let Some((line, transaction)) = self.0.take() {
            transaction.abandon();
            drop(line.pass_on(None));
        }
    }
}
