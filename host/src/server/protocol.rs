//! HTTP on one connection: hyper's settings, and the task that serves a socket to its end.

use std::convert::Infallible;
use std::future::{poll_fn, ready};
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use axum::body::{Body, Bytes};
use axum::response::Response;
use futures_util::future::Either;
use http::header::CONNECTION;
use http::{HeaderValue, StatusCode};
use hyper::Request;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use tokio::net::TcpStream;
use tokio_util::task::TaskTracker;
use tracing::debug;

use super::Application;
use super::body::{ResponseBody, request_body};
use super::connection::{InFlight, Order, Phase};
use super::head;
use super::limits::ServerLimits;
use super::refusal::Refusals;
use super::registry::Registered;
use super::stream::ObservedStream;
use stoa_core::http::PeerAddress;

/// The smallest buffer that hyper takes for an HTTP/1 connection. The buffer bounds the head, which has to fit into it.
const SMALLEST_BUFFER: usize = 8 * 1024;
/// Bytes that a client may send on one HTTP/2 stream, and on all of its streams, before a handler reads them.
const HTTP2_STREAM_WINDOW: u32 = 64 * 1024;
const HTTP2_CONNECTION_WINDOW: u32 = 256 * 1024;
/// Bytes of one HTTP/2 response that may wait for the client.
const HTTP2_SEND_BUFFER: usize = 128 * 1024;
/// Streams that a client may open and reset before they are served, and streams reset for errors of the client's, before
/// the connection is closed; both are the libraries' answer to floods of resets and stated here to stay.
const HTTP2_PENDING_RESETS: usize = 20;
const HTTP2_ERROR_RESETS: usize = 1024;

/// Spawns what hyper runs beside a connection, which is HTTP/2 requests, where the server waits for it.
#[derive(Clone, Debug)]
pub(super) struct TrackedExecutor(TaskTracker);

impl<F> hyper::rt::Executor<F> for TrackedExecutor
where
    F: Future<Output: Send + 'static> + Send + 'static,
{
    fn execute(&self, task: F) {
        self.0.spawn(task);
    }
}

/// The protocols of a server: HTTP/1.1, and HTTP/2 for clients that begin with its preface.
///
/// hyper's own header time-out stays off, for it also counts the time between two requests and resets a timer for each of
/// them; the registry does that work. Flushing pipelined answers together stays off too: it holds a finished answer back
/// for as long as the client takes to complete its next request, and lifts the bound on what is buffered meanwhile.
pub(super) fn protocols(limits: &ServerLimits, tasks: &TaskTracker) -> Builder<TrackedExecutor> {
    let max_head = usize::try_from(limits.max_head_bytes).unwrap_or(usize::MAX);
    let mut builder = Builder::new(TrackedExecutor(tasks.clone()));
    builder.http1().header_read_timeout(None).max_buf_size(max_head.max(SMALLEST_BUFFER)).pipeline_flush(false);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(limits.http2_ping_interval)
        .keep_alive_timeout(limits.http2_ping_timeout)
        .max_concurrent_streams(limits.http2_streams)
        .max_header_list_size(limits.max_head_bytes)
        .max_pending_accept_reset_streams(HTTP2_PENDING_RESETS)
        .max_local_error_reset_streams(HTTP2_ERROR_RESETS)
        .initial_stream_window_size(HTTP2_STREAM_WINDOW)
        .initial_connection_window_size(HTTP2_CONNECTION_WINDOW)
        .max_send_buf_size(HTTP2_SEND_BUFFER);
    builder
}

/// The answer to a request that hyper has read and that is refused all the same.
fn refusal(app: &impl Application, status: StatusCode) -> Response {
    let unsaid = || Response::builder().status(status).body(Bytes::new()).expect("a status alone is an answer");
    app.refuse(status).unwrap_or_else(unsaid).map(Body::from)
}

/// Serves `app` on one socket until either side ends it.
pub(super) async fn serve_connection(
    tcp: TcpStream,
    peer: SocketAddr,
    app: impl Application,
    protocols: Arc<Builder<TrackedExecutor>>,
    limits: ServerLimits,
    registered: Registered,
) {
    let connection = registered.connection();
    let peer = PeerAddress::new(peer);
    let service = service_fn(|request: Request<Incoming>| {
        let in_flight = InFlight::begin(connection, request.version());
        let fault = head::fault(&request);
        let mut request = request_body(request, connection, &limits);
        request.extensions_mut().insert(peer);
        let answer = match fault {
            Some(status) => {
                connection.ends_after_answer();
                Either::Left(ready(Ok(refusal(&app, status))))
            }
            None => Either::Right(app.clone().call(request)),
        };
        async move {
            let mut response = answer.await?;
            if in_flight.is_last() {
                response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            }
            Ok::<_, Infallible>(response.map(|body| ResponseBody::new(body, in_flight)))
        }
    });
    let io = TokioIo::new(ObservedStream::new(tcp, Arc::clone(connection), Refusals::new(app.clone())));
    let mut http = pin!(protocols.serve_connection(io, service));
    let mut finishing = false;
    let outcome = poll_fn(|cx| {
        loop {
            if let Poll::Ready(outcome) = http.as_mut().poll(cx) {
                return Poll::Ready(outcome);
            }
            connection.wake_on_order(cx.waker());
            match connection.order() {
                Order::Cut => return Poll::Ready(Ok(())),
                // A request that has begun to arrive is let in first: hyper would drop it otherwise.
                Order::Finish if !finishing && connection.phase() != Phase::Head => {
                    finishing = true;
                    http.as_mut().graceful_shutdown();
                }
                Order::Serve | Order::Finish => return Poll::Pending,
            }
        }
    })
    .await;
    if let Err(error) = outcome {
        debug!(error = %error, "connection ended with an error");
    }
}
