//! The socket as hyper sees it: reports what happens on it and closes without losing the last answer.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use super::Application;
use super::connection::Connection;
use super::refusal::Refusals;

/// Bytes of a head that are kept while it arrives; as many as tell why hyper refuses it.
const KEPT: usize = 4096;

/// The beginning of the head that arrives.
#[derive(Debug, Default)]
struct Head {
    /// How many requests were before it.
    number: u32,
    bytes: Vec<u8>,
}

impl Head {
    fn read(&mut self, number: u32, bytes: &[u8]) {
        if self.number != number {
            self.number = number;
            self.bytes.clear();
        }
        let room = KEPT - self.bytes.len();
        self.bytes.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }
}

/// A TCP stream that tells its [`Connection`] of every read and write.
#[derive(Debug)]
pub(super) struct ObservedStream<A> {
    tcp: TcpStream,
    connection: Arc<Connection>,
    refusals: Refusals<A>,
    head: Head,
    shut: bool,
}

impl<A: Application> ObservedStream<A> {
    /// Observes `tcp` on behalf of `connection`.
    pub(super) fn new(tcp: TcpStream, connection: Arc<Connection>, refusals: Refusals<A>) -> Self {
        Self { tcp, connection, refusals, head: Head::default(), shut: false }
    }

    /// Reads and drops input until the client closes.
    ///
    /// A socket closed with unread input resets the connection, and the reset can overtake the answer: a client that is
    /// still sending would see an error instead of, say, 413. The registry bounds the time this takes.
    fn poll_swallow(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let mut bytes = [0; 4096];
        loop {
            let mut buffer = ReadBuf::new(&mut bytes);
            match ready!(Pin::new(&mut self.tcp).poll_read(cx, &mut buffer)) {
                Ok(()) if !buffer.filled().is_empty() => {}
                Ok(()) | Err(_) => return Poll::Ready(()),
            }
        }
    }
}

impl<A: Application> AsyncRead for ObservedStream<A> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.tcp).poll_read(cx, buffer))?;
        let read = &buffer.filled()[before..];
        if !read.is_empty() {
            self.connection.received();
            if let Some(number) = self.connection.read_heads() {
                self.head.read(number, read);
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl<A: Application> AsyncWrite for ObservedStream<A> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let Self { tcp, connection, refusals, head, .. } = &mut *self;
        let tcp = Pin::new(tcp);
        let outcome = if connection.owes_answers() {
            tcp.poll_write(cx, bytes)
        } else {
            refusals.poll_write(tcp, cx, bytes, &head.bytes)
        };
        connection.wrote(&outcome);
        outcome
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if let [only] = slices {
            return self.poll_write(cx, only);
        }
        let outcome = Pin::new(&mut self.tcp).poll_write_vectored(cx, slices);
        self.connection.wrote(&outcome);
        outcome
    }

    fn is_write_vectored(&self) -> bool {
        self.tcp.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.connection.flushed();
        Pin::new(&mut self.tcp).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if !self.shut {
            ready!(Pin::new(&mut self.tcp).poll_shutdown(cx))?;
            self.shut = true;
        }
        if self.connection.closing() {
            ready!(self.poll_swallow(cx));
        }
        Poll::Ready(Ok(()))
    }
}
