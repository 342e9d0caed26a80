//! Commits of PostgreSQL that wait for the disk together, and hold no row while they do.
//!
//! Some rows are wanted by every order, such as the counter of invoice numbers. PostgreSQL keeps a changed row locked until
//! its commit is on disk, so orders would follow one another at the pace of the disk. Transactions therefore commit
//! without that wait, which frees their rows, and wait here instead: one durable commit of nothing takes everything to the
//! disk that was committed before it, for all who wait by then.
//!
//! What holds:
//!
//! 1. Nobody is answered before what was written is as durable as the server's own `synchronous_commit` makes it.
//! 2. The log of PostgreSQL is in order: whatever another has written after seeing this commit can not outlive it.
//! 3. What leaves the shop, such as a webhook, is claimed with a durable commit first, and that one comes after.

use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sqlx::PgPool;
use tokio::sync::oneshot;

use super::DbError;

/// Begins a transaction whose commit does not wait for the disk.
pub(super) const BEGIN: &str = "BEGIN; SET LOCAL synchronous_commit TO OFF";

/// Writes into the log and changes nothing, so that its commit has something to wait for.
const WRITE_NOTHING: &str = "SELECT pg_logical_emit_message(true, 'stoa', '')";

/// How often it is tried, each time on another connection if the last one was lost.
const TRIES: u32 = 3;

type Outcome = Result<(), DbError>;

/// Those who wait for the disk.
#[derive(Clone)]
pub(super) struct SharedFlush {
    pool: PgPool,
    line: Arc<Mutex<Line>>,
}

#[derive(Default)]
struct Line {
    is_served: bool,
    waiting: Vec<oneshot::Sender<Outcome>>,
}

impl SharedFlush {
    /// Uses connections of `pool`, one at a time.
    pub(super) fn new(pool: PgPool) -> Self {
        Self { pool, line: Arc::default() }
    }

    /// Returns when everything is durable that was committed before.
    pub(super) async fn wait(&self) -> Outcome {
        let (sender, receiver) = oneshot::channel();
        let is_first = {
            let mut line = self.lock();
            line.waiting.push(sender);
            !mem::replace(&mut line.is_served, true)
        };
        if is_first {
            tokio::spawn(Serving { flush: self.clone(), is_over: false }.run());
        }
        // The runtime may end before the disk has answered.
        receiver.await.unwrap_or_else(|_| Err(sqlx::Error::WorkerCrashed.into()))
    }

    /// Closes the connection, after those who wait were answered.
    pub(super) async fn close(&self) {
        self.pool.close().await;
    }

    async fn flush(&self) -> Outcome {
        let mut tried = 1;
        loop {
            match sqlx::query(WRITE_NOTHING).execute(&self.pool).await {
                Ok(_) => return Ok(()),
                Err(error) if tried == TRIES => return Err(error.into()),
                Err(_) => tried += 1,
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Serves the line until nobody waits. Cut off before that, it leaves nobody waiting for it.
struct Serving {
    flush: SharedFlush,
    is_over: bool,
}

impl Serving {
    async fn run(mut self) {
        loop {
            let waiting = {
                let mut line = self.flush.lock();
                if line.waiting.is_empty() {
                    line.is_served = false;
                    self.is_over = true;
                    return;
                }
                mem::take(&mut line.waiting)
            };
            let outcome = self.flush.flush().await;
            for sender in waiting {
                // Whoever is gone need not know.
                let _ = sender.send(outcome.clone());
            }
        }
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        if !self.is_over {
            let mut line = self.flush.lock();
            line.is_served = false;
            line.waiting.clear();
        }
    }
}
