//! Terms of several runs, such as two words with a blank between them.

use super::pairs::Pairs;
use super::runs::{Position, Runs};
use super::slots::{Bits, Slots};
use super::units::{BLANK, Kind, Units, kind, split, unit};

/// From so many candidates on, ways to have fewer are looked for.
const MANY: usize = 256;

/// The products of more runs than this are not added up to have fewer candidates.
const MANY_RUNS: usize = 4_000;

/// What a term demands of the runs of a text.
pub(super) struct Phrase<'a> {
    term: &'a [u8],
    /// For each of the term's runs, the numbers of those that can be it, sorted. Blanks between two words are
    /// left out as they are in texts.
    parts: Vec<Vec<u32>>,
    /// Whether the term begins with a blank.
    blank_before: bool,
    /// Whether the term ends with a blank.
    blank_after: bool,
}

impl<'a> Phrase<'a> {
    /// Reads a term; nothing if one of its parts is in no text.
    pub(super) fn new(term: &'a [u8], runs: &Runs) -> Option<Self> {
        let fragments = split(term).collect::<Vec<_>>();
        let last = fragments.len().checked_sub(1)?;
        let is_word = |index: usize| kind(fragments[index][0]) == Kind::Word;
        let mut parts = Vec::new();
        for (index, fragment) in fragments.iter().copied().enumerate() {
            let outermost = index == 0 || index == last;
            if fragment == BLANK && (outermost || is_word(index - 1) && is_word(index + 1)) {
                continue;
            }
            let numbers = if !outermost || kind(fragment[0]) == Kind::Character {
                runs.number(fragment).into_iter().collect()
            } else {
                let position = if index == 0 { Position::End } else { Position::Beginning };
                runs.with(fragment, position).into_iter().collect::<Vec<_>>()
            };
            if numbers.is_empty() {
                return None;
            }
            parts.push(numbers);
        }
        Some(Self { term, parts, blank_before: fragments[0] == BLANK, blank_after: fragments[last] == BLANK })
    }

    /// The slots of the texts that hold the term.
    pub(super) fn find(&self, runs: &Runs, pairs: &Pairs, texts: &[Units]) -> Bits {
        let mut found = Bits::none(texts.len());
        let sieve = Sieve::new(&self.parts, runs);
        // The sieve knows nothing of blanks at the ends and of what is behind the first parts.
        let is_sure = !self.blank_before && !self.blank_after && self.parts.len() <= Sieve::PARTS;
        for slot in self.candidates(runs, pairs, texts.len()).iter() {
            let Some(text) = texts.get(slot as usize) else { break };
            if sieve.passes(text) && (is_sure || self.is_in(&text.numbers().collect::<Vec<_>>(), runs)) {
                found.insert(slot);
            }
        }
        found
    }

    /// The slots of texts that have all that the term consists of, somewhere.
    fn candidates(&self, runs: &Runs, pairs: &Pairs, room: usize) -> Bits {
        // Where runs meet; what is inside of words is known from them.
        let meeting =
            |start: &usize| [start - 1, *start].iter().any(|position| kind(self.term[*position]) != Kind::Word);
        let mut sets =
            (1..self.term.len()).filter(meeting).filter_map(|start| pairs.at(self.term, start)).collect::<Vec<_>>();
        let mut open = Vec::new();
        for part in &self.parts {
            match part.as_slice() {
                [number] => sets.push(runs.slots(*number)),
                numbers => open.push(numbers),
            }
        }
        sets.sort_by_key(|slots| slots.len());
        open.sort_by_key(|numbers| numbers.len());
        let mut candidates = Bits::all(room);
        for slots in sets {
            candidates.retain(slots);
        }
        for numbers in open {
            if numbers.len() > MANY_RUNS || candidates.count() < MANY {
                break;
            }
            candidates.keep_bits(&union(numbers.iter().map(|number| runs.slots(*number)), room));
        }
        candidates
    }

    /// Whether a text of these runs holds the term.
    fn is_in(&self, text: &[u32], runs: &Runs) -> bool {
        let is_word = |number: u32| kind(runs.text(number)[0]) == Kind::Word;
        let windows = text.windows(self.parts.len()).enumerate();
        let mut fitting = windows.filter(|(_, window)| {
            self.parts.iter().zip(*window).all(|(numbers, number)| numbers.binary_search(number).is_ok())
        });
        fitting.any(|(start, window)| {
            let before = start.checked_sub(1).map(|position| text[position]);
            let after = text.get(start + self.parts.len()).copied();
            let blank_before = before
                .is_some_and(|number| runs.text(number).ends_with(BLANK) || is_word(number) && is_word(window[0]));
            let blank_after = after.is_some_and(|number| {
                runs.text(number).starts_with(BLANK) || is_word(number) && is_word(window[window.len() - 1])
            });
            (blank_before || !self.blank_before) && (blank_after || !self.blank_after)
        })
    }
}

/// All slots of several sets.
pub(super) fn union<'a>(sets: impl Iterator<Item = &'a Slots>, room: usize) -> Bits {
    let mut all = Bits::none(room);
    for slots in sets {
        all.add(slots);
    }
    all
}

/// Finds the first parts of a phrase in one pass over a text, by the Shift-And algorithm.
struct Sieve {
    /// Two parts side by side that can be one run only: there are few texts with both.
    neighbors: Option<[u16; 2]>,
    /// For the number of each run, a bit for every part that it can be.
    parts_of: Vec<u8>,
    /// The bit of the last part.
    last: u8,
}

impl Sieve {
    /// More parts are not looked at.
    const PARTS: usize = 8;

    fn new(parts: &[Vec<u32>], runs: &Runs) -> Self {
        let mut parts_of = vec![0; runs.room()];
        let mut last = 1;
        for (index, numbers) in parts.iter().take(Self::PARTS).enumerate() {
            last = 1 << index;
            for number in numbers {
                parts_of[*number as usize] |= last;
            }
        }
        let neighbors = parts.windows(2).find_map(|parts| match (parts[0].as_slice(), parts[1].as_slice()) {
            ([first], [second]) => unit(*first).zip(unit(*second)).map(<[u16; 2]>::from),
            _ => None,
        });
        Self { neighbors, parts_of, last }
    }

    fn passes(&self, text: &Units) -> bool {
        if self.neighbors.is_some_and(|neighbors| !text.has_neighbors(neighbors)) {
            return false;
        }
        // A bit for each part that the run before was, with all earlier parts before it.
        let mut reached = 0_u8;
        text.numbers().any(|number| {
            reached = (reached << 1 | 1) & self.parts_of[number as usize];
            reached & self.last != 0
        })
    }
}
