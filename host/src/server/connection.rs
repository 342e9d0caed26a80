//! What is known about one open connection, shared by those who serve it and the watch that bounds it.
//!
//! Nothing here reads a clock or sets a timer, since it runs for every request: each event only turns a counter, and the
//! [registry](super::registry) notices on its rounds for how long the counter stood still.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, Ordering::Relaxed, Ordering::SeqCst};
use std::task::{Poll, Waker};

use futures_util::task::AtomicWaker;

/// What a connection waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// The client has yet to complete the headers of a request; the state of every new connection.
    Head,
    /// The client may send another request.
    Idle,
    /// A handler is at work or makes more of its response.
    Busy,
    /// A response waits for the client to take it.
    Stalled,
    /// Everything is said; unread input is swallowed until the client closes.
    Closing,
}

/// What the registry wants a connection to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Go on.
    Serve,
    /// Finish the requests in flight, take no further one.
    Finish,
    /// End now.
    Cut,
}

/// The state of one connection.
#[derive(Debug)]
pub(super) struct Connection {
    head: AtomicBool,
    http2: AtomicBool,
    write_blocked: AtomicBool,
    unread_body: AtomicBool,
    last_answer: AtomicBool,
    closing: AtomicBool,
    owes_answers: AtomicBool,
    in_flight: AtomicU32,
    awaiting_client: AtomicU32,
    begun: AtomicU32,
    moves: AtomicU32,
    order: AtomicU8,
    waker: AtomicWaker,
}

impl Connection {
    /// A connection that was just accepted and whose first request is awaited.
    pub(super) fn new() -> Self {
        Self {
            head: AtomicBool::new(true),
            http2: AtomicBool::new(false),
            write_blocked: AtomicBool::new(false),
            unread_body: AtomicBool::new(false),
            last_answer: AtomicBool::new(false),
            closing: AtomicBool::new(false),
            owes_answers: AtomicBool::new(false),
            in_flight: AtomicU32::new(0),
            awaiting_client: AtomicU32::new(0),
            begun: AtomicU32::new(0),
            moves: AtomicU32::new(0),
            order: AtomicU8::new(Order::Serve as u8),
            waker: AtomicWaker::new(),
        }
    }

    /// What the connection waits for at this moment.
    pub(super) fn phase(&self) -> Phase {
        if self.closing.load(Relaxed) {
            Phase::Closing
        } else if self.write_blocked.load(Relaxed) {
            Phase::Stalled
        } else if self.in_flight() == 0 {
            if self.head.load(Relaxed) { Phase::Head } else { Phase::Idle }
        } else if self.awaiting_client.load(Relaxed) > 0 {
            Phase::Stalled
        } else {
            Phase::Busy
        }
    }

    /// A number that changes with every sign of progress.
    pub(super) fn moves(&self) -> u32 {
        self.moves.load(Relaxed)
    }

    /// Number of requests whose response is not complete yet.
    pub(super) fn in_flight(&self) -> u32 {
        self.in_flight.load(Relaxed)
    }

    /// Notes that bytes came from the client.
    ///
    /// Further bytes of the same head are no progress, so that a client cannot stretch its time by sending one at a time.
    /// On HTTP/2, frames come at any time and say nothing about a head.
    pub(super) fn received(&self) {
        if self.in_flight() == 0 && !self.head.load(Relaxed) && !self.http2.load(Relaxed) {
            self.head.store(true, Relaxed);
            self.moved();
        }
    }

    /// Notes whether the client's side took what was written to it.
    pub(super) fn wrote<T, E>(&self, outcome: &Poll<Result<T, E>>) {
        let blocked = outcome.is_pending();
        if blocked != self.write_blocked.load(Relaxed) {
            self.write_blocked.store(blocked, Relaxed);
            self.moved();
        }
    }

