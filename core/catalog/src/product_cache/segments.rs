//! The memory of the bodies: long pieces that are filled one after another and let go of as a whole.
//!
//! A body of its own piece would cost the memory manager's notes, and a count of its users that the processor has to fetch before it
//! may hand the body on. The bodies of a segment share that count.

use std::collections::VecDeque;

use bytes::{Bytes, BytesMut};

use super::key::CacheKey;

/// Bytes of a segment, where there is room for many. An answer that a client does not take holds the whole of its segment.
const USUAL_SIZE: usize = 64 * 1024;

/// How many segments there are at least, so that letting go of one is letting go of little.
const FEWEST: u64 = 32;

/// Bytes of a small body. A segment takes no more bodies than it would take of such.
const SMALL: usize = 128;

/// What knowing a body costs besides its bytes.
const OVERHEAD: u64 = 200;

/// A body in a segment: its key, and what lists ask for it by.
pub(super) struct Resident {
    pub(super) key: CacheKey,
    pub(super) version: i64,
    pub(super) product_id: i64,
}

#[derive(Default)]
struct Segment {
    free: BytesMut,
    size: usize,
    residents: Vec<Resident>,
}

impl Segment {
    fn new(size: usize) -> Self {
        Self { free: BytesMut::with_capacity(size), size, residents: Vec::new() }
    }

    fn add(&mut self, resident: Resident, content: &[u8]) -> Bytes {
        self.residents.push(resident);
        self.free.extend_from_slice(content);
        self.free.split().freeze()
    }

    fn has_room_for(&self, length: usize) -> bool {
        self.free.capacity() >= length && self.residents.len() < self.size / SMALL
    }

    fn cost(&self) -> u64 {
        self.size as u64 + self.residents.len() as u64 * OVERHEAD
    }
}

/// All segments, the oldest first.
pub(super) struct CacheSegments {
    /// Bytes that all of it may cost.
    room: u64,
    usual_size: usize,
    largest_size: usize,
    cost_of_full: u64,
    full: VecDeque<Segment>,
    open: Segment,
}

impl CacheSegments {
    /// Segments that cost up to so many bytes.
    pub(super) fn new(room: u64) -> Self {
        let share = usize::try_from(room / FEWEST).unwrap_or(usize::MAX);
        Self {
            room,
            usual_size: share.min(USUAL_SIZE),
            largest_size: share,
            cost_of_full: 0,
            full: VecDeque::new(),
            open: Segment::default(),
        }
    }

    pub(super) fn usual_size(&self) -> usize {
        self.usual_size
    }

    /// Whether content of this length is kept at all. One that would displace much of the rest is not.
    pub(super) fn takes(&self, length: usize) -> bool {
        length <= self.largest_size
    }

    /// Copies the content into the open segment, after opening a new one if it is full; what is longer than a usual segment gets
    /// one of its own.
    pub(super) fn add(&mut self, resident: Resident, content: &[u8]) -> Bytes {
        if content.len() > self.usual_size {
            let mut own = Segment::new(content.len());
            let added = own.add(resident, content);
            self.close(own);
            return added;
        }
        if !self.open.has_room_for(content.len()) {
            let full = std::mem::replace(&mut self.open, Segment::new(self.usual_size));
            self.close(full);
        }
        self.open.add(resident, content)
    }

    fn close(&mut self, full: Segment) {
        self.cost_of_full += full.cost();
        self.full.push_back(full);
    }

    /// The bodies of the oldest segment, which is let go of, while all together cost more than there is room.
    pub(super) fn evict(&mut self) -> Option<Vec<Resident>> {
        if self.cost() <= self.room {
            return None;
        }
        let oldest = self.full.pop_front()?;
        self.cost_of_full -= oldest.cost();
        Some(oldest.residents)
    }

    /// Bytes that all of it costs.
    pub(super) fn cost(&self) -> u64 {
        self.cost_of_full + self.open.cost()
    }

    /// Lets go of everything.
    pub(super) fn clear(&mut self) {
        self.full.clear();
        self.cost_of_full = 0;
        self.open = Segment::default();
    }
}
