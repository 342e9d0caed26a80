//! The loop that takes connections in, no more than there are places for.

use std::convert::Infallible;
use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http::StatusCode;
use hyper_util::server::conn::auto::Builder;
use stoa_core::http::client_address::rate_limit_key;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;
use tokio_util::task::TaskTracker;
use tracing::{debug, error, warn};

use super::Application;
use super::limits::ServerLimits;
use super::protocol::{TrackedExecutor, protocols, serve_connection};
use super::refusal::whole;
use super::registry::{Registered, Registry};

/// Time between two log lines of the same kind, for these conditions can hold for every connection of a flood.
const LOG_EVERY: Duration = Duration::from_mins(1);

/// Takes connections in and starts the task of each.
pub(super) struct Acceptor<A> {
    app: A,
    limits: ServerLimits,
    registry: Arc<Registry>,
    tasks: TaskTracker,
    places: Arc<Semaphore>,
    protocols: Arc<Builder<TrackedExecutor>>,
    full_log: Throttle,
    share_log: Throttle,
    error_log: Throttle,
}

impl<A: Application> Acceptor<A> {
    /// An acceptor that serves `app` on tasks of `tasks`, each known to `registry`.
    pub(super) fn new(app: A, limits: ServerLimits, registry: &Arc<Registry>, tasks: &TaskTracker) -> Self {
        Self {
            app,
            limits,
            registry: Arc::clone(registry),
            tasks: tasks.clone(),
            places: Arc::new(Semaphore::new(limits.max_connections)),
            protocols: Arc::new(protocols(&limits, tasks)),
            full_log: Throttle::default(),
            share_log: Throttle::default(),
            error_log: Throttle::default(),
        }
    }

    /// Accepts for ever. `poll_accept` is the listener's.
    pub(super) async fn run(
        mut self,
        mut poll_accept: impl FnMut(&mut Context<'_>) -> Poll<io::Result<(TcpStream, SocketAddr)>>,
    ) -> Infallible {
        loop {
            // The place comes first: while all are taken, the system's backlog holds the clients, at no cost to us.
            let place = self.place().await;
            match poll_fn(&mut poll_accept).await {
                Ok((tcp, peer)) => self.admit(tcp, peer, place),
                Err(error) if concerns_one_client(&error) => {
                    debug!(error = %error, "client left before it was accepted");
                }
                Err(error) => self.pause(&error).await,
            }
        }
    }

    async fn place(&mut self) -> OwnedSemaphorePermit {
        loop {
            if let Ok(place) = Arc::clone(&self.places).try_acquire_owned() {
                return place;
            }
            let now = Instant::now();
            if self.full_log.is_due(now) {
                warn!(
                    max_connections = self.limits.max_connections,
                    "all connection places are taken, new clients wait"
                );
            }
            self.registry.make_room(now);
            let freed = Arc::clone(&self.places).acquire_owned();
            if let Ok(place) = tokio::time::timeout(self.limits.watch_interval(), freed).await {
                return place.expect("the semaphore is never closed");
            }
        }
    }

    /// Serves a connection, unless its address has as many as one may.
    fn admit(&mut self, tcp: TcpStream, peer: SocketAddr, place: OwnedSemaphorePermit) {
        let address = peer.ip().to_canonical();
        let holder = (!self.app.carries_others(address)).then(|| rate_limit_key(address));
        let now = Instant::now();
        if let Some(registered) = self.registry.register(holder, now) {
            return self.start(tcp, peer, place, registered);
        }
        if self.share_log.is_due(now) {
            let max_connections_per_address = self.limits.max_connections_per_address;
            warn!(
                max_connections_per_address,
                "an address has all the connections that one may have; more are refused"
            );
        }
        let app = self.app.clone();
        self.tasks.spawn(async move { turn_away(&app, tcp).await });
    }

    fn start(&self, tcp: TcpStream, peer: SocketAddr, place: OwnedSemaphorePermit, registered: Registered) {
        if let Err(error) = tcp.set_nodelay(true) {
            debug!(error = %error, "cannot set TCP_NODELAY");
        }
        let served =
            serve_connection(tcp, peer, self.app.clone(), Arc::clone(&self.protocols), self.limits, registered);
        self.tasks.spawn(async move {
            // Held by the task, so that a panic gives it back as well.
            let _place = place;
            served.await;
        });
    }

    /// Waits a moment when the system has no descriptor or memory left: trying again at once would only burn the processor.
    async fn pause(&mut self, error: &io::Error) {
        let now = Instant::now();
        if self.error_log.is_due(now) {
            let pause_ms = self.limits.accept_pause.as_millis();
            error!(error = %error, pause_ms, "cannot accept connections, trying again after a pause");
        }
        self.registry.make_room(now);
        tokio::time::sleep(self.limits.accept_pause).await;
    }
}

/// Tells a client that it has too many connections, as far as it is still listening. The answer fits into the socket's buffer,
/// so nobody is waited for.
async fn turn_away(app: &impl Application, mut tcp: TcpStream) {
    let Some(answer) = app.refuse(StatusCode::TOO_MANY_REQUESTS) else { return };
    if let Err(error) = tcp.write_all(&whole(answer)).await {
        debug!(error = %error, "a client was turned away and has not heard why");
    }
}

/// Whether an error of `accept` is about the client at hand and not about the listener.
fn concerns_one_client(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}

/// Lets one log line through per [`LOG_EVERY`].
#[derive(Debug, Default)]
struct Throttle {
    last: Option<Instant>,
}

impl Throttle {
    fn is_due(&mut self, now: Instant) -> bool {
        let due = self.last.is_none_or(|last| now.duration_since(last) >= LOG_EVERY);
        if due {
            self.last = Some(now);
        }
        due
    }
}
