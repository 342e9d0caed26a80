//! An index of the listing's texts for searching substrings.
//!
//! Each product has a slot. A text is a sequence of runs (words, and what stands between them), and
//! the dictionary knows for each run the slots of those who have it. A term inside of one run is the
//! union of the runs that hold it; a term of two ASCII characters has a set of its own. A term of
//! several runs narrows down who can have it, and looks at their texts.
//! No term, seen before or not, walks through all texts.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::RandomState;

use super::ListingIndex;
use super::pairs::Pairs;
use super::phrase::{Phrase, union};
use super::positions::Positions;
use super::runs::{Position, Runs};
use super::slots::Bits;
use super::units::{Units, split};

/// Stands between the searched fields; never part of a term.
const END: u8 = 0;

/// Products forgotten at once.
const BATCH: usize = 32;

/// The searched fields of a product, folded.
pub(crate) struct TextsEntry<'a> {
    pub(crate) product_id: i64,
    pub(crate) name_folded: &'a str,
    pub(crate) description_folded: &'a str,
    /// Whether all capabilities of the product are available (S4.2 rule 6).
    pub(crate) available: bool,
}

/// Which products a search may find.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Among {
    /// All visible ones.
    Visible,
    /// Those with all their capabilities available.
    Available,
}

/// The index of one instance.
#[derive(Default)]
pub(crate) struct Texts {
    slot_of: HashMap<i64, u32, RandomState>,
    /// The text in each slot.
    contents: Vec<Units>,
    /// Slots without a product.
    free: Vec<u32>,
    /// Slots of products that have left the listing, but not yet the index.
    gone: Vec<u32>,
    runs: Runs,
    pairs: Pairs,
    available: Bits,
    is_listed: Bits,
    /// The position of each slot in the listing; `NOWHERE` for those that are not in it.
    position_of: Vec<u32>,
    /// The slot at each position of the listing; `NOWHERE` for products without texts.
    order: Arc<[u32]>,
}

const NOWHERE: u32 = u32::MAX;

impl Texts {
    /// Adds a product, or replaces what was known of it.
    pub(crate) fn put(&mut self, entry: &TextsEntry<'_>) {
        let text = [entry.name_folded.as_bytes(), &[END], entry.description_folded.as_bytes()].concat();
        let units = Units::store(&text, &mut self.runs);
        let slot = self.slot_of.get(&entry.product_id).copied().unwrap_or_else(|| self.new_slot(entry.product_id));
        if self.contents[slot as usize] != units {
            let before = self.clear_slot(slot);
            for number in units.numbers() {
                self.runs.slots_mut(number).insert(slot);
            }
            self.pairs.insert(&text, slot);
            self.contents[slot as usize] = units;
            // Only now it is known which runs nobody has any more.
            before.numbers().for_each(|number| self.runs.drop_unused(number));
        }
        if entry.available {
            self.available.insert(slot);
        } else {
            self.available.remove(slot);
        }
    }

