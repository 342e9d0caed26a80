//! The lanes of the queue.

/// A lane: its tasks wait for one another only, and only so many of them are done at the same time by one instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lane {
    /// The name, as its rows, `/metrics` and the log show it.
    pub name: &'static str,
    /// Tasks that one instance does at the same time.
    pub at_once: usize,
    /// What does the work, in messages: `the listener panicked`.
    pub runs: &'static str,
}

/// Events on their way to listeners. These mostly wait for the database, whose commits they share.
pub const EVENTS: Lane = Lane { name: "events", at_once: 32, runs: "listener" };

/// Jobs, of which each is in its lane once.
pub const JOBS: Lane = Lane { name: "jobs", at_once: 16, runs: "job" };

/// Mails on their way to the mail server.
pub const MAIL: Lane = Lane { name: "mail", at_once: 4, runs: "delivery" };