    /// Notes that everything has been written that HTTP wanted to write so far.
    pub(super) fn flushed(&self) {
        if self.in_flight() == 0 {
            self.owes_answers.store(false, Relaxed);
        }
    }

    /// Whether a request was read whose answer is not written to its last byte.
    pub(super) fn owes_answers(&self) -> bool {
        self.owes_answers.load(Relaxed)
    }

    /// Number of requests so far whose heads were read; none while another head is on its way.
    pub(super) fn read_heads(&self) -> Option<u32> {
        (self.in_flight() == 0 && !self.http2.load(Relaxed)).then(|| self.begun.load(Relaxed))
    }

    /// Notes that the client may still be sending a request body that nobody will read.
    pub(super) fn body_abandoned(&self) {
        self.unread_body.store(true, Relaxed);
    }

    /// Notes that HTTP/1 closes the connection behind the next answer: where another request would begin, nobody knows.
    pub(super) fn ends_after_answer(&self) {
        self.last_answer.store(true, Relaxed);
    }

    /// Notes that our side is closed, and tells whether the client may still be sending.
    pub(super) fn closing(&self) -> bool {
        let may_be_sending = self.unread_body.load(Relaxed) || (self.head.load(Relaxed) && self.in_flight() == 0);
        if may_be_sending && !self.closing.swap(true, Relaxed) {
            self.moved();
        }
        may_be_sending
    }

    /// What the connection is to do, as last ordered.
    pub(super) fn order(&self) -> Order {
        match self.order.load(SeqCst) {
            0 => Order::Serve,
            1 => Order::Finish,
            _ => Order::Cut,
        }
    }

    /// Gives the connection an order, which only ever becomes stricter, and wakes its task.
    pub(super) fn command(&self, order: Order) {
        self.order.fetch_max(order as u8, SeqCst);
        self.waker.wake();
    }

    /// Has `waker` woken by the next order. Read [`Connection::order`] afterwards, for it may just have come.
    pub(super) fn wake_on_order(&self, waker: &Waker) {
        self.waker.register(waker);
    }

    fn moved(&self) {
        self.moves.fetch_add(1, Relaxed);
    }
}

/// A request in flight, from its head to the last byte of its response; dropping it ends it.
#[derive(Debug)]
pub(super) struct InFlight {
    connection: Arc<Connection>,
    awaiting_client: bool,
}

impl InFlight {
    /// Notes that a request's head is complete.
    pub(super) fn begin(connection: &Arc<Connection>, version: http::Version) -> Self {
        if version == http::Version::HTTP_2 {
            connection.http2.store(true, Relaxed);
        }
        connection.unread_body.store(false, Relaxed);
        connection.head.store(false, Relaxed);
        connection.owes_answers.store(true, Relaxed);
        connection.in_flight.fetch_add(1, Relaxed);
        connection.begun.fetch_add(1, Relaxed);
        connection.moved();
        Self { connection: Arc::clone(connection), awaiting_client: false }
    }

    /// Whether HTTP/1 closes the connection behind the answer that is about to be given.
    pub(super) fn is_last(&self) -> bool {
        self.connection.last_answer.load(Relaxed) && !self.connection.http2.load(Relaxed)
    }

    /// Notes whether the response has handed out a piece that the client has to take, or is itself waiting for more.
    ///
    /// Only HTTP/2 needs this: its flow control can hold a response back while the socket takes all writes.
    pub(super) fn awaits_client(&mut self, awaiting: bool) {
        if !self.connection.http2.load(Relaxed) {
            return;
        }
        if awaiting {
            self.connection.moved();
        }
        if awaiting != self.awaiting_client {
            self.awaiting_client = awaiting;
            if awaiting {
                self.connection.awaiting_client.fetch_add(1, Relaxed);
            } else {
                self.connection.awaiting_client.fetch_sub(1, Relaxed);
            }
        }
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.awaits_client(false);
        self.connection.in_flight.fetch_sub(1, Relaxed);
        self.connection.moved();
    }
}
