//! The dictionary: every run that occurs in texts, once, with those who have it.

use std::collections::HashMap;
use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use memchr::memmem::Finder;
use roaring::RoaringBitmap;

use super::slots::Slots;

/// Stands before and after a run where its sequences of bytes are looked up.
const EDGE: u8 = 0;

/// Fewer runs than this are looked at rather than made fewer.
const FEW: u64 = 64;

/// Where in a run a fragment has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Position {
    Anywhere,
    Beginning,
    End,
}

#[derive(Default)]
struct Run {
    /// Empty for numbers that are free.
    text: Box<[u8]>,
    slots: Slots,
}

/// All runs by number.
#[derive(Default)]
pub(super) struct Runs {
    entries: Vec<Run>,
    /// Numbers of runs that no text has any more.
    free: Vec<u32>,
    /// Numbers by the hash of the text.
    numbers: HashTable<u32>,
    /// For each sequence of three bytes, the runs that hold it.
    grams: HashMap<u32, RoaringBitmap, RandomState>,
    hasher: RandomState,
}

fn gram(bytes: [u8; 3]) -> u32 {
    u32::from(bytes[0]) << 16 | u32::from(bytes[1]) << 8 | u32::from(bytes[2])
}

fn distinct_grams(bytes: &[u8]) -> Vec<u32> {
    let mut grams = bytes.array_windows().copied().map(gram).collect::<Vec<_>>();
    grams.sort_unstable();
    grams.dedup();
    grams
}

fn distinct_grams_of_run(text: &[u8]) -> Vec<u32> {
    distinct_grams(&[&[EDGE], text, &[EDGE]].concat())
}

impl Runs {
    pub(super) fn text(&self, number: u32) -> &[u8] {
        &self.entries[number as usize].text
    }

    /// The products whose text has the run.
    pub(super) fn slots(&self, number: u32) -> &Slots {
        &self.entries[number as usize].slots
    }

    pub(super) fn slots_mut(&mut self, number: u32) -> &mut Slots {
        &mut self.entries[number as usize].slots
    }

    /// More than the highest number.
    pub(super) fn room(&self) -> usize {
        self.entries.len()
    }

    /// The number of a run, if any text has it.
    pub(super) fn number(&self, text: &[u8]) -> Option<u32> {
        self.numbers.find(self.hasher.hash_one(text), |number| self.text(*number) == text).copied()
    }

    /// The number of a run, which is added if it is new.
    pub(super) fn number_or_new(&mut self, text: &[u8]) -> u32 {
        self.number(text).unwrap_or_else(|| self.add(text))
    }

    fn add(&mut self, text: &[u8]) -> u32 {
        let number = self.free.pop().unwrap_or_else(|| {
            self.entries.push(Run::default());
            u32::try_from(self.entries.len() - 1).expect("memory holds fewer than four billion runs")
        });
        self.entries[number as usize].text = text.into();
        let Self { entries, numbers, hasher, .. } = self;
        let hash_of = |number: &u32| hasher.hash_one(&*entries[*number as usize].text);
        numbers.insert_unique(hash_of(&number), number, hash_of);
        for gram in distinct_grams_of_run(text) {
            self.grams.entry(gram).or_default().insert(number);
        }
        number
    }

    /// Drops a run if no text has it any more; its number will mean another one.
    pub(super) fn drop_unused(&mut self, number: u32) {
        let run = &mut self.entries[number as usize];
        if run.text.is_empty() || run.slots.len() > 0 {
            return;
        }
        let Run { text, .. } = std::mem::take(run);
        if let Ok(entry) = self.numbers.find_entry(self.hasher.hash_one(&*text), |other| *other == number) {
            entry.remove();
        }
        for gram in distinct_grams_of_run(&text) {
            if let Some(numbers) = self.grams.get_mut(&gram) {
                numbers.remove(number);
                if numbers.is_empty() {
                    self.grams.remove(&gram);
                }
            }
        }
        self.free.push(number);
    }

