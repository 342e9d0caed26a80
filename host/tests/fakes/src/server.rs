//! A fake's server: it records requests, lets them meet faults, and ends with the fake.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use bytes::Bytes;
use http::{HeaderMap, Method};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::fault::Fault;

/// Says what time it is, in seconds since 1970.
pub type Clock = Arc<dyn Fn() -> i64 + Send + Sync>;

/// The time of this machine.
pub(crate) fn system_clock() -> Clock {
    Arc::new(|| {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
    })
}

/// A request as it came.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// The method.
    pub method: Method,
    /// Path and query.
    pub path: String,
    /// All headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
}

/// Faults to come and requests that came.
#[derive(Debug, Default)]
pub(crate) struct Traffic {
    faults: Mutex<VecDeque<Fault>>,
    recorded: Mutex<Vec<Recorded>>,
}

impl Traffic {
    /// Lets one of the next requests of the interface meet a fault, after those that were told before.
    pub(crate) fn next(&self, fault: Fault) {
        lock(&self.faults).push_back(fault);
    }

    /// All requests of the interface so far.
    pub(crate) fn recorded(&self) -> Vec<Recorded> {
        lock(&self.recorded).clone()
    }
}

/// What is behind a lock; nothing here is left half done by a panic.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A listening server.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) base_url: String,
    task: JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Server {
    /// The address that is listened at.
    pub(crate) async fn bind(address: SocketAddr) -> std::io::Result<(TcpListener, String)> {
        let listener = TcpListener::bind(address).await?;
        let base_url = format!("http://{}", listener.local_addr()?);
        Ok((listener, base_url))
    }

    /// Serves the provider's interface, recorded and with faults, and the customers' pages, without.
    pub(crate) fn start(
        listener: TcpListener,
        base_url: String,
        traffic: Arc<Traffic>,
        interface: Router,
        pages: Router,
        problem: fn(u16) -> Vec<u8>,
    ) -> Self {
        let interface = interface.layer(from_fn(move |request: Request, next: Next| {
            let traffic = Arc::clone(&traffic);
            async move { pass(request, next, &traffic, problem).await }
        }));
        let app = interface.merge(pages);
        let task = tokio::spawn(async move {
            // It fails only when the listener does, and then every request does.
            let _ = axum::serve(listener, app).await;
        });
        Self { base_url, task }
    }
}

async fn pass(request: Request, next: Next, traffic: &Traffic, problem: fn(u16) -> Vec<u8>) -> Response {
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, 1024 * 1024).await.unwrap_or_default();
    lock(&traffic.recorded).push(Recorded {
        method: parts.method.clone(),
        path: parts.uri.to_string(),
        headers: parts.headers.clone(),
        body: body.clone(),
    });
    let request = Request::from_parts(parts, Body::from(body));
    let fault = lock(&traffic.faults).pop_front();
    match fault {
        Some(fault) => fault.meet(request, next, problem).await,
        None => next.run(request).await,
    }
}
