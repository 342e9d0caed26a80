//! Connections that stay at hand beside the pool.
//!
//! The pool has a connection answer once more before it takes it back, which costs a short statement as much as the statement
//! itself, and it hands connections out in turn, so that each has lost what the processor knew of it. Connections whose
//! statement or transaction has come to its end need no such test, so some of them are cached outside of the pool, and the one
//! that was used last is used next; whoever waits for a connection gets it through the pool all the same.

use std::mem;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use sqlx::pool::PoolConnection;
use sqlx::{Database, Pool};

/// After this time a connection goes through the pool again, which closes those that have become old.
const LONGEST: Duration = Duration::from_mins(10);

/// Connections of a pool, some of them cached.
pub(super) struct ConnectionCache<DB: Database> {
    pool: Pool<DB>,
    cache: Arc<CacheInner<DB>>,
}

impl<DB: Database> Clone for ConnectionCache<DB> {
    fn clone(&self) -> Self {
        Self { pool: self.pool.clone(), cache: Arc::clone(&self.cache) }
    }
}

struct CacheInner<DB: Database> {
    most: usize,
    /// What was not used for so long is tested by the pool before it is used again.
    fresh: Option<Duration>,
    state: Mutex<State<DB>>,
}

struct State<DB: Database> {
    /// The one that was used last is the last.
    idle: Vec<Idle<DB>>,
    /// Those that are cached, idle or in use.
    cached: usize,
    /// Those who found none idle and wait at the pool.
    waiting: usize,
    is_closed: bool,
}

struct Idle<DB: Database> {
    connection: PoolConnection<DB>,
    cached_since: Instant,
    given_back: Instant,
}

impl<DB: Database> ConnectionCache<DB> {
    /// Caches connections of this pool, all but so many that are left to it for others; those that were not used for `fresh`
    /// are tested first.
    pub(super) fn new(pool: Pool<DB>, left: u32, fresh: Option<Duration>) -> Self {
        let most = pool.options().get_max_connections().saturating_sub(left);
        let state = State { idle: Vec::new(), cached: 0, waiting: 0, is_closed: false };
        let cache = CacheInner { most: usize::try_from(most).unwrap_or(usize::MAX), fresh, state: Mutex::new(state) };
        Self { pool, cache: Arc::new(cache) }
    }

    /// A connection for one statement or transaction.
    pub(super) async fn acquire(&self) -> Result<CachedConnection<DB>, sqlx::Error> {
        let (stale, waits) = {
            let mut state = self.cache.lock();
            if let Some(last) = state.idle.pop_if(|last| self.cache.is_fresh(last)) {
                return Ok(self.lend(last.connection, Some(last.cached_since)));
            }
            // All others were used even longer ago.
            let stale = mem::take(&mut state.idle);
            state.cached -= stale.len();
            state.waiting += 1;
            (stale, Waits(&self.cache))
        };
        drop(stale);
        // Seldom, and large.
        let connection = Box::pin(self.pool.acquire()).await?;
        drop(waits);
        Ok(self.lend(connection, None))
    }

    fn lend(&self, connection: PoolConnection<DB>, cached_since: Option<Instant>) -> CachedConnection<DB> {
        CachedConnection { connection: Some(connection), cache: Arc::clone(&self.cache), cached_since, is_done: false }
    }

    /// Closes the pool with all its connections, after those in use were given back.
    pub(super) async fn close(&self) {
        let idle = {
            let mut state = self.cache.lock();
            state.is_closed = true;
            mem::take(&mut state.idle)
        };
        drop(idle);
        self.pool.close().await;
    }
}

impl<DB: Database> CacheInner<DB> {
    fn lock(&self) -> std::sync::MutexGuard<'_, State<DB>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_fresh(&self, idle: &Idle<DB>) -> bool {
        self.fresh.is_none_or(|fresh| idle.given_back.elapsed() < fresh)
    }
}

impl<DB: Database> Drop for CacheInner<DB> {
    /// Closes what is left without the pool, which would want a runtime for it.
    fn drop(&mut self) {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        for idle in mem::take(&mut state.idle) {
            drop(idle.connection.detach());
        }
    }
}

/// Counted as waiting until it is dropped.
struct Waits<'a, DB: Database>(&'a CacheInner<DB>);

impl<DB: Database> Drop for Waits<'_, DB> {
    fn drop(&mut self) {
        self.0.lock().waiting -= 1;
    }
}

/// A connection for one statement or transaction. Dropped before that was done, it goes to the pool, which tests it.
pub(super) struct CachedConnection<DB: Database> {
    connection: Option<PoolConnection<DB>>,
    cache: Arc<CacheInner<DB>>,
    /// None of one that came from the pool.
    cached_since: Option<Instant>,
    is_done: bool,
}

impl<DB: Database> CachedConnection<DB> {
    /// What it was acquired for has come to its end, or failed.
    pub(super) fn done(mut self, is_whole: bool) {
        self.is_done = is_whole;
    }

    /// Closes it and those that are cached, because their server is of no use any more.
    pub(super) fn give_up_all(mut self) {
        self.close_on_drop();
        let idle = {
            let mut state = self.cache.lock();
            state.cached -= state.idle.len();
            mem::take(&mut state.idle)
        };
        for mut other in idle {
            other.connection.close_on_drop();
        }
    }

    /// Has it closed when it is dropped, because nobody can know what state it is in.
    pub(super) fn close_on_drop(&mut self) {
        self.connection.as_mut().expect("it is there until it is dropped").close_on_drop();
    }
}

