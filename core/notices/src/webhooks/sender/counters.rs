//! What a process has sent, for its metrics.

use std::sync::atomic::{AtomicU64, Ordering};

/// Attempts of this process by what became of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SendCounts {
    /// Attempts that delivered.
    pub delivered: u64,
    /// Attempts after which another one is made.
    pub retried: u64,
    /// Attempts that were the last one, without delivering.
    pub given_up: u64,
    /// Attempts whose lease had passed to somebody else before they ended.
    pub lost_leases: u64,
}

#[derive(Debug, Default)]
pub(super) struct Counters {
    pub(super) delivered: AtomicU64,
    pub(super) retried: AtomicU64,
    pub(super) given_up: AtomicU64,
    pub(super) lost_leases: AtomicU64,
}

impl Counters {
    pub(super) fn read(&self) -> SendCounts {
        SendCounts {
            delivered: self.delivered.load(Ordering::Relaxed),
            retried: self.retried.load(Ordering::Relaxed),
            given_up: self.given_up.load(Ordering::Relaxed),
            lost_leases: self.lost_leases.load(Ordering::Relaxed),
        }
    }
}
