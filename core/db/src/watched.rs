//! What is told of statements: a span of each, and a line of those that take long.

use std::time::{Duration, Instant};

use tracing::Span;
use tracing::field::Empty;

use super::Sql;
use super::fetch::Fetched;

/// Tells of statements that take longer than this.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct StatementWatch(pub(super) Option<Duration>);

impl StatementWatch {
    /// Watches one statement.
    pub(super) fn begin(self, sql: Sql) -> Watched {
        Watched {
            sql,
            span: tracing::debug_span!("statement", file = sql.file, line = sql.line, rows = Empty),
            started: self.0.map(|slow| (slow, Instant::now())),
        }
    }
}

/// A statement that is being run.
pub(super) struct Watched {
    sql: Sql,
    pub(super) span: Span,
    started: Option<(Duration, Instant)>,
}

impl Watched {
    /// Tells of it, now that it is done.
    pub(super) fn end(self, fetched: &Fetched) {
        let Self { sql, span, started } = self;
        let slow = started.map(|(slow, started)| (slow, started.elapsed())).filter(|(slow, took)| took >= slow);
        if slow.is_none() && span.is_disabled() {
            return;
        }
        let rows = fetched.count();
        span.record("rows", rows);
        if let Some((_, took)) = slow {
            let duration_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
            tracing::warn!(file = sql.file, line = sql.line, rows, duration_ms, "a statement took long");
        }
    }
}