    /// The runs that have a fragment in this position.
    pub(super) fn with(&self, fragment: &[u8], position: Position) -> RoaringBitmap {
        let pattern = match position {
            Position::Anywhere => fragment.to_vec(),
            Position::Beginning => [&[EDGE], fragment].concat(),
            Position::End => [fragment, &[EDGE]].concat(),
        };
        match *pattern {
            [] | [_] => RoaringBitmap::new(),
            [last, EDGE] => self.with_any((0..=u8::MAX).map(|other| [other, last, EDGE])),
            // Every pair is followed by something, at least by the edge.
            [first, second] => self.with_any((0..=u8::MAX).map(|other| [first, second, other])),
            [first, second, third] => self.with_any(std::iter::once([first, second, third])),
            _ => {
                let finder = Finder::new(fragment);
                let holds = |text: &[u8]| match position {
                    Position::Anywhere => finder.find(text).is_some(),
                    Position::Beginning => text.starts_with(fragment),
                    Position::End => text.ends_with(fragment),
                };
                let candidates = self.with_all(&distinct_grams(&pattern)).unwrap_or_default();
                candidates.into_iter().filter(|number| holds(self.text(*number))).collect()
            }
        }
    }

    fn with_any(&self, grams: impl Iterator<Item = [u8; 3]>) -> RoaringBitmap {
        let mut found = RoaringBitmap::new();
        for numbers in grams.filter_map(|bytes| self.grams.get(&gram(bytes))) {
            found |= numbers;
        }
        found
    }

    /// The runs that have all these sequences, and perhaps some more.
    fn with_all(&self, grams: &[u32]) -> Option<RoaringBitmap> {
        let mut bitmaps = grams.iter().map(|gram| self.grams.get(gram)).collect::<Option<Vec<_>>>()?;
        bitmaps.sort_by_key(|numbers| numbers.len());
        let (rarest, others) = bitmaps.split_first()?;
        let mut found = (*rarest).clone();
        for numbers in others {
            if found.len() < FEW {
                break;
            }
            found &= *numbers;
        }
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with<'a>(runs: &'a Runs, fragment: &str, position: Position) -> Vec<&'a str> {
        let found = runs.with(fragment.as_bytes(), position).into_iter();
        found.map(|number| std::str::from_utf8(runs.text(number)).unwrap()).collect()
    }

    #[test]
    fn fragments_are_found_where_they_are_asked_for() {
        let mut runs = Runs::default();
        for run in ["oak", "soak", "oaks", "a", "ko"] {
            runs.number_or_new(run.as_bytes());
        }
        assert_eq!(with(&runs, "oak", Position::Anywhere), ["oak", "soak", "oaks"]);
        assert_eq!(with(&runs, "oak", Position::Beginning), ["oak", "oaks"]);
        assert_eq!(with(&runs, "oak", Position::End), ["oak", "soak"]);
        assert_eq!(with(&runs, "ak", Position::Anywhere), ["oak", "soak", "oaks"]);
        assert_eq!(with(&runs, "k", Position::End), ["oak", "soak"]);
        assert_eq!(with(&runs, "o", Position::Beginning), ["oak", "oaks"]);
        assert_eq!(with(&runs, "a", Position::End), ["a"]);
        assert_eq!(with(&runs, "a", Position::Beginning), ["a"]);
        assert_eq!(with(&runs, "oaky", Position::Anywhere), Vec::<&str>::new());
    }

    #[test]
    fn the_number_of_a_dropped_run_is_used_again() {
        let mut runs = Runs::default();
        let (oak, ash) = (runs.number_or_new(b"oak"), runs.number_or_new(b"ash"));
        assert_eq!(runs.number_or_new(b"oak"), oak);
        runs.slots_mut(ash).insert(7);
        runs.drop_unused(oak);
        runs.drop_unused(oak);
        runs.drop_unused(ash);
        assert_eq!((runs.number(b"oak"), runs.number(b"ash")), (None, Some(ash)));
        assert_eq!(with(&runs, "oa", Position::Anywhere), Vec::<&str>::new());
        assert_eq!(runs.number_or_new(b"elm"), oak);
        assert_eq!(runs.number_or_new(b"fir"), 2);
        assert_eq!(runs.room(), 3);
    }
}
