//! The search: sections that hold all words of what is asked for, the best first.

use std::cmp::Reverse;
use std::sync::LazyLock;

use deunicode::deunicode;

use crate::library::LIBRARY;
use crate::page::{Page, Section};

/// Most sections that are shown.
pub(crate) const MOST: usize = 30;

/// Longest question that is looked for, in characters.
const LONGEST: usize = 100;

/// How often a word counts in one section: a long one is not better for being long.
const MOST_COUNTED: usize = 3;

/// How the addresses of pages begin that are for whoever looks further: what to do comes before its rules and history.
const FURTHER: &[&str] = &["reference", "changelog", "modules/guide", "glossary", "operate/security-checklist"];

/// Characters of a section's text that are shown around the first word that was found.
const EXCERPT: usize = 180;

/// A section as it is looked through: heading and text in lower case and without accents.
struct Indexed {
    page: &'static Page,
    section: &'static Section,
    title: String,
    heading: String,
    text: String,
}

static INDEX: LazyLock<Vec<Indexed>> = LazyLock::new(|| {
    let pages = LIBRARY.pages().flat_map(|page| page.sections.iter().map(move |section| (page, section)));
    let indexed = pages.map(|(page, section)| Indexed {
        page,
        section,
        title: folded(&page.title),
        heading: folded(&section.heading),
        text: folded(&section.text),
    });
    indexed.collect()
});

/// A section that was found.
pub(crate) struct Found {
    /// Where it is.
    pub(crate) path: String,
    /// The title of its page.
    pub(crate) title: &'static str,
    /// Its heading; empty for the beginning of a page.
    pub(crate) heading: &'static str,
    /// The text around the first word.
    pub(crate) excerpt: String,
}

/// The sections that hold all words of a question.
pub(crate) fn search(question: &str) -> Vec<Found> {
    let question = folded(&question.chars().take(LONGEST).collect::<String>());
    let words = question.split_whitespace().collect::<Vec<_>>();
    if words.is_empty() {
        return Vec::new();
    }
    let rated = INDEX.iter().filter_map(|indexed| Some((rate(indexed, &words)?, indexed)));
    let mut rated = rated.collect::<Vec<_>>();
    // Stable: among equals, what stands first in the contents comes first.
    rated.sort_by_key(|(points, _)| Reverse(*points));
    rated.into_iter().take(MOST).map(|(_, indexed)| found(indexed, words[0])).collect()
}

/// How well a section fits; nothing if a word is missing.
fn rate(indexed: &Indexed, words: &[&str]) -> Option<usize> {
    let mut points = 0;
    for word in words {
        let best = |text: &str, whole: usize| points_of(text, word, whole).first().copied().unwrap_or_default();
        let of_text = points_of(&indexed.text, word, 20).into_iter().take(MOST_COUNTED).sum::<usize>();
        let of_word = best(&indexed.title, 200) + best(&indexed.heading, 300) + of_text;
        if of_word == 0 {
            return None;
        }
        points += of_word;
    }
    let is_further = FURTHER.iter().any(|start| indexed.page.address.starts_with(start));
    Some(if is_further { points } else { points * 2 })
}

/// What each place is worth where a text has a word, the best first: all of `whole` for the word itself, half for the beginning of
/// another one, as `browse` is of `browser`, and next to nothing within another one, as `port` is in `support`.
fn points_of(text: &str, word: &str, whole: usize) -> Vec<usize> {
    // What is asked for may be longer than a word, such as `server.listen`.
    if word.contains(|c: char| !is_of_word(c)) {
        return text.matches(word).map(|_| whole).collect();
    }
    let worth = |found: &str| match found.find(word)? {
        _ if found == word => Some(whole),
        0 => Some(whole / 2),
        _ => Some((whole / 30).max(1)),
    };
    let mut points = text.split(|c: char| !is_of_word(c)).filter_map(worth).collect::<Vec<_>>();
    points.sort_unstable_by_key(|points| Reverse(*points));
    points
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn found(indexed: &Indexed, word: &str) -> Found {
    let Indexed { page, section, .. } = indexed;
    let anchor = if section.id.is_empty() { String::new() } else { format!("#{}", section.id) };
    let heading = if section.id.is_empty() { "" } else { section.heading.as_str() };
    Found {
        path: format!("{}{anchor}", page.path()),
        title: &page.title,
        heading,
        excerpt: excerpt(&section.text, word),
    }
}

/// The text around a word, cut between words.
fn excerpt(text: &str, word: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>();
    let is_whole = |shown: &str| folded(shown).trim_matches(|c: char| !is_of_word(c)) == word;
    let whole = words.iter().position(|shown| is_whole(shown));
    let at = whole.or_else(|| words.iter().position(|shown| folded(shown).contains(word))).unwrap_or(0);
    let first = at.saturating_sub(8);
    let mut shown = String::from(if first > 0 { "… " } else { "" });
    for word in &words[first..] {
        if shown.len() + word.len() > EXCERPT {
            shown.push('…');
            break;
        }
        shown.push_str(word);
        shown.push(' ');
    }
    shown.trim_end().to_owned()
}

/// In lower case and without accents.
fn folded(text: &str) -> String {
    deunicode(text).to_lowercase()
}
