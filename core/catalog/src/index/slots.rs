//! Sets of slots: as the index keeps them, and as a search adds them up.

/// A set of at most this many slots stays a list.
const SHORT: usize = 64;

/// A set of slots as the index keeps it, in whichever form is smaller.
///
/// There are tens of thousands of these, most with a few slots, for which a `RoaringBitmap` takes
/// ten times the memory.
#[derive(Debug)]
pub(super) enum Slots {
    /// A sorted list.
    Few(Vec<u32>),
    /// One bit for each slot, and how many are set.
    Many { bits: Vec<u64>, count: usize },
}

impl Default for Slots {
    fn default() -> Self {
        Self::NONE
    }
}

impl Slots {
    pub(super) const NONE: Self = Self::Few(Vec::new());

    pub(super) fn insert(&mut self, slot: u32) {
        match self {
            Self::Few(list) => {
                match list.last() {
                    Some(last) if *last >= slot => {
                        let Err(position) = list.binary_search(&slot) else { return };
                        make_room(list, 1);
                        list.insert(position, slot);
                    }
                    _ => {
                        make_room(list, 1);
                        list.push(slot);
                    }
                }
                if list.len() > SHORT && list.len() * 32 > list[list.len() - 1] as usize {
                    *self = Self::many(list);
                }
            }
            Self::Many { bits, count } => {
                let (word, bit) = position(slot);
                if word >= bits.capacity() && *count < word {
                    // Since there were many of them, they have become sparse.
                    *self = Self::few(bits);
                    return self.insert(slot);
                }
                if word >= bits.len() {
                    make_room(bits, word + 1 - bits.len());
                    bits.resize(word + 1, 0);
                }
                *count += usize::from(bits[word] & bit == 0);
                bits[word] |= bit;
            }
        }
    }

    pub(super) fn remove(&mut self, slot: u32) {
        match self {
            Self::Few(list) => {
                if let Ok(position) = list.binary_search(&slot) {
                    list.remove(position);
                }
            }
            Self::Many { bits, count } => {
                let (word, bit) = position(slot);
                if let Some(word) = bits.get_mut(word).filter(|word| **word & bit != 0) {
                    *word &= !bit;
                    *count -= 1;
                }
                if *count < SHORT / 2 {
                    *self = Self::few(bits);
                }
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Few(list) => list.len(),
            Self::Many { count, .. } => *count,
        }
    }

    fn many(list: &[u32]) -> Self {
        let mut bits = Bits::default();
        for slot in list {
            bits.insert(*slot);
        }
        Self::Many { bits: bits.0, count: list.len() }
    }

    fn few(bits: &[u64]) -> Self {
        Self::Few(set_bits(bits).collect())
    }
}

/// Makes room as `Vec::push` does, but by a fourth instead of twice: most sets stay as they are.
fn make_room<T>(list: &mut Vec<T>, more: usize) {
    if list.len() + more > list.capacity() {
        list.reserve_exact(more.max(list.len() / 4));
    }
}

/// The word of 64 bits that a slot is in, and its bit there.
fn position(slot: u32) -> (usize, u64) {
    (slot as usize / 64, 1 << (slot % 64))
}

/// A set of slots or other numbers that a search adds up: one bit for each.
#[derive(Debug, Default)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    /// None, but with room for so many.
    pub(super) fn none(room: usize) -> Self {
        Self(vec![0; room.div_ceil(64)])
    }

    /// At least so many.
    pub(super) fn all(room: usize) -> Self {
        Self(vec![u64::MAX; room.div_ceil(64)])
    }

    /// Adds one, making room for it.
    pub(super) fn insert(&mut self, slot: u32) {
        let (word, bit) = position(slot);
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= bit;
    }

    pub(super) fn remove(&mut self, slot: u32) {
        let (word, bit) = position(slot);
        if let Some(word) = self.0.get_mut(word) {
            *word &= !bit;
        }
    }

    pub(super) fn contains(&self, slot: u32) -> bool {
        let (word, bit) = position(slot);
        self.0.get(word).is_some_and(|word| word & bit != 0)
    }

