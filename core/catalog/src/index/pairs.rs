//! Who has which two characters side by side, or with one blank between them.
//!
//! Without this, a term of two letters would be the union of thousands of words, and for a term in
//! which words or Chinese characters meet, all texts that have both would have to be looked at.

use super::slots::Slots;
use super::units::{Kind, kind};

/// Characters of ASCII are told apart; all others are in 32 classes.
const CLASSES: usize = 128 + 32;

fn class(last_byte: u8) -> usize {
    usize::from(if last_byte.is_ascii() { last_byte } else { 128 + last_byte % 32 })
}

/// Products by the class of the first character, then by that of the second: first those that have
/// the two side by side, then those with a blank between them.
#[derive(Default)]
pub(super) struct Pairs(Vec<Vec<Slots>>);

/// Where the pair is kept whose second character begins at `start`, if it is one that is kept.
fn pair(text: &[u8], start: usize) -> Option<(usize, usize)> {
    let second = text[start];
    let last_byte = match second {
        0 | b' ' | 0x80..0xc0 => return None,
        0x01..0x80 => second,
        0xc0..0xe0 => *text.get(start + 1)?,
        0xe0..0xf0 => *text.get(start + 2)?,
        0xf0.. => *text.get(start + 3)?,
    };
    match *text.get(start.checked_sub(1)?)? {
        0 => None,
        b' ' => {
            let first = *text.get(start.checked_sub(2)?)?;
            (first != 0).then(|| (class(first), CLASSES + class(last_byte)))
        }
        first if first.is_ascii() && second.is_ascii() => Some((class(first), class(second))),
        first if kind(second) == Kind::Character && ends_in_character(&text[..start]) => {
            Some((class(first), class(last_byte)))
        }
        // Inside of a word beyond ASCII, or at its edge: such words are few enough.
        _ => None,
    }
}

fn ends_in_character(text: &[u8]) -> bool {
    let first_byte = text.iter().rev().find(|byte| !(0x80..0xc0).contains(*byte));
    first_byte.is_some_and(|byte| kind(*byte) == Kind::Character)
}

fn pairs(text: &[u8]) -> impl Iterator<Item = (usize, usize)> {
    (1..text.len()).filter_map(|start| pair(text, start))
}

impl Pairs {
    /// Adds the pairs of a product's text.
    pub(super) fn insert(&mut self, text: &[u8], slot: u32) {
        if self.0.is_empty() {
            self.0.resize_with(CLASSES, Vec::new);
        }
        for (first, second) in pairs(text) {
            let row = &mut self.0[first];
            if row.is_empty() {
                row.resize_with(2 * CLASSES, Slots::default);
            }
            row[second].insert(slot);
        }
    }

    /// Removes the pairs of a product's text.
    pub(super) fn remove(&mut self, text: &[u8], slot: u32) {
        for (first, second) in pairs(text) {
            if let Some(slots) = self.0.get_mut(first).and_then(|row| row.get_mut(second)) {
                slots.remove(slot);
            }
        }
    }

    /// Those who have the pair whose second character begins at `start`, and perhaps some more;
    /// nothing for pairs that are not kept.
    pub(super) fn at(&self, term: &[u8], start: usize) -> Option<&Slots> {
        const NONE: &Slots = &Slots::NONE;
        let (first, second) = pair(term, start)?;
        Some(self.0.get(first).and_then(|row| row.get(second)).unwrap_or(NONE))
    }

    /// Exactly those who have the term; nothing for terms that are not a pair of ASCII.
    pub(super) fn exactly(&self, term: &[u8]) -> Option<&Slots> {
        let told_apart = term.is_ascii() && matches!(term, [_, _] | [_, b' ', _]);
        if told_apart { self.at(term, term.len() - 1) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs_of(texts: &[&str]) -> Pairs {
        let mut pairs = Pairs::default();
        for (slot, text) in (0..).zip(texts) {
            pairs.insert(text.as_bytes(), slot);
        }
        pairs
    }

    #[test]
    fn pairs_of_ascii_are_told_apart() {
        let pairs = pairs_of(&["an oak", "no ak", "-an"]);
        let count = |term: &str| pairs.exactly(term.as_bytes()).map(Slots::len);
        assert_eq!(count("an"), Some(2));
        assert_eq!(count("ak"), Some(2));
        assert_eq!(count("n o"), Some(1));
        assert_eq!(count("-a"), Some(1));
        assert_eq!(count("zz"), Some(0));
        assert_eq!(count("n "), None, "terms do not end in blanks");
        assert_eq!(count("é"), None, "one character");
        assert_eq!(count("oak"), None, "three characters");
    }

    #[test]
    fn characters_side_by_side_are_kept() {
        let pairs = pairs_of(&["綠茶", "茶x綠", "é茶"]);
        assert_eq!(pairs.at("綠茶".as_bytes(), 3).map(Slots::len), Some(1));
        assert!(pairs.at("é茶".as_bytes(), 2).is_none());
    }

    #[test]
    fn what_was_removed_is_gone() {
        let mut pairs = pairs_of(&["oak", "oak"]);
        pairs.remove(b"oak", 0);
        assert_eq!(pairs.exactly(b"oa").map(Slots::len), Some(1));
    }
}
