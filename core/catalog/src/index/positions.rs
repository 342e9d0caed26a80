//! What a search has found, as positions in the listing.

use std::sync::Arc;

use super::slots::Bits;

/// Up to this many positions are sorted at once; more are met while walking along the listing.
const FEW: usize = 512;

/// Positions in the listing that a search has found, in order.
pub(crate) struct Positions(PositionSet);

enum PositionSet {
    /// The positions, sorted.
    Few(Vec<u32>),
    /// The slots, how many they are, and the slot at each position.
    Many { slots: Bits, count: usize, order: Arc<[u32]> },
}

impl Positions {
    /// The positions of slots that are all in the listing.
    pub(super) fn new(slots: Bits, order: &Arc<[u32]>, position_of: &[u32]) -> Self {
        let count = slots.count();
        if count > FEW {
            return Self(PositionSet::Many { slots, count, order: Arc::clone(order) });
        }
        let mut few = slots.iter().map(|slot| position_of[slot as usize]).collect::<Vec<_>>();
        few.sort_unstable();
        Self(PositionSet::Few(few))
    }

    /// Those positions for which `keep` holds.
    pub(crate) fn filter(self, keep: impl Fn(usize) -> bool) -> Self {
        let kept = self.iter().filter(|position| keep(*position)).filter_map(|position| u32::try_from(position).ok());
        Self(PositionSet::Few(kept.collect()))
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        match &self.0 {
            PositionSet::Few(few) => few.len(),
            PositionSet::Many { count, .. } => *count,
        }
    }

    /// Up to `limit` of them, after the first `skip`.
    pub(crate) fn slice(&self, skip: usize, limit: usize) -> Vec<usize> {
        let limit = limit.min(self.count().saturating_sub(skip));
        self.iter().skip(skip).take(limit).collect()
    }

    fn iter(&self) -> Box<dyn Iterator<Item = usize> + '_> {
        match &self.0 {
            PositionSet::Few(few) => Box::new(few.iter().map(|position| *position as usize)),
            PositionSet::Many { slots, order, .. } => Box::new(
                (0..).zip(order.iter()).filter(|(_, slot)| slots.contains(**slot)).map(|(position, _)| position),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every second slot of so many, in a listing whose order is the reverse of that of the slots.
    fn every_second(slots: u32) -> Positions {
        let order = (0..slots).rev().collect::<Arc<[u32]>>();
        let mut found = Bits::none(slots as usize);
        (0..slots).step_by(2).for_each(|slot| found.insert(slot));
        Positions::new(found, &order, &order)
    }

    #[test]
    fn few_and_many_are_paged_alike() {
        for slots in [1_000, 4_000] {
            let positions = every_second(slots);
            let all = (0..slots as usize).filter(|position| position % 2 == 1).collect::<Vec<_>>();
            assert_eq!(positions.count(), all.len());
            assert_eq!(positions.slice(0, usize::MAX), all);
            assert_eq!(positions.slice(64, 3), all[64..67]);
            assert_eq!(positions.slice(all.len() - 2, 24), all[all.len() - 2..]);
            assert_eq!(positions.slice(all.len(), 24), Vec::<usize>::new());
            assert_eq!(positions.slice(usize::MAX, 24), Vec::<usize>::new());
        }
    }

    #[test]
    fn few_and_many_are_filtered_alike() {
        for slots in [1_000, 4_000] {
            let kept = every_second(slots).filter(|position| position < 10);
            assert_eq!((kept.count(), kept.slice(0, 24)), (5, vec![1, 3, 5, 7, 9]));
        }
    }
}
