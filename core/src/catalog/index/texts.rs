//! An index of the shelf's texts for searching substrings.
//!
//! Each product has a slot, and each sequence of three bytes a bitmap of the slots whose text holds
//! it. A term of three bytes is answered by its bitmap, one of two by the union of all that begin
//! with it (texts end in a zero byte, so every pair begins one), a longer one by intersecting and
//! then looking into the texts that remain. No term, seen before or not, walks through all texts.

use std::collections::{BTreeMap, HashMap};

use memchr::memmem::Finder;
use roaring::RoaringBitmap;

use super::Shelf;

/// Stands between and after the searched fields; never part of a term.
const END: char = '\0';

/// The searched fields of a product, folded.
pub(in crate::catalog) struct TextsEntry<'a> {
    pub(in crate::catalog) product_id: i64,
    pub(in crate::catalog) name_folded: &'a str,
    pub(in crate::catalog) description_folded: &'a str,
    /// Whether all capabilities of the product are available (S4.2 rule 6).
    pub(in crate::catalog) available: bool,
}

/// Which products a search may find.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::catalog) enum Among {
    /// All visible ones.
    Visible,
    /// Those with all their capabilities available.
    Available,
}

/// The index of one instance.
#[derive(Default)]
pub(in crate::catalog) struct Texts {
    slot_of: HashMap<i64, u32>,
    contents: Vec<Box<[u8]>>,
    free: Vec<u32>,
    grams: BTreeMap<u32, RoaringBitmap>,
    available: RoaringBitmap,
    /// The place of each slot on the shelf; `NOT_ON_SHELF` for slots of products that left it.
    place_of: Vec<u32>,
}

const NOT_ON_SHELF: u32 = u32::MAX;

fn gram(bytes: &[u8]) -> u32 {
    u32::from(bytes[0]) << 16 | u32::from(bytes[1]) << 8 | u32::from(bytes[2])
}

fn distinct_grams(text: &[u8]) -> Vec<u32> {
    let mut grams = text.windows(3).map(gram).collect::<Vec<_>>();
    grams.sort_unstable();
    grams.dedup();
    grams
}

impl Texts {
    /// Adds a product, or replaces what was known of it.
    pub(in crate::catalog) fn put(&mut self, entry: &TextsEntry<'_>) {
        let text = format!("{}{END}{}{END}", entry.name_folded, entry.description_folded);
        let text = text.into_bytes().into_boxed_slice();
        let slot = match self.slot_of.get(&entry.product_id) {
            Some(slot) if *self.contents[*slot as usize] == *text => *slot,
            Some(slot) => {
                let slot = *slot;
                self.forget(slot);
                self.remember(slot, text);
                slot
            }
            None => {
                let slot = self.free.pop().unwrap_or_else(|| {
                    self.contents.push(Box::default());
                    u32::try_from(self.contents.len() - 1).expect("fewer than four billion products")
                });
                self.slot_of.insert(entry.product_id, slot);
                self.remember(slot, text);
                slot
            }
        };
        if entry.available {
            self.available.insert(slot);
        } else {
            self.available.remove(slot);
        }
    }

    fn remember(&mut self, slot: u32, text: Box<[u8]>) {
        for gram in distinct_grams(&text) {
            self.grams.entry(gram).or_default().insert(slot);
        }
        self.contents[slot as usize] = text;
    }

    fn forget(&mut self, slot: u32) {
        let text = std::mem::take(&mut self.contents[slot as usize]);
        for gram in distinct_grams(&text) {
            if let Some(slots) = self.grams.get_mut(&gram) {
                slots.remove(slot);
                if slots.is_empty() {
                    self.grams.remove(&gram);
                }
            }
        }
    }

    /// Takes over the order of a shelf; products that are no longer on it are dropped.
    pub(in crate::catalog) fn arrange(&mut self, shelf: &Shelf) {
        self.place_of.clear();
        self.place_of.resize(self.contents.len(), NOT_ON_SHELF);
        for (place, id) in shelf.all().iter().enumerate() {
            if let Some(slot) = self.slot_of.get(id) {
                self.place_of[*slot as usize] = u32::try_from(place).unwrap_or(NOT_ON_SHELF);
            }
        }
        let gone = self.slot_of.iter().filter(|(_, slot)| self.place_of[**slot as usize] == NOT_ON_SHELF);
        for (id, slot) in gone.map(|(id, slot)| (*id, *slot)).collect::<Vec<_>>() {
            self.forget(slot);
            self.available.remove(slot);
            self.slot_of.remove(&id);
            self.free.push(slot);
        }
    }

