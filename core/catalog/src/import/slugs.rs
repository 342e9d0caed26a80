//! Slugs and keys made from names, the same ones whenever the same file is read.

use std::collections::HashMap;

use deunicode::deunicode_char;
use icu_normalizer::ComposingNormalizerBorrowed;

use super::rules::{MAX_SLUG, is_word_character};

/// The words of a name in lower case with `-` between them; nothing when it has no letter and no digit.
pub(super) fn slugify(name: &str, limit: usize) -> Option<String> {
    let lower = ComposingNormalizerBorrowed::new_nfc().normalize(&name.to_lowercase()).into_owned();
    let mut slug = String::new();
    let mut length = 0;
    let mut gap = false;
    for character in lower.chars() {
        if is_word_character(character) {
            let needed = usize::from(gap) + 1;
            if length + needed > limit {
                break;
            }
            if gap {
                slug.push('-');
            }
            slug.push(character);
            length += needed;
            gap = false;
        } else if !matches!(character, '\'' | '’') {
            // An apostrophe joins (`women's` is `womens`), anything else separates.
            gap = !slug.is_empty();
        }
    }
    (!slug.is_empty()).then_some(slug)
}

/// The slug that a product, a category or a choice of this name gets; none without a letter and a digit.
pub fn slug_of(name: &str) -> Option<String> {
    slugify(name, MAX_SLUG)
}

/// Slugs, keys or values already given away.
#[derive(Debug, Default)]
pub(super) struct UsedNames {
    /// Each name with the number last put behind it.
    names: HashMap<String, u64>,
}

impl UsedNames {
    /// Takes the first candidate that is free, else the first one with a number behind it.
    pub(super) fn claim_name(&mut self, candidates: &[String], limit: usize) -> Option<String> {
        let first = candidates.first()?;
        let free = candidates.iter().find(|candidate| !self.names.contains_key(*candidate));
        let name = match free {
            Some(free) => free.clone(),
            None => self.numbered(first, limit),
        };
        self.names.insert(name.clone(), 1);
        Some(name)
    }

    fn numbered(&mut self, name: &str, limit: usize) -> String {
        let mut number = self.names.get(name).copied().unwrap_or(1);
        loop {
            number += 1;
            let ending = format!("-{number}");
            let kept: String = name.chars().take(limit.saturating_sub(ending.len())).collect();
            let candidate = format!("{kept}{ending}");
            if !self.names.contains_key(&candidate) {
                self.names.insert(name.to_owned(), number);
                return candidate;
            }
        }
    }
}

/// A handle of another system as a slug: what may stand in one stays, signs are transliterated (`™` to `tm`) or separate.
/// Nothing when no letter and no digit is left.
pub(super) fn slug_of_handle(handle: &str, limit: usize) -> Option<String> {
    let mut slug = String::new();
    let mut gap = false;
    // What only says how the sign before it is drawn is no part of a name.
    for character in handle.chars().filter(|character| !matches!(character, '\u{fe00}'..='\u{fe0f}')) {
        let stays = is_word_character(character) || matches!(character, '-' | '_' | '.' | '~');
        let own = character.to_string();
        let plain = if stays { own } else { deunicode_char(character).unwrap_or_default().to_lowercase() };
        for plain in plain.chars() {
            // A sign that is no letter separates, and so does the hyphen beside it.
            if !stays && !is_word_character(plain) {
                gap = true;
                continue;
            }
            if gap && plain == '-' && slug.is_empty() {
                continue;
            }
            if gap && plain != '-' && !slug.is_empty() && !slug.ends_with('-') {
                slug.push('-');
            }
            gap = false;
            slug.push(plain);
        }
    }
    let slug = if gap { slug.trim_end_matches('-') } else { &slug };
    let slug = slug.trim_start_matches('.').chars().take(limit).collect::<String>();
    slug.chars().any(is_word_character).then_some(slug)
}
