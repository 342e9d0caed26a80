//! The socket as hyper sees it: reports what happens on it and closes without losing the last answer.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use super::connection::Connection;

/// A TCP stream that tells its [`Connection`] of every read and write.
#[derive(Debug)]
pub(super) struct ObservedStream {
    tcp: TcpStream,
    connection: Arc<Connection>,
    shut: bool,
}

impl ObservedStream {
    /// Observes `tcp` on behalf of `connection`.
    pub(super) fn new(tcp: TcpStream, connection: Arc<Connection>) -> Self {
        Self { tcp, connection, shut: false }
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

impl AsyncRead for ObservedStream {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.tcp).poll_read(cx, buffer))?;
        if buffer.filled().len() > before {
            self.connection.received();
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for ObservedStream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.tcp).poll_write(cx, bytes);
        self.connection.wrote(&outcome);
        outcome
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.tcp).poll_write_vectored(cx, slices);
        self.connection.wrote(&outcome);
        outcome
    }

    fn is_write_vectored(&self) -> bool {
        self.tcp.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
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
