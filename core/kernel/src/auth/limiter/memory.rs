//! Windows in memory, of this instance alone.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::key::Key;
use super::{Count, Counted, Outcome};
use crate::config::RateLimit;

/// Keys are spread over this many locks.
const SHARDS: usize = 32;

/// A shard with fewer keys than this is not cleared of windows that are over.
const LEAST_SWEPT: usize = 4096;

/// How much longer than a window may be left of it, since those who count at once have read the clock in any order.
const SLACK_MS: i64 = 1000;

#[derive(Debug, Clone, Copy)]
struct Window {
    ends_at_ms: i64,
    /// Requests, or attempts that failed or are undecided.
    count: u64,
    /// Attempts among them that are undecided.
    undecided: u64,
}

struct Shard {
    windows: HashMap<Key, Window>,
    /// With how many keys it is looked through for windows that are over: twice as many as were left the last time, so that
    /// looking costs each request the same however many keys there are.
    sweep_at: usize,
}

impl Default for Shard {
    fn default() -> Self {
        Self { windows: HashMap::new(), sweep_at: LEAST_SWEPT }
    }
}

impl Shard {
    fn sweep(&mut self, now_ms: i64) {
        self.windows.retain(|_, window| window.ends_at_ms > now_ms);
        self.sweep_at = (self.windows.len() * 2).max(LEAST_SWEPT);
        self.windows.shrink_to(self.sweep_at);
    }
}

pub(super) struct MemoryWindows {
    shards: Vec<Mutex<Shard>>,
    hasher: RandomState,
}

impl Default for MemoryWindows {
    fn default() -> Self {
        Self { shards: (0..SHARDS).map(|_| Mutex::default()).collect(), hasher: RandomState::new() }
    }
}

impl MemoryWindows {
    /// Counts one request or attempt.
    pub(super) fn count(&self, key: &Key, limit: RateLimit, counted: Counted, now_ms: i64) -> Count {
        let mut shard = self.shard(key);
        if shard.windows.len() >= shard.sweep_at {
            shard.sweep(now_ms);
        }
        let fresh = Window { ends_at_ms: now_ms.saturating_add(limit.window_ms()), count: 0, undecided: 0 };
        let window = shard.windows.entry(key.clone()).or_insert(fresh);
        // A clock that is set back must not keep clients out until it comes there again.
        let is_beyond = window.ends_at_ms - now_ms > limit.window_ms().saturating_add(SLACK_MS);
        if window.ends_at_ms <= now_ms || is_beyond {
            *window = fresh;
        }
        let allowed = u64::from(limit.requests);
        if window.count >= allowed {
            let wait_ms = window.ends_at_ms - now_ms;
            return match counted {
                Counted::Attempt if window.undecided > 0 => Count::Undecided { wait_ms },
                Counted::Attempt | Counted::Request => Count::Refused { wait_ms },
            };
        }
        window.count += 1;
        if counted == Counted::Attempt {
            window.undecided += 1;
        }
        Count::Admitted { remaining: allowed - window.count, ends_at_ms: window.ends_at_ms }
    }

    /// Decides an attempt that was counted in the window with this end.
    pub(super) fn decide(&self, key: &Key, ends_at_ms: i64, outcome: Outcome) {
        let mut shard = self.shard(key);
        let Some(window) = shard.windows.get_mut(key).filter(|window| window.ends_at_ms == ends_at_ms) else { return };
        window.undecided = window.undecided.saturating_sub(1);
        match outcome {
            Outcome::Failed => {}
            Outcome::Succeeded => window.count = window.undecided,
            Outcome::Unknown => window.count = window.count.saturating_sub(1),
        }
        if window.count == 0 {
            shard.windows.remove(key);
        }
    }

    /// Ends a key's window.
    pub(super) fn forget(&self, key: &Key) {
        self.shard(key).windows.remove(key);
    }

    fn shard(&self, key: &Key) -> MutexGuard<'_, Shard> {
        let number = usize::try_from(self.hasher.hash_one(key) % SHARDS as u64).unwrap_or(0);
        self.shards[number].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::LimitClass;

    const LIMIT: RateLimit = RateLimit { requests: 2, per_seconds: 60 };

    fn count(windows: &MemoryWindows, user: i64, now_ms: i64) -> Count {
        windows.count(&Key::User(LimitClass::Protected, user), LIMIT, Counted::Request, now_ms)
    }

    fn keys(windows: &MemoryWindows) -> usize {
        windows.shards.iter().map(|shard| shard.lock().expect("nobody panics").windows.len()).sum()
    }

    #[test]
    fn a_million_keys_are_counted_as_quickly_as_a_few() {
        let windows = MemoryWindows::default();
        for user in 0..1_000_000 {
            count(&windows, user, 0);
        }
        assert_eq!(keys(&windows), 1_000_000);
        // Looked through with 4096, 8192 … keys: never again before there are twice as many.
        let next = windows.shards.iter().map(|shard| shard.lock().expect("nobody panics").sweep_at).min();
        assert!(
            next.is_some_and(|next| next > 1_000_000 / SHARDS),
            "each further key would look through all: {next:?}"
        );
        count(&windows, 7, 1);
        assert!(matches!(count(&windows, 7, 2), Count::Refused { .. }), "nobody is forgotten");
    }

    #[test]
    fn windows_that_are_over_are_cleared_away() {
        let windows = MemoryWindows::default();
        for user in 0..500_000 {
            count(&windows, user, 0);
        }
        for user in 500_000..1_100_000 {
            count(&windows, user, 60_000);
        }
        assert!(keys(&windows) < 900_000, "{} keys are kept", keys(&windows));
    }
}
