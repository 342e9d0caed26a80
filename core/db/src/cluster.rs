//! The servers of one address, and the connections to the one in use.
//!
//! Where there are several, each is looked at again and again. When another is the better one, because the one in use does
//! not answer, or that one was promoted, all that waits for the old one ends, and what begins from then on goes to the new.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::timeout;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::server_pools::ServerPools;
use super::servers::{Servers, leave_out_outdated};
use super::{DbError, ServerFacts, reach};

/// How long after a look at the servers they are looked at again, unless there is reason to look at once.
const BETWEEN_LOOKS: Duration = Duration::from_millis(500);

/// How soon they are looked at again for a reason.
const LEAST_PAUSE: Duration = Duration::from_millis(50);

/// The servers, with the pools of one of them.
pub(super) struct Cluster {
    state: Arc<ClusterState>,
    following: Option<DropGuard>,
}

struct ClusterState {
    servers: Servers,
    connections: u32,
    current: RwLock<Arc<ServerPools>>,
    doubt: Arc<Notify>,
}

impl Cluster {
    /// Begins with the server at `place`, to which at most so many connections are opened, none of them now.
    pub(super) fn new(servers: Servers, place: usize, connections: u32) -> Self {
        let doubt = Arc::<Notify>::default();
        let current = RwLock::new(Arc::new(ServerPools::new(&servers, place, connections, Arc::clone(&doubt))));
        let state = Arc::new(ClusterState { servers, connections, current, doubt });
        let following = state.servers.are_several().then(|| {
            let (stop, followed) = (CancellationToken::new(), Arc::clone(&state));
            let stopped = stop.clone();
            tokio::spawn(async move { stopped.run_until_cancelled(followed.follow()).await });
            stop.drop_guard()
        });
        Self { state, following }
    }

    /// The server in use.
    pub(super) fn current(&self) -> Arc<ServerPools> {
        self.state.current()
    }

    /// The server in use, for operators.
    pub(super) fn address(&self) -> String {
        reach::address(self.state.servers.options(self.current().place))
    }

    /// What each of several servers is at the moment.
    pub(super) async fn look(&self) -> Vec<ServerFacts> {
        let servers = &self.state.servers;
        if !servers.are_several() {
            return Vec::new();
        }
        let mut connections = Vec::new();
        connections.resize_with(servers.count(), || None);
        let states = servers.look(&mut connections).await.into_iter().enumerate();
        let told = states.map(|(place, state)| ServerFacts {
            address: reach::address(servers.options(place)),
            is_standby: state.map(|state| state.is_standby).map_err(DbError::from),
        });
        told.collect()
    }

    /// Closes all connections, after those in use were given back.
    pub(super) async fn close(&self) {
        if let Some(following) = &self.following {
            following.token().cancel();
        }
        self.current().close().await;
    }
}

impl ClusterState {
    fn current(&self) -> Arc<ServerPools> {
        Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner))
    }

    async fn follow(&self) {
        let mut connections = Vec::new();
        connections.resize_with(self.servers.count(), || None);
        let mut newest = String::new();
        loop {
            let in_use = self.current().place;
            let mut states = self.servers.look(&mut connections).await;
            leave_out_outdated(&mut states, &mut newest);
            match self.servers.choose(&states, Some(in_use)) {
                Some(place) if place != in_use => self.go_over_to(place),
                // Whoever is in use may be about to come back, and nobody else will do.
                Some(_) | None => {}
            }
            tokio::time::sleep(LEAST_PAUSE).await;
            // Over because of the time, or because somebody was refused.
            let _ = timeout(BETWEEN_LOOKS, self.doubt.notified()).await;
        }
    }

    fn go_over_to(&self, place: usize) {
        let pools = ServerPools::new(&self.servers, place, self.connections, Arc::clone(&self.doubt));
        let old = {
            let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
            std::mem::replace(&mut *current, Arc::new(pools))
        };
        let [from, to] = [old.place, place].map(|place| reach::address(self.servers.options(place)));
        tracing::warn!(%from, %to, "another database server is in use");
        old.give_up();
    }
}
