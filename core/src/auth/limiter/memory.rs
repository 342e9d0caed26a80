//! Windows in memory, of this instance alone.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Count;
use super::key::Key;
use crate::config::RateLimit;

/// Keys are spread over this many locks.
const SHARDS: usize = 32;

/// A shard with more keys than this is cleared of windows that are over.
const SHARD_SWEEP: usize = 4096;

#[derive(Debug, Clone, Copy)]
struct Window {
    ends_at_ms: i64,
    count: u64,
}

pub(super) struct MemoryWindows {
    shards: Vec<Mutex<HashMap<Key, Window>>>,
    hasher: RandomState,
}

impl Default for MemoryWindows {
    fn default() -> Self {
        Self { shards: (0..SHARDS).map(|_| Mutex::default()).collect(), hasher: RandomState::new() }
    }
}

impl MemoryWindows {
    /// Counts one request.
    pub(super) fn count(&self, key: Key, limit: RateLimit, now_ms: i64) -> Count {
        let mut shard = self.shard(&key);
        if shard.len() >= SHARD_SWEEP {
            shard.retain(|_, window| window.ends_at_ms > now_ms);
        }
        let fresh = Window { ends_at_ms: now_ms.saturating_add(limit.window_ms()), count: 0 };
        let window = shard.entry(key).or_insert(fresh);
        if window.ends_at_ms <= now_ms {
            *window = fresh;
        }
        let allowed = u64::from(limit.requests);
        if window.count >= allowed {
            return Count::Refused { wait_ms: window.ends_at_ms - now_ms };
        }
        window.count += 1;
        Count::Admitted { remaining: allowed - window.count }
    }

    /// Ends a key's window.
    pub(super) fn forget(&self, key: &Key) {
        self.shard(key).remove(key);
    }

    fn shard(&self, key: &Key) -> MutexGuard<'_, HashMap<Key, Window>> {
        let number = usize::try_from(self.hasher.hash_one(key) % SHARDS as u64).unwrap_or(0);
        self.shards[number].lock().unwrap_or_else(PoisonError::into_inner)
    }
}
