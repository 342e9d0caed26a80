//! Where a body stands among those that are kept.

use std::hash::Hasher;

use siphasher::sip128::{Hasher128, SipHasher13};

use stoa_kernel::random::Random;

/// Where the body of a slug stands as of a version of the catalog.
///
/// Nothing is compared behind it: with a key that nobody knows, no two slugs come to the same 128 bits. So the slug need not be
/// kept beside the body, where comparing it would wait for memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Place(u128);

/// Makes places, with a key of its own.
pub(super) struct Places {
    hasher: SipHasher13,
}

impl Places {
    pub(super) fn new(random: &Random) -> Self {
        Self { hasher: SipHasher13::new_with_key(&random.bytes()) }
    }

    pub(super) fn of(&self, version: i64, slug: &str) -> Place {
        let mut hasher = self.hasher;
        hasher.write(&version.to_le_bytes());
        hasher.write(slug.as_bytes());
        Place(hasher.finish128().as_u128())
    }
}
