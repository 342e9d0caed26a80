//! SQLite's reading connections, kept at hand.
//!
//! The pool has a connection's thread answer before it takes the connection back, which costs a short read as much as the
//! read itself. Connections whose statement has come to its end need no such test, so some of them are kept outside of the
//! pool; whoever waits for a connection gets it through the pool all the same.

use std::mem;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};

use sqlx::pool::PoolConnection;
use sqlx::{Sqlite, SqliteConnection, SqlitePool};

/// Connections that are always left to the pool: those who watch for changes or hold a moment still take them from there.
const LEFT_TO_THE_POOL: u32 = 2;

/// The reading connections of a database.
#[derive(Clone)]
pub(super) struct Readers {
    pool: SqlitePool,
    kept: Arc<Kept>,
}

struct Kept {
    most: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    idle: Vec<PoolConnection<Sqlite>>,
    /// Those that are kept, idle or in use.
    members: usize,
    /// Those who found none idle and wait at the pool.
    waiting: usize,
    is_closed: bool,
}

impl Readers {
    pub(super) fn new(pool: SqlitePool) -> Self {
        let most = pool.options().get_max_connections().saturating_sub(LEFT_TO_THE_POOL);
        let kept = Kept { most: usize::try_from(most).unwrap_or(usize::MAX), state: Mutex::default() };
        Self { pool, kept: Arc::new(kept) }
    }

    /// A connection to read through.
    pub(super) async fn take(&self) -> Result<Reader, sqlx::Error> {
        let waits = {
            let mut state = self.kept.lock();
            if let Some(connection) = state.idle.pop() {
                return Ok(self.reader(connection, true));
            }
            state.waiting += 1;
            Waits(&self.kept)
        };
        let connection = self.pool.acquire().await?;
        drop(waits);
        Ok(self.reader(connection, false))
    }

    fn reader(&self, connection: PoolConnection<Sqlite>, is_member: bool) -> Reader {
        Reader { connection: Some(connection), kept: Arc::clone(&self.kept), is_member, is_done: false }
    }

    /// Leaves all connections to the pool, which is about to be closed.
    pub(super) fn close(&self) {
        let mut state = self.kept.lock();
        state.is_closed = true;
        let idle = mem::take(&mut state.idle);
        drop(state);
        drop(idle);
    }
}

impl Kept {
    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Kept {
    /// Closes what is left without the pool, which would want a runtime for it.
    fn drop(&mut self) {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        for connection in mem::take(&mut state.idle) {
            drop(connection.detach());
        }
    }
}

/// Counted as waiting until it is dropped.
struct Waits<'a>(&'a Kept);

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.0.lock().waiting -= 1;
    }
}

/// A connection for one statement. Dropped before that was done, it goes to the pool, which tests it.
pub(super) struct Reader {
    connection: Option<PoolConnection<Sqlite>>,
    kept: Arc<Kept>,
    is_member: bool,
    is_done: bool,
}

impl Reader {
    /// The statement has come to its end, or failed.
    pub(super) fn done(mut self, is_whole: bool) {
        self.is_done = is_whole;
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else { return };
        let mut state = self.kept.lock();
        let has_place = self.is_member || state.members < self.kept.most;
        if has_place && self.is_done && !state.is_closed && state.waiting == 0 {
            state.members += usize::from(!self.is_member);
            state.idle.push(connection);
        } else {
            state.members -= usize::from(self.is_member);
        }
    }
}

impl Deref for Reader {
    type Target = SqliteConnection;

    fn deref(&self) -> &SqliteConnection {
        self.connection.as_ref().expect("it is there until it is dropped")
    }
}

impl DerefMut for Reader {
    fn deref_mut(&mut self) -> &mut SqliteConnection {
        self.connection.as_mut().expect("it is there until it is dropped")
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use sqlx::sqlite::SqlitePoolOptions;

    use super::*;

    fn readers(connections: u32) -> Readers {
        let options = SqlitePoolOptions::new().max_connections(connections).acquire_timeout(Duration::from_secs(5));
        Readers::new(options.connect_lazy("sqlite::memory:").expect("a URL of SQLite"))
    }

    fn idle(readers: &Readers) -> usize {
        readers.kept.lock().idle.len()
    }

    #[tokio::test]
    async fn connections_whose_statement_is_done_are_kept_up_to_a_number() {
        let readers = readers(4);
        let mut taken = Vec::new();
        for _ in 0..4 {
            taken.push(readers.take().await.expect("there are four"));
        }
        for reader in taken {
            reader.done(true);
        }
        assert_eq!(idle(&readers), 2);
        // The others are there for those who want one of the pool.
        let pooled = [readers.pool.acquire().await, readers.pool.acquire().await];
        assert!(pooled.iter().all(Result::is_ok));
        readers.take().await.expect("it is idle").done(true);
        assert_eq!(idle(&readers), 2);
    }

    #[tokio::test]
    async fn a_connection_whose_statement_was_cut_off_goes_to_the_pool() {
        let readers = readers(3);
        readers.take().await.expect("there are three").done(true);
        drop(readers.take().await.expect("it is idle"));
        assert_eq!((idle(&readers), readers.kept.lock().members), (0, 0));
        readers.take().await.expect("there are three").done(false);
        assert_eq!(idle(&readers), 0);
    }

    #[tokio::test]
    async fn whoever_waits_for_a_connection_gets_the_next() {
        let readers = readers(3);
        let mut taken = Vec::new();
        for _ in 0..3 {
            taken.push(readers.take().await.expect("there are three"));
        }
        let mut waiting = Box::pin(readers.take());
        assert!(futures_util::poll!(&mut waiting).is_pending());
        taken.pop().expect("there are three").done(true);
        waiting.await.expect("one was given back").done(true);
        assert_eq!(readers.kept.lock().waiting, 0);
        // Whoever has given up is not waited for.
        let third = readers.take().await.expect("one was given back");
        let mut waiting = Box::pin(readers.take());
        assert!(futures_util::poll!(&mut waiting).is_pending());
        drop(waiting);
        third.done(true);
        assert_eq!(idle(&readers), 1);
    }

    #[tokio::test]
    async fn closing_leaves_no_connection_open() {
        let readers = readers(4);
        let late = readers.take().await.expect("there are four");
        readers.take().await.expect("there are four").done(true);
        readers.close();
        late.done(true);
        tokio::time::timeout(Duration::from_secs(5), readers.pool.close()).await.expect("nothing is held back");
        assert_eq!(readers.pool.size(), 0);
    }
}
