//! What a search has found, as places on the shelf.

use std::sync::Arc;

use super::slots::Bits;

/// Up to this many places are sorted at once; more are met while walking along the shelf.
const FEW: usize = 512;

/// Places on the shelf that a search has found, in order.
pub(crate) struct Places(Found);

enum Found {
    /// The places, sorted.
    Few(Vec<u32>),
    /// The slots, how many they are, and the slot at each place.
    Many { slots: Bits, count: usize, order: Arc<[u32]> },
}

impl Places {
    /// The places of slots that are all on the shelf.
    pub(super) fn new(slots: Bits, order: &Arc<[u32]>, place_of: &[u32]) -> Self {
        let count = slots.count();
        if count > FEW {
            return Self(Found::Many { slots, count, order: Arc::clone(order) });
        }
        let mut few = slots.iter().map(|slot| place_of[slot as usize]).collect::<Vec<_>>();
        few.sort_unstable();
        Self(Found::Few(few))
    }

    /// Those places for which `keep` holds.
    pub(crate) fn filter(self, keep: impl Fn(usize) -> bool) -> Self {
        let kept = self.iter().filter(|place| keep(*place)).filter_map(|place| u32::try_from(place).ok());
        Self(Found::Few(kept.collect()))
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        match &self.0 {
            Found::Few(few) => few.len(),
            Found::Many { count, .. } => *count,
        }
    }

    /// Up to `limit` of them, after the first `skip`.
    pub(crate) fn slice(&self, skip: usize, limit: usize) -> Vec<usize> {
        let limit = limit.min(self.count().saturating_sub(skip));
        self.iter().skip(skip).take(limit).collect()
    }

    fn iter(&self) -> Box<dyn Iterator<Item = usize> + '_> {
        match &self.0 {
            Found::Few(few) => Box::new(few.iter().map(|place| *place as usize)),
            Found::Many { slots, order, .. } => {
                Box::new((0..).zip(order.iter()).filter(|(_, slot)| slots.contains(**slot)).map(|(place, _)| place))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every second slot of so many, on a shelf whose order is the reverse of that of the slots.
    fn every_second(slots: u32) -> Places {
        let order = (0..slots).rev().collect::<Arc<[u32]>>();
        let mut found = Bits::none(slots as usize);
        (0..slots).step_by(2).for_each(|slot| found.insert(slot));
        Places::new(found, &order, &order)
    }

    #[test]
    fn few_and_many_are_paged_alike() {
        for slots in [1_000, 4_000] {
            let places = every_second(slots);
            let all = (0..slots as usize).filter(|place| place % 2 == 1).collect::<Vec<_>>();
            assert_eq!(places.count(), all.len());
            assert_eq!(places.slice(0, usize::MAX), all);
            assert_eq!(places.slice(64, 3), all[64..67]);
            assert_eq!(places.slice(all.len() - 2, 24), all[all.len() - 2..]);
            assert_eq!(places.slice(all.len(), 24), Vec::<usize>::new());
            assert_eq!(places.slice(usize::MAX, 24), Vec::<usize>::new());
        }
    }

    #[test]
    fn few_and_many_are_filtered_alike() {
        for slots in [1_000, 4_000] {
            let kept = every_second(slots).filter(|place| place < 10);
            assert_eq!((kept.count(), kept.slice(0, 24)), (5, vec![1, 3, 5, 7, 9]));
        }
    }
}
