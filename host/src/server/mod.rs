//! The HTTP server: an accept loop of our own on hyper, because clients must not be able to hold it up.
//!
//! HTTP/1.1 and HTTP/2 without TLS, which is the proxy's matter. Every wait for a client is bounded ([`ServerLimits`]), the
//! number of connections is too, and stopping lets requests in flight finish. Handlers find the other end's address in the
//! request's extensions as `PeerAddress`. A request body that stalls fails with an
//! [`io::Error`] of kind `TimedOut`.

mod accept;
mod body;
mod connection;
mod head;
mod limits;
mod protocol;
mod refusal;
mod registry;
mod stream;
#[cfg(test)]
mod tests;
mod unread;

use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::response::Response;
use http::{Request, StatusCode};
use stoa_core::http::Front;
use tokio::net::TcpListener;
use tokio::time::{Instant, timeout};
use tokio_util::task::TaskTracker;
use tower::Service;
use tracing::{info, warn};

pub use limits::ServerLimits;

use accept::Acceptor;
use registry::Registry;

/// Time that connections which were cut off get to leave. Only a handler that blocks its thread needs more.
const CUT_OFF_GRACE: Duration = Duration::from_secs(1);

/// What a server serves: a service that is cloned for each request.
pub trait Application:
    Service<Request<Body>, Response = Response, Error = Infallible, Future: Send> + Clone + Send + Sync + Unpin + 'static
{
    /// The answer to what is no HTTP/1 request, or more than is read of one: hyper has refused it with this status before the
    /// service could see it, and closes the connection. Without an answer, hyper's own is sent, which has no body.
    fn refuse(&self, status: StatusCode) -> Option<http::Response<Bytes>>;

    /// Whether connections from an address are those of many clients: whether it is a proxy's.
    fn carries_others(&self, peer: IpAddr) -> bool;
}

impl Application for Front {
    fn refuse(&self, status: StatusCode) -> Option<http::Response<Bytes>> {
        Self::refuse(self, status)
    }

    fn carries_others(&self, peer: IpAddr) -> bool {
        self.is_trusted_proxy(peer)
    }
}

/// An HTTP server that is bound to its address and not yet serving.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
}

impl Server {
    /// Binds `address`; port 0 lets the system choose (contract 1, `server.listen`).
    ///
    /// The error's text names the address and, where it is known, what to do about it.
    pub async fn bind(address: SocketAddr) -> io::Result<Self> {
        let bound = TcpListener::bind(address).await.and_then(|listener| Ok((listener.local_addr()?, listener)));
        let (address, listener) = bound.map_err(|error| bind_error(address, &error))?;
        Ok(Self { listener, address })
    }

    /// The address that was bound, with the port that the system chose.
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// Serves `app` until `shutdown` is ready, then lets requests in flight finish.
    ///
    /// Returns how many requests were cut off because they took longer than [`ServerLimits::drain`]. Dropping the future
    /// closes the listener but leaves the connections that are open to themselves.
    pub async fn serve(self, app: impl Application, limits: ServerLimits, shutdown: impl Future<Output = ()>) -> usize {
        let registry = Arc::new(Registry::new(limits));
        let tasks = TaskTracker::new();
        let acceptor = Acceptor::new(app, limits, &registry, &tasks);
        tokio::select! {
            biased;
            () = shutdown => {}
            never = acceptor.run(|cx| self.listener.poll_accept(cx)) => match never {},
            never = registry.watch() => match never {},
        }
        drop(self.listener);
        drain(&registry, &tasks, limits.drain).await
    }
}

async fn drain(registry: &Registry, tasks: &TaskTracker, limit: Duration) -> usize {
    tasks.close();
    registry.finish_all(Instant::now());
    let finished = async {
        tokio::select! {
            biased;
            () = tasks.wait() => {}
            never = registry.watch() => match never {},
        }
    };
    if timeout(limit, finished).await.is_ok() {
        info!("all requests in flight are finished");
        return 0;
    }
    let cut_off = registry.cut_all();
    if cut_off > 0 {
        warn!(requests = cut_off, "requests took too long to finish and were cut off");
    }
    if timeout(CUT_OFF_GRACE, tasks.wait()).await.is_err() {
        warn!(tasks = tasks.len(), "handlers block their threads and are left behind");
    }
    cut_off
}

fn bind_error(address: SocketAddr, error: &io::Error) -> io::Error {
    let text = match error.kind() {
        io::ErrorKind::AddrInUse => format!(
            "cannot listen on {address}: another program already uses this address; stop it, or set `server.listen` to another one"
        ),
        io::ErrorKind::AddrNotAvailable => format!(
            "cannot listen on {address}: this machine has no such address; set `server.listen` to one of its own, or to 0.0.0.0 for all of them"
        ),
        io::ErrorKind::PermissionDenied => format!(
            "cannot listen on {address}: permission denied; ports below 1024 need a privilege, so set `server.listen` to a higher one"
        ),
        _ => format!("cannot listen on {address}: {error}"),
    };
    io::Error::new(error.kind(), text)
}
