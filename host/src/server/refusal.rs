//! The shop's own answer to what is no HTTP/1 request, in place of hyper's.
//!
//! What hyper cannot read never becomes a request: a target or header with forbidden bytes, too many headers, a head or
//! target that is too long. It answers by itself then, with a head alone, and closes. hyper offers no way to have a say in
//! that, so its head is exchanged for the shop's answer on its way to the socket, where two facts tell it for sure:
//!
//! 1. It is written while no answer of the application's is owed ([`Connection::owes_answers`]): every request that was
//!    read has been answered, to the last byte. Whatever HTTP/1 writes then, hyper has made by itself.
//! 2. It is one whole head of a client's error, and nothing besides.
//!
//! A refusal that hyper puts behind an answer that the client has not taken yet is written together with the rest of that
//! one. It is left as it is: an answer of the application's is never looked into. A frame of HTTP/2 does not begin like a
//! head, and HTTP/2 refuses with frames of its own.
//!
//! [`Connection::owes_answers`]: super::connection::Connection::owes_answers

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::{Buf, Bytes};
use http::{Response, StatusCode};
use tokio::io::AsyncWrite;

use super::Application;
use super::head::names_unknown_coding;

/// What every head of HTTP/1 begins with; a digit and a blank follow.
const BEGINNING: &[u8] = b"HTTP/1.";

/// Where the three digits of the status stand.
const STATUS: std::ops::Range<usize> = 9..12;

/// Exchanges hyper's refusals for those of `app`.
#[derive(Debug)]
pub(super) struct Refusals<A> {
    app: A,
    /// What is left to be written of an answer that has taken the place of hyper's.
    rest: Option<Bytes>,
}

impl<A: Application> Refusals<A> {
    /// Answers for `app`.
    pub(super) fn new(app: A) -> Self {
        Self { app, rest: None }
    }

    /// Writes `bytes`, or what takes their place if they are a refusal of hyper's of a request that begins with `head`.
    pub(super) fn poll_write(
        &mut self,
        mut socket: Pin<&mut impl AsyncWrite>,
        cx: &mut Context<'_>,
        bytes: &[u8],
        head: &[u8],
    ) -> Poll<io::Result<usize>> {
        let Some(mut rest) = self.rest.take().or_else(|| self.instead_of(bytes, head)) else {
            return socket.poll_write(cx, bytes);
        };
        while rest.has_remaining() {
            match socket.as_mut().poll_write(cx, &rest) {
                Poll::Ready(Ok(0)) => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                Poll::Ready(Ok(written)) => rest.advance(written),
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Pending => {
                    // hyper comes back with the same bytes.
                    self.rest = Some(rest);
                    return Poll::Pending;
                }
            }
        }
        Poll::Ready(Ok(bytes.len()))
    }

    fn instead_of(&self, bytes: &[u8], head: &[u8]) -> Option<Bytes> {
        let status = match refused(bytes)? {
            // hyper does not tell codings that it does not know from heads that nobody can read.
            StatusCode::BAD_REQUEST if names_unknown_coding(head) => StatusCode::NOT_IMPLEMENTED,
            // Nor a target that is longer than all that is read of a head from headers that are too many.
            StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE if !head.contains(&b'\n') => StatusCode::URI_TOO_LONG,
            status => status,
        };
        self.app.refuse(status).map(|answer| written(bytes, answer))
    }
}

/// The status of a head that is hyper's refusal of a request.
fn refused(head: &[u8]) -> Option<StatusCode> {
    let whole = head.starts_with(BEGINNING) && head.ends_with(b"\r\n\r\n");
    let status = StatusCode::from_bytes(head.get(STATUS)?).ok()?;
    (whole && status.is_client_error()).then_some(status)
}

/// An answer as it goes over a wire on which nothing was said.
pub(super) fn whole(answer: Response<Bytes>) -> Bytes {
    written(b"HTTP/1.1 ", answer)
}

/// The answer as it goes over the wire, with the version and the date of the head that it replaces. It is the last one on its
/// connection, for nobody knows where the next request would begin.
fn written(head: &[u8], answer: Response<Bytes>) -> Bytes {
    let (parts, body) = answer.into_parts();
    let mut bytes = Vec::with_capacity(1024);
    bytes.extend_from_slice(&head[..STATUS.start]);
    let reason = parts.status.canonical_reason().unwrap_or_default();
    bytes.extend_from_slice(format!("{} {reason}\r\n", parts.status.as_str()).as_bytes());
    let lines = head.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end);
    for line in lines.filter(|line| line.get(..5).is_some_and(|name| name.eq_ignore_ascii_case(b"date:"))) {
        bytes.extend_from_slice(line);
        bytes.extend_from_slice(b"\r\n");
    }
    for (name, value) in &parts.headers {
        bytes.extend_from_slice(name.as_str().as_bytes());
        bytes.extend_from_slice(b": ");
        bytes.extend_from_slice(value.as_bytes());
        bytes.extend_from_slice(b"\r\n");
    }
    bytes.extend_from_slice(format!("content-length: {}\r\nconnection: close\r\n\r\n", body.len()).as_bytes());
    bytes.extend_from_slice(&body);
    bytes.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_head_of_a_clients_error_is_a_refusal() {
        assert_eq!(refused(b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n"), Some(StatusCode::BAD_REQUEST));
        assert_eq!(refused(b"HTTP/1.0 414 URI Too Long\r\n\r\n"), Some(StatusCode::URI_TOO_LONG));
        for other in [
            &b""[..],
            b"HTTP/1.",
            b"HTTP/1.1 400 Bad Request\r\n",
            b"HTTP/1.1 400 Bad Request\r\n\r\nbody",
            b"HTTP/1.1 200 OK\r\n\r\n",
            b"HTTP/1.1 100 Continue\r\n\r\n",
            b"\0\0\x06\x04\0\0\0\0\0\0\x03\0\0\0\x64\r\n\r\n",
        ] {
            assert_eq!(refused(other), None, "{}", String::from_utf8_lossy(other));
        }
    }
}
