//! The bodies that are in memory, and which of them are let go of when it is full.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use dashmap::DashMap;
use foldhash::fast::RandomState;

use stoa_kernel::random::Random;

use super::key::{CacheKey, CacheKeyHasher};
use super::segments::{CacheSegments, Resident};
use super::{CACHE_LINE, ProductBody};
use crate::answers::Tag;

/// A body under its key.
struct Entry {
    answer: Bytes,
    tag: Tag,
    /// Whether somebody has asked for it since it came into its segment.
    asked_for: AtomicBool,
}

// All that finding a body waits for.
const _: () = assert!(size_of::<(CacheKey, Entry)>() <= CACHE_LINE, "an entry fits into a cache line");

impl Entry {
    fn new(ProductBody { answer, tag, .. }: ProductBody) -> Self {
        Self { answer, tag, asked_for: AtomicBool::new(false) }
    }

    fn body(&self) -> ProductBody {
        ProductBody { answer: self.answer.clone(), tag: self.tag, is_live: false }
    }

    fn ask(&self) -> ProductBody {
        // Written once only: a line that is not written to stays in the caches of all processors.
        if !self.asked_for.load(Ordering::Relaxed) {
            self.asked_for.store(true, Ordering::Relaxed);
        }
        self.body()
    }
}

/// Finds bodies by slug, and by id for lists, which are kept themselves and ask for them less often.
pub(super) struct CacheEntries {
    hasher: CacheKeyHasher,
    bodies: DashMap<CacheKey, Entry, RandomState>,
    by_id: DashMap<(i64, i64), CacheKey, RandomState>,
    segments: Mutex<CacheSegments>,
}

impl CacheEntries {
    /// Keeps bodies that cost up to so many bytes.
    pub(super) fn new(bytes: u64, random: &Random) -> Self {
        Self {
            hasher: CacheKeyHasher::new(random),
            bodies: DashMap::default(),
            by_id: DashMap::default(),
            segments: Mutex::new(CacheSegments::new(bytes)),
        }
    }

    pub(super) fn of_slug(&self, version: i64, slug: &str) -> Option<ProductBody> {
        self.bodies.get(&self.hasher.of(version, slug)).map(|entry| entry.ask())
    }

    pub(super) fn of_id(&self, version: i64, id: i64) -> Option<ProductBody> {
        let key = *self.by_id.get(&(version, id))?;
        self.bodies.get(&key).map(|entry| entry.ask())
    }

    /// Keeps a copy of the body, and lets go of the oldest if they become too many.
    pub(super) fn put(&self, version: i64, product_id: i64, slug: &str, body: &ProductBody) {
        let key = self.hasher.of(version, slug);
        let mut segments = self.segments();
        if !segments.takes(body.answer.len()) {
            // What may be there is older.
            self.bodies.remove(&key);
            self.by_id.remove(&(version, product_id));
            return;
        }
        self.add(&mut segments, Resident { key, version, product_id }, body);
        while let Some(residents) = segments.evict() {
            self.evict(&mut segments, residents);
        }
    }

    fn add(&self, segments: &mut CacheSegments, resident: Resident, body: &ProductBody) {
        self.by_id.insert((resident.version, resident.product_id), resident.key);
        let key = resident.key;
        let answer = segments.add(resident, &body.answer);
        self.bodies.insert(key, Entry::new(ProductBody { answer, ..*body }));
    }

    /// Forgets these bodies, whose segment goes. Those that were asked for since come into the open segment, but only until they
    /// fill half of one, so that there is more room afterwards in any case.
    fn evict(&self, segments: &mut CacheSegments, residents: Vec<Resident>) {
        let mut stay = segments.usual_size() / 2;
        for resident in residents {
            let gone = self.bodies.remove(&resident.key).map(|(_, entry)| entry);
            match gone.filter(|entry| entry.asked_for.load(Ordering::Relaxed) && entry.answer.len() <= stay) {
                Some(entry) => {
                    stay -= entry.answer.len();
                    self.add(segments, resident, &entry.body());
                }
                None => drop(self.by_id.remove(&(resident.version, resident.product_id))),
            }
        }
    }

    /// Lets go of everything.
    pub(super) fn clear(&self) {
        let mut segments = self.segments();
        self.bodies.clear();
        self.by_id.clear();
        segments.clear();
    }

    #[cfg(test)]
    pub(super) fn cost(&self) -> u64 {
        self.segments().cost()
    }

    fn segments(&self) -> MutexGuard<'_, CacheSegments> {
        self.segments.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