    /// Adds those for which there is room.
    pub(super) fn add(&mut self, slots: &Slots) {
        match slots {
            Slots::Few(list) => {
                for slot in list {
                    let (word, bit) = position(*slot);
                    if let Some(word) = self.0.get_mut(word) {
                        *word |= bit;
                    }
                }
            }
            Slots::Many { bits, .. } => {
                for (mine, others) in self.0.iter_mut().zip(bits) {
                    *mine |= others;
                }
            }
        }
    }

    /// Keeps those that are in `slots`.
    pub(super) fn retain(&mut self, slots: &Slots) {
        match slots {
            Slots::Few(list) => {
                let mut kept = Self::none(self.0.len() * 64);
                for slot in list.iter().filter(|slot| self.contains(**slot)) {
                    kept.insert(*slot);
                }
                *self = kept;
            }
            Slots::Many { bits, .. } => self.keep_words(bits),
        }
    }

    /// Keeps those that are in both.
    pub(super) fn keep_bits(&mut self, other: &Self) {
        self.keep_words(&other.0);
    }

    fn keep_words(&mut self, words: &[u64]) {
        self.0.truncate(words.len());
        for (mine, others) in self.0.iter_mut().zip(words) {
            *mine &= others;
        }
    }

    pub(super) fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = u32> {
        set_bits(&self.0)
    }
}

fn set_bits(words: &[u64]) -> impl Iterator<Item = u32> {
    (0_u32..).step_by(64).zip(words).flat_map(|(first, word)| {
        let mut rest = *word;
        std::iter::from_fn(move || {
            let bit = rest.trailing_zeros();
            rest &= rest.wrapping_sub(1);
            (bit < 64).then(|| first + bit)
        })
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn listed(slots: &Slots) -> Vec<u32> {
        let mut bits = Bits::none(100_000);
        bits.add(slots);
        bits.iter().collect()
    }

    fn slots(from: impl IntoIterator<Item = u32>) -> Slots {
        let mut slots = Slots::default();
        from.into_iter().for_each(|slot| slots.insert(slot));
        slots
    }

    proptest! {
        #[test]
        fn slots_are_a_set(
            changes in prop::collection::vec((any::<bool>(), prop_oneof![0_u32..300, 0_u32..90_000]), 0..600),
            dense in 0_u32..200,
        ) {
            let mut expected = (0..dense).collect::<BTreeSet<_>>();
            let mut slots = slots(0..dense);
            for (insert, slot) in changes {
                if insert {
                    slots.insert(slot);
                    expected.insert(slot);
                } else {
                    slots.remove(slot);
                    expected.remove(&slot);
                }
                prop_assert_eq!(slots.len(), expected.len());
            }
            prop_assert_eq!(listed(&slots), expected.into_iter().collect::<Vec<_>>());
        }

        #[test]
        fn keeping_intersects(
            these in prop::collection::btree_set(0_u32..400, 0..300),
            those in prop::collection::btree_set(0_u32..400, 0..300),
        ) {
            let mut bits = Bits::none(400);
            bits.add(&slots(these.iter().copied()));
            bits.retain(&slots(those.iter().copied()));
            let both = these.intersection(&those).copied().collect::<Vec<_>>();
            prop_assert_eq!(bits.count(), both.len());
            prop_assert_eq!(bits.iter().collect::<Vec<_>>(), both);
        }
    }

    #[test]
    fn the_smaller_form_is_chosen() {
        assert!(matches!(slots(0..1_000), Slots::Many { .. }), "every slot");
        assert!(matches!(slots((0..1_000).map(|slot| slot * 100)), Slots::Few(_)), "one of a hundred");
        let became_sparse = slots((0..1_000).chain((1..1_000).map(|slot| slot * 1_000)));
        assert!(matches!(became_sparse, Slots::Few(_)), "frequent at first");
    }

    #[test]
    fn slots_beyond_the_room_are_left_out() {
        let mut bits = Bits::none(64);
        bits.add(&slots([1, 63, 64, 5_000]));
        assert_eq!(bits.iter().collect::<Vec<_>>(), [1, 63]);
    }
}