    fn new_slot(&mut self, product_id: i64) -> u32 {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.contents.push(Units::default());
            u32::try_from(self.contents.len() - 1).expect("fewer than four billion products")
        });
        self.slot_of.insert(product_id, slot);
        slot
    }

    /// Empties a slot.
    fn clear_slot(&mut self, slot: u32) -> Units {
        let units = std::mem::take(&mut self.contents[slot as usize]);
        self.pairs.remove(&units.text(&self.runs), slot);
        units.numbers().for_each(|number| self.runs.slots_mut(number).remove(slot));
        units
    }

    /// Takes over the order of a listing. Products that are no longer in it are not found any more;
    /// [`Texts::forget_gone`] makes their memory free.
    pub(crate) fn arrange(&mut self, listing: &ListingIndex) {
        self.position_of.clear();
        self.position_of.resize(self.contents.len(), NOWHERE);
        self.is_listed = Bits::none(self.contents.len());
        let slot_at = |id: &i64| self.slot_of.get(id).copied().unwrap_or(NOWHERE);
        self.order = listing.all().iter().map(slot_at).collect();
        for (position, slot) in (0..).zip(self.order.iter()).filter(|(_, slot)| **slot != NOWHERE) {
            self.position_of[*slot as usize] = position;
            self.is_listed.insert(*slot);
        }
        let Self { slot_of, gone, is_listed, .. } = self;
        gone.extend(slot_of.extract_if(|_, slot| !is_listed.contains(*slot)).map(|(_, slot)| slot));
    }

    /// Forgets some of the products that are no longer in the listing, and says whether it is to be called again.
    pub(crate) fn forget_gone(&mut self) -> bool {
        for slot in self.gone.split_off(self.gone.len().saturating_sub(BATCH)) {
            let units = self.clear_slot(slot);
            units.numbers().for_each(|number| self.runs.drop_unused(number));
            self.available.remove(slot);
            self.free.push(slot);
        }
        !self.gone.is_empty()
    }

    /// Positions in the listing, in order, of the products whose text holds the folded `term` of at least
    /// two characters.
    pub(crate) fn find(&self, term: &str, among: Among) -> Positions {
        let mut slots = self.matching(term.as_bytes());
        slots.keep_bits(&self.is_listed);
        if among == Among::Available {
            slots.keep_bits(&self.available);
        }
        Positions::new(slots, &self.order, &self.position_of)
    }

    fn matching(&self, term: &[u8]) -> Bits {
        let room = self.contents.len();
        if term.len() < 2 || term.contains(&END) {
            return Bits::default();
        }
        if let Some(slots) = self.pairs.exactly(term) {
            return union(std::iter::once(slots), room);
        }
        if split(term).nth(1).is_none() {
            let runs = self.runs.with(term, Position::Anywhere);
            return union(runs.iter().map(|number| self.runs.slots(number)), room);
        }
        Phrase::new(term, &self.runs)
            .map(|phrase| phrase.find(&self.runs, &self.pairs, &self.contents))
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use proptest::sample::Index;

    use super::*;

    /// Letters, digits, marks, and characters of one to four bytes; few, so that they meet often.
    const TEXT: &str = "[ab1éб茶綠🫖  .,-]{0,16}|(a|b|a b|b-a|  |, |茶|é){0,12}";

    type Products = BTreeMap<i64, (String, String)>;

    fn put(index: &mut Texts, id: i64, (name, description): &(String, String)) {
        let available = id % 2 == 0;
        index.put(&TextsEntry { product_id: id, name_folded: name, description_folded: description, available });
    }

    fn put_all(index: &mut Texts, products: &Products) {
        for (id, texts) in products {
            put(index, *id, texts);
        }
    }

    fn arrange(index: &mut Texts, products: &Products) {
        let order = products.keys().rev().map(|id| format!("{id}:0")).collect::<Vec<_>>().join(",");
        index.arrange(&ListingIndex::new(1, 1, &order, Vec::new()));
    }

    fn index(products: &Products) -> Texts {
        let mut index = Texts::default();
        put_all(&mut index, products);
        arrange(&mut index, products);
        index
    }

    fn named(names: impl IntoIterator<Item = impl Into<String>>) -> Products {
        (1..).zip(names.into_iter().map(|name| (name.into(), String::new()))).collect()
    }

    fn found(index: &Texts, term: &str, among: Among) -> Vec<usize> {
        index.find(term, among).slice(0, usize::MAX)
    }

    /// What looking at every text finds.
    fn scanned(products: &Products, term: &str, among: Among) -> Vec<usize> {
        let listing = products.iter().rev().enumerate();
        let holding = listing.filter(|(_, (id, (name, description)))| {
            (among == Among::Visible || *id % 2 == 0) && (name.contains(term) || description.contains(term))
        });
        holding.map(|(position, _)| position).collect()
    }

    fn products() -> impl Strategy<Value = Products> {
        prop::collection::btree_map(1_i64..40, (TEXT, TEXT), 0..40)
    }

    /// Terms: parts of texts, so that they are found at all, and any.
    fn terms() -> impl Strategy<Value = Vec<(String, Option<[Index; 3]>)>> {
        let part = prop::option::weighted(0.8, any::<[Index; 3]>());
        prop::collection::vec(("[ab1éб茶 .,-]{2,5}", part), 8)
    }

    fn term(products: &Products, other: &str, part: Option<[Index; 3]>) -> String {
        let texts = products.values().flat_map(|(name, description)| [name, description]).collect::<Vec<_>>();
        let Some([text, start, length]) = part.filter(|_| !texts.is_empty()) else { return other.to_owned() };
        let text = text.get(&texts).chars().collect::<Vec<_>>();
        let start = start.index(text.len() + 1);
        let part = text[start..].iter().take(2 + length.index(text.len() + 1)).collect::<String>();
        if part.chars().nth(1).is_some() { part } else { other.to_owned() }
    }

    proptest! {
        #[test]
        fn the_index_finds_what_a_scan_finds(products in products(), terms in terms()) {
            let index = index(&products);
            for (other, part) in terms {
                let term = term(&products, &other, part);
                for among in [Among::Visible, Among::Available] {
                    prop_assert_eq!(found(&index, &term, among), scanned(&products, &term, among), "{:?}", term);
                }
            }
        }

        #[test]
        fn what_was_replaced_or_removed_leaves_no_trace(
            before in products(),
            after in products(),
            terms in terms(),
            next in (TEXT, TEXT),
        ) {
            let mut changed = index(&before);
            put_all(&mut changed, &after);
            arrange(&mut changed, &after);
            let of_both = terms.iter().flat_map(|(other, part)| [term(&before, other, *part), term(&after, other, *part)]);
            let terms = of_both.collect::<Vec<_>>();
            for among in [Among::Visible, Among::Available] {
                for term in &terms {
                    prop_assert_eq!(found(&changed, term, among), scanned(&after, term, among), "{:?}", term);
                }
                while changed.forget_gone() {}
            }
            // Whatever comes next gets the slots and the numbers of old texts.
            let mut products = after;
            put(&mut changed, 100, &next);
            products.insert(100, next);
            arrange(&mut changed, &products);
            for term in &terms {
                let found = found(&changed, term, Among::Visible);
                prop_assert_eq!(found, scanned(&products, term, Among::Visible), "{:?}", term);
            }
        }
    }

    #[test]
    fn an_index_whose_texts_change_does_not_grow() {
        let products = |round: usize| named((0..20).map(|number| format!("name{round}x{number} stays")));
        let mut index = index(&products(0));
        let mut rooms = Vec::new();
        for round in 1..50 {
            put_all(&mut index, &products(round));
            rooms.push(index.runs.room());
        }
        assert_eq!(found(&index, "name0", Among::Visible), Vec::<usize>::new());
        assert_eq!(found(&index, "stays", Among::Visible).len(), 20);
        assert!(rooms.iter().all(|room| *room <= 20 + 3), "numbers of runs: {rooms:?}");
        for _ in 0..5 {
            arrange(&mut index, &Products::new());
            while index.forget_gone() {}
            put_all(&mut index, &products(0));
        }
        assert_eq!((index.contents.len(), index.runs.room()), (20, rooms[0]));
    }

    #[test]
    fn frequent_terms_are_paged_and_counted() {
        let index = index(&named((0..2_000).map(|number| format!("item {number}"))));
        for term in ["it", "item", "item "] {
            let positions = index.find(term, Among::Visible);
            assert_eq!(positions.count(), 2_000, "{term:?}");
            assert_eq!(positions.slice(1_990, 24), (1_990..2_000).collect::<Vec<_>>(), "{term:?}");
            assert_eq!(index.find(term, Among::Available).count(), 1_000, "{term:?}");
        }
        assert_eq!(found(&index, "item 1999", Among::Visible), [0]);
    }

    #[test]
    fn terms_of_many_words_are_compared_to_the_end() {
        let words = "one two three four five six seven eight nine";
        let index = index(&named([format!("{words} ten eleven"), format!("{words} eleven ten")]));
        assert_eq!(found(&index, &format!("{words} te"), Among::Visible), [1]);
        assert_eq!(found(&index, &format!("{words} "), Among::Visible), [0, 1]);
    }

    #[test]
    fn the_end_of_a_text_is_not_found() {
        let index = index(&BTreeMap::from([(1, (String::from("ab"), String::from("cd")))]));
        for term in ["b\0", "\0\0", "\0c", "b\0c"] {
            assert_eq!(found(&index, term, Among::Visible), Vec::<usize>::new(), "{term:?}");
        }
        assert_eq!(found(&index, "ab", Among::Visible), [0]);
    }
}
