//! The lanes of the queue.

/// A lane: its tasks wait for one another only, and only so many of them are done at the same time by one instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lane {
    /// The name, as its rows, `/metrics` and the log show it.
    pub name: &'static str,
    /// Tasks that one instance does at the same time.
    pub at_once: usize,
    /// What does the work, in messages: `the listener panicked: …`.
    pub runs: &'static str,
    /// Tasks of one order key that one instance does at the same time. None has them be done one after the other, and none before
    /// an earlier one has come to its end.
    pub(super) abreast: Option<usize>,
}

impl Lane {
    /// A lane in which tasks with the same order key are done one after the other.
    pub const fn new(name: &'static str, at_once: usize, runs: &'static str) -> Self {
        Self { name, at_once, runs, abreast: None }
    }

    /// The same, but so many tasks with the same order key are done at once. They begin in the order of the commits that have
    /// written them, and what is to be tried again holds up nobody. A key that keeps failing gets a quarter of the places, and
    /// all that do get no more than a quarter of the lane.
    #[must_use]
    pub const fn abreast(self, each: usize) -> Self {
        Self { abreast: Some(each), ..self }
    }
}

/// Events on their way to listeners. These mostly wait for the database, whose commits they share.
pub const EVENTS: Lane = Lane::new("events", 32, "listener");

/// Jobs, of which each is in its lane once.
pub const JOBS: Lane = Lane::new("jobs", 16, "job");

/// Mails on their way to the mail server.
pub const MAIL: Lane = Lane::new("mail", 4, "delivery");
