//! The server over real sockets. No test sleeps: time-outs are set to some milliseconds and their effect is awaited.

mod accepting;
mod http1;
mod http2;
mod refusals;
mod stopping;
mod timeouts;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use axum::routing::{get, post};
use futures_util::stream;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::{Notify, Semaphore};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::{Application, Server, ServerLimits};
use stoa_core::http::PeerAddress;

/// Long enough for a time-out to be told from an answer, short enough to wait for.
const SHORT: Duration = Duration::from_millis(150);
/// Length of the response of `/large`, more than the socket buffers of both sides together.
const LARGE: usize = 64 * 1024 * 1024;

/// Limits under which nothing ends by itself during a test.
fn patient() -> ServerLimits {
    let long = Duration::from_mins(1);
    ServerLimits {
        header_read: long,
        idle: long,
        body_stall: long,
        body_total: long,
        write_stall: long,
        drain: long,
        linger: long,
        ..ServerLimits::default()
    }
}

/// Handlers that tests let wait: `/gated` reports its arrival and then waits for a permit of the gate.
#[derive(Clone)]
struct Gate {
    arrived: Arc<Notify>,
    open: Arc<Semaphore>,
}

async fn gated(State(gate): State<Gate>) -> &'static str {
    gate.arrived.notify_one();
    gate.open.acquire().await.expect("the gate is never closed").forget();
    "late"
}

async fn large() -> Body {
    Body::from(vec![b'x'; LARGE])
}

async fn endless() -> Body {
    let chunk = Bytes::from(vec![b'x'; 64 * 1024]);
    Body::from_stream(stream::repeat_with(move || Ok::<_, std::io::Error>(chunk.clone())))
}

/// Answers 413 without having read the body.
async fn refuse() -> StatusCode {
    StatusCode::PAYLOAD_TOO_LARGE
}

async fn echo(body: Body) -> impl IntoResponse {
    match axum::body::to_bytes(body, usize::MAX).await {
        Ok(bytes) => (StatusCode::OK, bytes),
        Err(error) => (StatusCode::REQUEST_TIMEOUT, error.into_inner().to_string().into()),
    }
}

async fn peer(axum::Extension(peer): axum::Extension<PeerAddress>) -> String {
    peer.0.to_string()
}

/// What takes the place of hyper's own refusals.
impl Application for Router {
    fn refuse(&self, status: StatusCode) -> Option<http::Response<Bytes>> {
        let mut response = http::Response::new(Bytes::from_static(b"refused by the application"));
        *response.status_mut() = status;
        response.headers_mut().insert("x-refused", http::HeaderValue::from(status.as_u16()));
        Some(response)
    }

    fn carries_others(&self, peer: IpAddr) -> bool {
        peer == PROXY
    }
}

/// Where connections of many come from.
const PROXY: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 9));

async fn panics() -> &'static str {
    panic!("a handler that panics on purpose")
}

/// A server under test, which is stopped when its test is over.
struct Running {
    address: SocketAddr,
    gate: Gate,
    stop: CancellationToken,
    outcome: JoinHandle<usize>,
}

impl Running {
    async fn start(limits: ServerLimits) -> Self {
        let gate = Gate { arrived: Arc::default(), open: Arc::new(Semaphore::new(0)) };
        let app = Router::new()
            .route("/", get(async || "hello"))
            .route("/gated", get(gated))
            .route("/large", get(large))
            .route("/endless", get(endless))
            .route("/refuse", post(refuse))
            .route("/echo", post(echo))
            .route("/peer", get(peer))
            .route("/panic", get(panics))
            .with_state(gate.clone());
        let server = Server::bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
        let address = server.local_addr();
        let stop = CancellationToken::new();
        let outcome = tokio::spawn(server.serve(app, limits, stop.clone().cancelled_owned()));
        Self { address, gate, stop, outcome }
    }

    async fn connect(&self) -> Client {
        Client { tcp: within(TcpStream::connect(self.address)).await.unwrap(), read: Vec::new() }
    }

    /// Connects and asks for `/gated`; returns once the handler waits.
    async fn connect_gated(&self) -> Client {
        let mut client = self.connect().await;
        client.send("GET /gated HTTP/1.1\r\nHost: x\r\n\r\n").await;
        within(self.gate.arrived.notified()).await;
        client
    }

    /// Stops the server and returns how many requests it cut off.
    async fn stop(self) -> usize {
        self.stop.cancel();
        within(self.outcome).await.unwrap()
    }
}

/// A client that speaks as raw as a test wants.
struct Client {
    tcp: TcpStream,
    read: Vec<u8>,
}

impl Client {
    async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        within(self.tcp.write_all(bytes.as_ref())).await.unwrap();
    }

    /// Asks for `path` and returns the response's status line.
    async fn get(&mut self, path: &str) -> String {
        self.send(format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n")).await;
        self.response().await.0
    }

    /// Reads one response with a `content-length`: its status line, and its headers and body.
    async fn response(&mut self) -> (String, String) {
        loop {
            if let Some(response) = self.take_response() {
                return response;
            }
            let mut bytes = [0; 4096];
            let count = within(self.tcp.read(&mut bytes)).await.unwrap();
            assert!(count > 0, "closed after {:?}", String::from_utf8_lossy(&self.read));
            self.read.extend_from_slice(&bytes[..count]);
        }
    }

    fn take_response(&mut self) -> Option<(String, String)> {
        let text = String::from_utf8(self.read.clone()).unwrap();
        let (head, body) = text.split_once("\r\n\r\n")?;
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "))
            .map_or(0, |length| length.parse::<usize>().unwrap());
        if body.len() < length {
            return None;
        }
        let (status, headers) = head.split_once("\r\n").unwrap_or((head, ""));
        let response = (status.to_owned(), format!("{headers}\r\n\r\n{}", &body[..length]));
        self.read.drain(..head.len() + 4 + length);
        Some(response)
    }

    /// Waits until the server closes and returns everything it said before.
    async fn closed(&mut self) -> String {
        let mut bytes = std::mem::take(&mut self.read);
        // A reset ends the connection as well as an orderly close.
        let _ = within(self.tcp.read_to_end(&mut bytes)).await;
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// Fails a test that would otherwise hang.
async fn within<F: IntoFuture>(future: F) -> F::Output {
    tokio::time::timeout(Duration::from_secs(10), future).await.expect("no result within 10 seconds")
}
