//! Search terms that a freshly started server has never been asked.

use std::collections::{BTreeSet, HashSet};

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

/// Longest term in characters.
const LONGEST: usize = 8;

/// How often a new long term is looked for before the texts count as used up.
const ATTEMPTS: usize = 1_000_000;

/// Parts of words from the texts, no two alike, in random order: every pair of letters or digits
/// that occurs, and twice as many longer ones of up to eight characters.
pub(crate) fn terms(texts: &[String], seed: u64) -> Vec<String> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let words = texts.iter().flat_map(|text| text.split(|character: char| !character.is_alphanumeric()));
    let words = words.map(|word| word.chars().collect::<Vec<_>>()).filter(|word| word.len() > 1).collect::<Vec<_>>();
    let pairs = words.iter().flat_map(|word| word.windows(2)).map(|pair| pair.iter().collect::<String>());
    let pairs = pairs.collect::<BTreeSet<_>>();
    let long = words.iter().filter(|word| word.len() > 2).collect::<Vec<_>>();
    let mut longer = HashSet::new();
    for _ in 0..ATTEMPTS {
        if longer.len() == pairs.len() * 2 || long.is_empty() {
            break;
        }
        let word = long[random.random_range(0..long.len())];
        let length = random.random_range(3..=word.len().min(LONGEST));
        let start = random.random_range(0..=word.len() - length);
        longer.insert(word[start..start + length].iter().collect::<String>());
    }
    // The set's own order differs from run to run.
    let longer = longer.into_iter().collect::<BTreeSet<_>>();
    let mut terms = pairs.into_iter().chain(longer).collect::<Vec<_>>();
    terms.shuffle(&mut random);
    terms
}

/// A term as the value of a query parameter.
pub(crate) fn encoded(term: &str) -> String {
    utf8_percent_encode(term, NON_ALPHANUMERIC).to_string()
}