    /// Places on the shelf, in order, of the products whose text holds the folded `term`.
    pub(in crate::catalog) fn find(&self, term: &str, among: Among) -> Places {
        let mut slots = self.matching(term.as_bytes());
        if among == Among::Available {
            slots &= &self.available;
        }
        let places = slots.iter().map(|slot| self.place_of[slot as usize]).filter(|place| *place != NOT_ON_SHELF);
        Places::collect(places, slots.len(), self.place_of.len())
    }

    fn matching(&self, term: &[u8]) -> RoaringBitmap {
        match term {
            [] | [_] | [.., 0] => RoaringBitmap::new(),
            [first, second] => {
                let low = gram(&[*first, *second, 0]);
                let high = gram(&[*first, *second, 0xff]);
                let mut found = RoaringBitmap::new();
                for slots in self.grams.range(low..=high).map(|(_, slots)| slots) {
                    found |= slots;
                }
                found
            }
            [_, _, _] => self.grams.get(&gram(term)).cloned().unwrap_or_default(),
            _ => self.matching_long(term),
        }
    }

    fn matching_long(&self, term: &[u8]) -> RoaringBitmap {
        let mut bitmaps = Vec::new();
        for gram in distinct_grams(term) {
            match self.grams.get(&gram) {
                Some(slots) => bitmaps.push(slots),
                None => return RoaringBitmap::new(),
            }
        }
        bitmaps.sort_by_key(|slots| slots.len());
        let Some((rarest, others)) = bitmaps.split_first() else { return RoaringBitmap::new() };
        let mut found = (*rarest).clone();
        for slots in others {
            // Looking into a few texts is cheaper than intersecting many bitmaps.
            if found.len() < 64 {
                break;
            }
            found &= *slots;
        }
        let finder = Finder::new(term);
        found.into_iter().filter(|slot| finder.find(&self.contents[*slot as usize]).is_some()).collect()
    }
}

/// Places on the shelf that a search has found, in order.
pub(in crate::catalog) enum Places {
    /// Few: the places, sorted.
    Few(Vec<u32>),
    /// Many: one bit for each place, and how many are set.
    Many { bits: Vec<u64>, count: usize },
}

/// Up to this many places are sorted; more are put into bits.
const FEW: u64 = 512;

impl Places {
    fn collect(places: impl Iterator<Item = u32>, most: u64, shelf: usize) -> Self {
        if most <= FEW {
            let mut few = places.collect::<Vec<_>>();
            few.sort_unstable();
            return Self::Few(few);
        }
        let mut bits = vec![0_u64; shelf.div_ceil(64)];
        let mut count = 0;
        for place in places {
            bits[place as usize / 64] |= 1 << (place % 64);
            count += 1;
        }
        Self::Many { bits, count }
    }

    /// Those places for which `keep` holds.
    pub(in crate::catalog) fn filter(self, keep: impl Fn(usize) -> bool) -> Self {
        match self {
            Self::Few(mut few) => {
                few.retain(|place| keep(*place as usize));
                Self::Few(few)
            }
            Self::Many { bits, .. } => {
                let places = set_bits(&bits)
                    .filter(|place| keep(*place))
                    .map(|place| u32::try_from(place).unwrap_or(NOT_ON_SHELF));
                Self::Few(places.collect())
            }
        }
    }

    /// How many there are.
    pub(in crate::catalog) fn count(&self) -> usize {
        match self {
            Self::Few(few) => few.len(),
            Self::Many { count, .. } => *count,
        }
    }

