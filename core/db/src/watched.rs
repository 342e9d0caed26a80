//! What is told of statements: a span of each, and a line of those that take long.

use std::time::{Duration, Instant};

use tracing::field::Empty;
use tracing::{Instrument, Span};

use super::fetch::Fetched;
use super::{DbError, Sql};

/// Tells of statements that take longer than this.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct StatementWatch(pub(super) Option<Duration>);

impl StatementWatch {
    /// Watches one statement.
    pub(super) async fn over(
        self,
        sql: Sql,
        work: impl Future<Output = Result<Fetched, DbError>>,
    ) -> Result<Fetched, DbError> {
        let span = tracing::debug_span!("statement", file = sql.file, line = sql.line, rows = Empty);
        let started = self.0.map(|slow| (slow, Instant::now()));
        let fetched = work.instrument(span.clone()).await?;
        tell(sql, &span, started, &fetched);
        Ok(fetched)
    }
}

fn tell(sql: Sql, span: &Span, started: Option<(Duration, Instant)>, fetched: &Fetched) {
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
