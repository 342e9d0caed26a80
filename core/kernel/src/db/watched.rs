//! What is told of statements: a span of each, and a line of those that take long.

use std::time::{Duration, Instant};

use futures_util::FutureExt;
use tracing::field::Empty;
use tracing::{Instrument, Span};

use super::{DbError, Sql};

/// Tells of statements that take longer than this.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct StatementWatch(pub(super) Option<Duration>);

impl StatementWatch {
    /// Watches one statement; `rows` says how many it has given or changed. No `async` block: it would hold the work twice, and a
    /// statement is part of nearly every future that there is.
    pub(super) fn over<T>(
        self,
        sql: Sql,
        work: impl Future<Output = Result<T, DbError>>,
        rows: impl FnOnce(&T) -> u64,
    ) -> impl Future<Output = Result<T, DbError>> {
        let span = tracing::debug_span!("statement", file = sql.file, line = sql.line, rows = Empty);
        let started = self.0.map(|slow| (slow, Instant::now()));
        work.instrument(span.clone()).map(move |done| {
            if let Ok(value) = &done {
                tell(sql, &span, started, || rows(value));
            }
            done
        })
    }
}

fn tell(sql: Sql, span: &Span, started: Option<(Duration, Instant)>, rows: impl FnOnce() -> u64) {
    let slow = started.map(|(slow, started)| (slow, started.elapsed())).filter(|(slow, took)| took >= slow);
    if slow.is_none() && span.is_disabled() {
        return;
    }
    let rows = rows();
    span.record("rows", rows);
    if let Some((_, took)) = slow {
        let duration_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        tracing::warn!(file = sql.file, line = sql.line, rows, duration_ms, "a statement took long");
    }
}
