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
        let of_word = [(&indexed.title, 20), (&indexed.heading, 30)]
            .into_iter()
            .map(|(text, points)| points_of(text, word, points))
            .sum::<usize>()
            + indexed.text.matches(word).take(MOST_COUNTED).count();
        if of_word == 0 {
            return None;
        }
        points += of_word;
    }
    let is_further = FURTHER.iter().any(|start| indexed.page.address.starts_with(start));
    Some(if is_further { points } else { points * 2 })
}

/// What a word in a title is worth: half if it is a part of another one, as `browse` is of `browser`.
fn points_of(text: &str, word: &str, points: usize) -> usize {
    let is_whole = || text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|whole| whole == word);
    match text.contains(word) {
        true if is_whole() || word.contains(|c: char| !c.is_alphanumeric()) => points,
        true => points / 2,
        false => 0,
    }
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
    let at = words.iter().position(|shown| folded(shown).contains(word)).unwrap_or(0);
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
