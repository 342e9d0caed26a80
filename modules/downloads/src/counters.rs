//! What this instance has sent, for the metrics.

use std::sync::atomic::{AtomicI64, Ordering};

/// Transfers and bytes since the start.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    started: AtomicI64,
    failed: AtomicI64,
    sent_bytes: AtomicI64,
}

impl Counters {
    /// A transfer begins.
    pub(crate) fn started(&self) {
        self.started.fetch_add(1, Ordering::Relaxed);
    }

    /// A file could not be read.
    pub(crate) fn failed(&self) {
        self.failed.fetch_add(1, Ordering::Relaxed);
    }

    /// Bytes were handed to the server.
    pub(crate) fn sent(&self, bytes: usize) {
        self.sent_bytes.fetch_add(i64::try_from(bytes).unwrap_or(i64::MAX), Ordering::Relaxed);
    }

    /// Transfers, failures and bytes.
    pub(crate) fn values(&self) -> (i64, i64, i64) {
        let value = |counter: &AtomicI64| counter.load(Ordering::Relaxed);
        (value(&self.started), value(&self.failed), value(&self.sent_bytes))
    }
}