impl<DB: Database> Drop for CachedConnection<DB> {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else { return };
        let given_back = Instant::now();
        let mut state = self.cache.lock();
        let has_place = self.cached_since.is_some() || state.cached < self.cache.most;
        let cached_since = self.cached_since.unwrap_or(given_back);
        let is_young = given_back.duration_since(cached_since) < LONGEST;
        if has_place && is_young && self.is_done && !state.is_closed && state.waiting == 0 {
            state.cached += usize::from(self.cached_since.is_none());
            state.idle.push(Idle { connection, cached_since, given_back });
        } else {
            state.cached -= usize::from(self.cached_since.is_some());
        }
    }
}

impl<DB: Database> Deref for CachedConnection<DB> {
    type Target = DB::Connection;

    fn deref(&self) -> &DB::Connection {
        self.connection.as_ref().expect("it is there until it is dropped")
    }
}

impl<DB: Database> DerefMut for CachedConnection<DB> {
    fn deref_mut(&mut self) -> &mut DB::Connection {
        self.connection.as_mut().expect("it is there until it is dropped")
    }
}

#[cfg(test)]
mod tests {
    use sqlx_sqlite::{Sqlite, SqlitePoolOptions};

    use super::*;

    fn connections(most: u32, fresh: Option<Duration>) -> ConnectionCache<Sqlite> {
        let options = SqlitePoolOptions::new().max_connections(most).acquire_timeout(Duration::from_secs(5));
        ConnectionCache::new(options.connect_lazy("sqlite::memory:").expect("a URL of SQLite"), 2, fresh)
    }

    fn idle(connections: &ConnectionCache<Sqlite>) -> usize {
        connections.cache.lock().idle.len()
    }

    #[tokio::test]
    async fn connections_whose_statement_is_done_are_cached_up_to_a_number() {
        let connections = connections(4, None);
        let mut acquired = Vec::new();
        for _ in 0..4 {
            acquired.push(connections.acquire().await.expect("there are four"));
        }
        for connection in acquired {
            connection.done(true);
        }
        assert_eq!(idle(&connections), 2);
        // The others are there for those who want one of the pool.
        let pooled = [connections.pool.acquire().await, connections.pool.acquire().await];
        assert!(pooled.iter().all(Result::is_ok));
        connections.acquire().await.expect("it is idle").done(true);
        assert_eq!(idle(&connections), 2);
    }

    #[tokio::test]
    async fn a_connection_whose_statement_was_cut_off_goes_to_the_pool() {
        let connections = connections(3, None);
        connections.acquire().await.expect("there are three").done(true);
        drop(connections.acquire().await.expect("it is idle"));
        assert_eq!((idle(&connections), connections.cache.lock().cached), (0, 0));
        connections.acquire().await.expect("there are three").done(false);
        assert_eq!(idle(&connections), 0);
    }

    #[tokio::test]
    async fn whoever_waits_for_a_connection_gets_the_next() {
        let connections = connections(3, None);
        let mut acquired = Vec::new();
        for _ in 0..3 {
            acquired.push(connections.acquire().await.expect("there are three"));
        }
        let mut waiting = Box::pin(connections.acquire());
        assert!(futures_util::poll!(&mut waiting).is_pending());
        acquired.pop().expect("there are three").done(true);
        waiting.await.expect("one was given back").done(true);
        assert_eq!(connections.cache.lock().waiting, 0);
        // Whoever has given up is not waited for.
        let third = connections.acquire().await.expect("one was given back");
        let mut waiting = Box::pin(connections.acquire());
        assert!(futures_util::poll!(&mut waiting).is_pending());
        drop(waiting);
        third.done(true);
        assert_eq!(idle(&connections), 1);
    }

    #[tokio::test]
    async fn a_server_that_is_given_up_keeps_no_connection() {
        let connections = connections(4, None);
        let other = connections.acquire().await.expect("there are four");
        connections.acquire().await.expect("there are four").done(true);
        other.give_up_all();
        assert_eq!((idle(&connections), connections.cache.lock().cached), (0, 0));
        while connections.pool.size() > 0 {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn closing_leaves_no_connection_open() {
        let connections = connections(4, None);
        let late = connections.acquire().await.expect("there are four");
        connections.acquire().await.expect("there are four").done(true);
        let closing = tokio::time::timeout(Duration::from_secs(5), connections.close());
        let mut closing = Box::pin(closing);
        assert!(futures_util::poll!(&mut closing).is_pending());
        late.done(true);
        closing.await.expect("nothing is held back");
        assert_eq!(connections.pool.size(), 0);
    }

    #[tokio::test]
    async fn what_was_used_last_is_used_next() {
        let connections = connections(4, None);
        let [mut first, second] =
            [connections.acquire().await, connections.acquire().await].map(|one| one.expect("there are four"));
        sqlx::query("CREATE TEMPORARY TABLE mark (id INTEGER)").execute(&mut *first).await.expect("it is made");
        second.done(true);
        first.done(true);
        let mut next = connections.acquire().await.expect("both are idle");
        sqlx::query("SELECT id FROM mark").fetch_all(&mut *next).await.expect("it is the first again");
    }

    #[tokio::test]
    async fn what_was_not_used_for_long_goes_through_the_pool() {
        let connections = connections(5, Some(Duration::ZERO));
        for one in [connections.acquire().await, connections.acquire().await] {
            one.expect("there are five").done(true);
        }
        assert_eq!((idle(&connections), connections.cache.lock().cached), (2, 2));
        let acquired = connections.acquire().await.expect("there are five");
        assert_eq!((idle(&connections), connections.cache.lock().cached), (0, 0));
        acquired.done(true);
        assert_eq!((idle(&connections), connections.cache.lock().cached), (1, 1));
    }
}
