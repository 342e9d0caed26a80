//! What one server allows its clients.

use std::time::Duration;

/// Time-outs and sizes that bound what any one client can hold.
///
/// The values of [`ServerLimits::default`] suit a shop behind a proxy as well as one that faces the internet itself.
/// Time-outs are noticed by a watch that comes round every second at most, so a connection may live one or two seconds
/// longer than its limit says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServerLimits {
    /// Most connections open at once; further ones wait in the system's backlog.
    ///
    /// 900 stays below the usual limit of 1,024 file descriptors for one process.
    pub max_connections: usize,
    /// Most connections that one address, or one network of IPv6, has at once; a proxy that is trusted is held to none. By
    /// default a tenth of all.
    pub max_connections_per_address: usize,
    /// Time from the connection's opening, or from the first byte of a later request, to the end of the request's headers.
    pub header_read: Duration,
    /// Time a kept-alive connection may wait for its next request.
    pub idle: Duration,
    /// Time after which an idle connection may be closed to make room while every place is taken.
    pub idle_when_full: Duration,
    /// Longest pause between two pieces of a request body.
    pub body_stall: Duration,
    /// Longest time that one request body may keep its handler waiting altogether.
    pub body_total: Duration,
    /// Longest time that a client may take nothing of a response that is waiting for it.
    pub write_stall: Duration,
    /// Time that requests in flight get to finish when the server stops (contract 1: 10 seconds).
    pub drain: Duration,
    /// Time that unread input is still swallowed after an early answer, so that the client gets to see that answer.
    pub linger: Duration,
    /// Pause after the system refused to accept a connection, for instance for lack of file descriptors.
    pub accept_pause: Duration,
    /// Most bytes of a request's line and headers together; beyond it the answer is 431, or 414 if the target alone is longer.
    ///
    /// On HTTP/1 at least 8,192. hyper answers 414 to a request target of more than 65,534 bytes, too, and 431 to more than
    /// 100 headers.
    pub max_head_bytes: u32,
    /// Most requests at once on one HTTP/2 connection.
    pub http2_streams: u32,
    /// Time between two HTTP/2 pings on a silent connection.
    pub http2_ping_interval: Duration,
    /// Time a client has to answer an HTTP/2 ping.
    pub http2_ping_timeout: Duration,
}

impl Default for ServerLimits {
    fn default() -> Self {
        Self {
            max_connections: 900,
            max_connections_per_address: 90,
            header_read: Duration::from_secs(10),
            idle: Duration::from_secs(75),
            idle_when_full: Duration::from_secs(1),
            body_stall: Duration::from_secs(30),
            body_total: Duration::from_mins(5),
            write_stall: Duration::from_secs(30),
            drain: Duration::from_secs(10),
            linger: Duration::from_secs(5),
            accept_pause: Duration::from_secs(1),
            max_head_bytes: 72 * 1024,
            http2_streams: 100,
            http2_ping_interval: Duration::from_secs(30),
            http2_ping_timeout: Duration::from_secs(20),
        }
    }
}

impl ServerLimits {
    /// Time between two rounds of the watch over all connections: an eighth of the shortest limit, one second at most.
    pub(super) fn watch_interval(&self) -> Duration {
        let shortest = self.header_read.min(self.idle).min(self.write_stall).min(self.linger).min(self.idle_when_full);
        (shortest / 8).clamp(Duration::from_millis(1), Duration::from_secs(1))
    }
}
