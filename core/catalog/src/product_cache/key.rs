//! The key of a body in the cache.

use std::hash::Hasher;

use siphasher::sip128::{Hasher128, SipHasher13};

use stoa_kernel::random::Random;

/// Names the body of a slug as of a version of the catalog.
///
/// Nothing is compared behind it: with a secret that nobody knows, no two slugs come to the same 128 bits. So the slug need not be
/// kept beside the body, where comparing it would wait for memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct CacheKey(u128);

/// Makes keys, with a secret of its own.
pub(super) struct CacheKeyHasher {
    hasher: SipHasher13,
}

impl CacheKeyHasher {
    pub(super) fn new(random: &Random) -> Self {
        Self { hasher: SipHasher13::new_with_key(&random.bytes()) }
    }

    pub(super) fn of(&self, version: i64, slug: &str) -> CacheKey {
        let mut hasher = self.hasher;
        hasher.write(&version.to_le_bytes());
        hasher.write(slug.as_bytes());
        CacheKey(hasher.finish128().as_u128())
    }
}
