//! All open connections, and the watch that ends those which overstay.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, MissedTickBehavior};
use tracing::debug;

use super::connection::{Connection, Order, Phase};
use super::limits::ServerLimits;

/// Time that a half-sent request or an idle HTTP/2 client gets once the server is stopping.
const LAST_CALL: Duration = Duration::from_secs(1);

/// The open connections of one server.
///
/// One watch goes round all of them instead of a timer in each: a request then costs no timer at all.
#[derive(Debug)]
pub(super) struct Registry {
    limits: ServerLimits,
    open: Mutex<Open>,
    next_id: AtomicU64,
    stopping: AtomicBool,
}

#[derive(Debug, Default)]
struct Open {
    connections: HashMap<u64, Watched>,
    /// How many connections each address has that may not have all of them.
    shares: HashMap<IpAddr, usize>,
}

#[derive(Debug)]
struct Watched {
    connection: Arc<Connection>,
    /// The address that it counts for; none for proxies, which carry the connections of many.
    holder: Option<IpAddr>,
    moves: u32,
    since: Instant,
    finishing: bool,
}

impl Registry {
    /// An empty registry that holds its connections to `limits`.
    pub(super) fn new(limits: ServerLimits) -> Self {
        Self { limits, open: Mutex::default(), next_id: AtomicU64::new(0), stopping: AtomicBool::new(false) }
    }

    /// Adds a new connection, which stays until the returned guard is dropped; none if its address has as many as one may.
    /// One of these that is idle is asked to close, and then there is room.
    pub(super) fn register(self: &Arc<Self>, holder: Option<IpAddr>, now: Instant) -> Option<Registered> {
        let mut open = self.lock();
        if let Some(address) = holder {
            let is_at_limit =
                open.shares.get(&address).is_some_and(|share| *share >= self.limits.max_connections_per_address);
            if is_at_limit && !self.finish_idle(&mut open, now, |watched| watched.holder == holder, |_| 1) {
                return None;
            }
            *open.shares.entry(address).or_default() += 1;
        }
        let connection = Arc::new(Connection::new());
        let id = self.next_id.fetch_add(1, Relaxed);
        let watched = Watched { connection: Arc::clone(&connection), holder, moves: 0, since: now, finishing: false };
        open.connections.insert(id, watched);
        Some(Registered { registry: Arc::clone(self), id, connection })
    }

    /// Goes round all connections for ever.
    pub(super) async fn watch(&self) -> Infallible {
        let mut rounds = tokio::time::interval(self.limits.watch_interval());
        rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let now = rounds.tick().await;
            self.round(now);
        }
    }

    /// Asks the connections that have been idle longest to close, an eighth of them and at least one.
    ///
    /// Without this, clients that keep connections open for later would keep everybody else out while all places are taken.
    pub(super) fn make_room(&self, now: Instant) {
        self.finish_idle(&mut self.lock(), now, |_| true, |idle| idle.div_ceil(8));
    }

    /// Asks those of some connections to close that have been idle longest, so many of them; tells whether there are any.
    fn finish_idle(
        &self,
        open: &mut Open,
        now: Instant,
        of: impl Fn(&Watched) -> bool,
        how_many: impl Fn(usize) -> usize,
    ) -> bool {
        let connections = open.connections.values_mut().filter(|watched| of(watched));
        let mut idle: Vec<&mut Watched> = connections
            .filter(|watched| {
                !watched.finishing
                    && watched.moves == watched.connection.moves()
                    && watched.connection.phase() == Phase::Idle
                    && now.duration_since(watched.since) >= self.limits.idle_when_full
            })
            .collect();
        idle.sort_unstable_by_key(|watched| watched.since);
        let room = how_many(idle.len()).min(idle.len());
        for watched in idle.into_iter().take(room) {
            watched.finish(now);
        }
        room > 0
    }

    /// Asks every connection to finish what is in flight and to close.
    pub(super) fn finish_all(&self, now: Instant) {
        self.stopping.store(true, Relaxed);
        for watched in self.lock().connections.values_mut() {
            watched.finish(now);
        }
    }

    /// Ends every connection at once; returns how many requests were in flight on them.
    pub(super) fn cut_all(&self) -> usize {
        self.lock().connections.values().fold(0, |cut_off, watched| {
            let in_flight = watched.connection.in_flight();
            watched.connection.command(Order::Cut);
            cut_off + usize::try_from(in_flight).unwrap_or(usize::MAX)
        })
    }

    fn round(&self, now: Instant) {
        let stopping = self.stopping.load(Relaxed);
        for watched in self.lock().connections.values_mut() {
            let moves = watched.connection.moves();
            if moves != watched.moves {
                watched.moves = moves;
                watched.since = now;
                continue;
            }
            let phase = watched.connection.phase();
            let Some(limit) = self.limit(phase, watched.finishing, stopping) else { continue };
            if now.duration_since(watched.since) < limit {
                continue;
            }
            if phase == Phase::Idle && !watched.finishing {
                watched.finish(now);
            } else {
                debug!(phase = ?phase, "connection took too long and is closed");
                watched.connection.command(Order::Cut);
            }
        }
    }

    fn limit(&self, phase: Phase, finishing: bool, stopping: bool) -> Option<Duration> {
        match phase {
            Phase::Head if stopping => Some(self.limits.header_read.min(LAST_CALL)),
            Phase::Head => Some(self.limits.header_read),
            Phase::Idle if stopping => Some(self.limits.linger.min(LAST_CALL)),
            Phase::Idle if finishing => Some(self.limits.linger),
            Phase::Idle => Some(self.limits.idle),
            Phase::Busy => None,
            Phase::Stalled => Some(self.limits.write_stall),
            Phase::Closing => Some(self.limits.linger),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        // Nothing panics while holding the lock, and an entry that was half changed could only be closed early or late.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watched {
    fn finish(&mut self, now: Instant) {
        self.finishing = true;
        self.since = now;
        self.connection.command(Order::Finish);
    }
}

/// A connection's place in the registry; dropping it gives the place up.
#[derive(Debug)]
pub(super) struct Registered {
    registry: Arc<Registry>,
    id: u64,
    connection: Arc<Connection>,
}

impl Registered {
    /// The connection's state.
    pub(super) fn connection(&self) -> &Arc<Connection> {
        &self.connection
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        let mut open = self.registry.lock();
        let Some(address) = open.connections.remove(&self.id).and_then(|watched| watched.holder) else { return };
        if let Entry::Occupied(mut share) = open.shares.entry(address) {
            *share.get_mut() -= 1;
            if *share.get() == 0 {
                share.remove();
            }
        }
    }
}