    /// Up to `limit` of them, after the first `skip`.
    pub(in crate::catalog) fn slice(&self, skip: usize, limit: usize) -> Vec<usize> {
        match self {
            Self::Few(few) => few.iter().skip(skip).take(limit).map(|place| *place as usize).collect(),
            Self::Many { bits, .. } => {
                // Whole words are skipped by their count.
                let mut left = skip;
                let mut start = 0;
                for (index, word) in bits.iter().enumerate() {
                    let ones = word.count_ones() as usize;
                    start = index;
                    if left < ones {
                        break;
                    }
                    left -= ones;
                    start = index + 1;
                }
                set_bits(&bits[start..]).skip(left).take(limit).map(|place| place + start * 64).collect()
            }
        }
    }
}

fn set_bits(words: &[u64]) -> impl Iterator<Item = usize> {
    words.iter().enumerate().flat_map(|(index, word)| {
        let mut rest = *word;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let bit = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            Some(index * 64 + bit)
        })
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn number(index: usize) -> i64 {
        i64::try_from(index).expect("a test is small") + 1
    }

    fn index(texts: &[(String, String)]) -> (Texts, Shelf) {
        let mut index = Texts::default();
        for (id, (name, description)) in texts.iter().enumerate() {
            index.put(&TextsEntry {
                product_id: number(id),
                name_folded: name,
                description_folded: description,
                available: id % 2 == 0,
            });
        }
        let order = (1..=texts.len()).map(|id| format!("{id}:0")).collect::<Vec<_>>().join(",");
        let shelf = Shelf::new(1, &order, Vec::new());
        index.arrange(&shelf);
        (index, shelf)
    }

    fn found(index: &Texts, term: &str) -> Vec<usize> {
        index.find(term, Among::Visible).slice(0, usize::MAX)
    }

    proptest! {
        #[test]
        fn the_index_finds_what_a_scan_finds(
            texts in prop::collection::vec(("[abé茶 ]{0,12}", "[abé茶 ]{0,12}"), 0..40),
            term in "[abé茶 ]{2,5}",
        ) {
            let (index, _) = index(&texts);
            let scanned = texts.iter().enumerate()
                .filter(|(_, (name, description))| name.contains(&term) || description.contains(&term))
                .map(|(place, _)| place)
                .collect::<Vec<_>>();
            prop_assert_eq!(found(&index, &term), scanned);
        }

        #[test]
        fn replacing_leaves_no_trace_of_the_old_text(
            before in prop::collection::vec("[ab]{0,8}", 1..20),
            after in prop::collection::vec("[ab]{0,8}", 1..20),
            term in "[ab]{2,4}",
        ) {
            let pairs = |texts: &[String]| texts.iter().map(|text| (text.clone(), String::new())).collect::<Vec<_>>();
            let (mut changed, _) = index(&pairs(&before));
            for (id, text) in after.iter().enumerate() {
                changed.put(&TextsEntry { product_id: number(id), name_folded: text, description_folded: "", available: true });
            }
            let order = (1..=after.len()).map(|id| format!("{id}:0")).collect::<Vec<_>>().join(",");
            changed.arrange(&Shelf::new(2, &order, Vec::new()));
            let (fresh, _) = index(&pairs(&after));
            prop_assert_eq!(found(&changed, &term), found(&fresh, &term));
        }
    }

    #[test]
    fn many_matches_are_paged_like_few() {
        let texts = (0..2000).map(|n| (format!("item {n}"), String::new())).collect::<Vec<_>>();
        let (index, _) = index(&texts);
        let places = index.find("item", Among::Visible);
        assert_eq!(places.count(), 2000);
        assert_eq!(places.slice(0, 3), [0, 1, 2]);
        assert_eq!(places.slice(1990, 24), (1990..2000).collect::<Vec<_>>());
        assert_eq!(places.slice(64, 2), [64, 65]);
        assert_eq!(places.slice(5000, 24), Vec::<usize>::new());
        assert_eq!(index.find("item", Among::Available).count(), 1000);
    }

    #[test]
    fn the_end_of_a_text_is_not_found() {
        let (index, _) = index(&[(String::from("ab"), String::new())]);
        assert_eq!(found(&index, "b\0"), Vec::<usize>::new());
        assert_eq!(found(&index, "\0\0"), Vec::<usize>::new());
        assert_eq!(found(&index, "ab"), [0]);
    }
}
