//! What is told of statements: a span of each, and a line of those that take long.

use std::time::{Duration, Instant};

use tracing::Instrument;
use tracing::field::Empty;

use super::{DbError, Sql};

/// Tells of statements that take longer than this.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct StatementWatch(pub(super) Option<Duration>);

impl StatementWatch {
    /// Watches one statement; `rows` says how many it has given or changed.
    pub(super) async fn over<T>(
        self,
        sql: Sql,
        work: impl Future<Output = Result<T, DbError>>,
        rows: impl FnOnce(&T) -> u64,
    ) -> Result<T, DbError> {
        let span = tracing::debug_span!("statement", file = sql.file, line = sql.line, rows = Empty);
        let started = self.0.map(|slow| (slow, Instant::now()));
        let done = work.instrument(span.clone()).await;
        let slow = started.map(|(slow, started)| (slow, started.elapsed())).filter(|(slow, took)| took >= slow);
        if let Ok(value) = &done
            && (slow.is_some() || !span.is_disabled())
        {
            let rows = rows(value);
            span.record("rows", rows);
            if let Some((_, took)) = slow {
                let duration_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
                tracing::warn!(file = sql.file, line = sql.line, rows, duration_ms, "a statement took long");
            }
        }
        done
    }
}
