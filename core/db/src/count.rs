//! How many statements were run, for tests of what must not grow with the data.

#[cfg(feature = "testing")]
use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

/// Counts the statements of a database handle and its clones; outside of tests, nothing.
#[derive(Clone, Default)]
pub(super) struct StatementCount {
    #[cfg(feature = "testing")]
    count: Arc<AtomicU64>,
}

impl StatementCount {
    /// Counts one more.
    #[cfg_attr(not(feature = "testing"), expect(clippy::unused_self, reason = "nothing is counted outside of tests"))]
    pub(super) fn add(&self) {
        #[cfg(feature = "testing")]
        self.count.fetch_add(1, Ordering::Relaxed);
    }
}

#[cfg(feature = "testing")]
impl super::Database {
    /// How many statements this handle and its clones have run, besides those that begin and end transactions.
    pub fn statements(&self) -> u64 {
        self.count.count.load(Ordering::Relaxed)
    }
}
