//! Bodies on their way in and out, with what the server has to know about them.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use http::{Request, Version, header};
use hyper::body::{Body as HttpBody, Frame, Incoming, SizeHint};
use tokio::time::{Instant, Sleep};

use super::connection::{Connection, InFlight};
use super::limits::ServerLimits;
use super::unread::{is_little, swallow};

/// Makes the body that handlers read from the one that hyper reads off the wire.
///
/// An empty one, which nearly every request has, costs no allocation.
pub(super) fn request_body(
    request: Request<Incoming>,
    connection: &Arc<Connection>,
    limits: &ServerLimits,
) -> Request<Body> {
    if request.body().is_end_stream() {
        return request.map(|_| Body::empty());
    }
    // A client that waits for a word before it sends the body does not send it after an early answer.
    let waits = request.headers().contains_key(header::EXPECT);
    let swallow = (request.version() != Version::HTTP_2 && !waits).then_some(limits.linger);
    request.map(|incoming| {
        Body::new(RequestBody {
            incoming: Some(incoming),
            connection: Arc::clone(connection),
            complete: false,
            swallow,
            stall: limits.body_stall,
            patience: limits.body_total,
            waiting_since: None,
            timer: None,
        })
    })
}

/// A request body that fails with [`io::ErrorKind::TimedOut`] when the client stops sending it.
struct RequestBody {
    /// There until it is dropped.
    incoming: Option<Incoming>,
    connection: Arc<Connection>,
    complete: bool,
    /// How long the rest that nobody reads is read after all, if it is.
    swallow: Option<Duration>,
    stall: Duration,
    /// What is left of the time that the whole body may be waited for.
    patience: Duration,
    waiting_since: Option<Instant>,
    timer: Option<Pin<Box<Sleep>>>,
}

impl RequestBody {
    /// Is ready when the current wait, which this starts if need be, has lasted too long.
    fn poll_time_out(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if self.waiting_since.is_none() {
            let now = Instant::now();
            self.waiting_since = Some(now);
            let until = now + self.stall.min(self.patience);
            match &mut self.timer {
                Some(timer) => timer.as_mut().reset(until),
                None => self.timer = Some(Box::pin(tokio::time::sleep_until(until))),
            }
        }
        self.timer.as_mut().map_or(Poll::Pending, |timer| timer.as_mut().poll(cx))
    }

    /// Gives up on the rest.
    fn fail(&mut self) {
        self.swallow = None;
    }

    fn end_wait(&mut self) {
        if let Some(since) = self.waiting_since.take() {
            self.patience = self.patience.saturating_sub(since.elapsed());
        }
    }
}

impl HttpBody for RequestBody {
    type Data = Bytes;
    type Error = axum::BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let incoming = self.incoming.as_mut().expect("it is there until it is dropped");
        if let Poll::Ready(frame) = Pin::new(incoming).poll_frame(cx) {
            self.end_wait();
            self.complete |= frame.is_none();
            if matches!(frame, Some(Err(_))) {
                self.fail();
            }
            return Poll::Ready(frame.map(|result| result.map_err(Into::into)));
        }
        ready!(self.poll_time_out(cx));
        self.fail();
        let stalled = io::Error::new(io::ErrorKind::TimedOut, "the client stopped sending the request body");
        Poll::Ready(Some(Err(stalled.into())))
    }

    fn is_end_stream(&self) -> bool {
        self.incoming.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.incoming.as_ref().map(HttpBody::size_hint).unwrap_or_default()
    }
}

impl Drop for RequestBody {
    fn drop(&mut self) {
        if self.complete || self.is_end_stream() {
            return;
        }
        self.connection.body_abandoned();
        let rest = self.incoming.take().filter(is_little).zip(self.swallow);
        match rest {
            Some((rest, limit)) => swallow(rest, limit),
            None => self.connection.ends_after_answer(),
        }
    }
}

/// A response body that keeps its request in flight until it is handed over or dropped.
#[derive(Debug)]
pub(super) struct ResponseBody {
    body: Body,
    in_flight: InFlight,
}

impl ResponseBody {
    /// Ties `in_flight` to the life of `body`.
    pub(super) fn new(body: Body, in_flight: InFlight) -> Self {
        Self { body, in_flight }
    }
}

impl HttpBody for ResponseBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(cx);
        self.in_flight.awaits_client(frame.is_ready());
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
