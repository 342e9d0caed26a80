//! Problems gathered while a record is read, and the wording they have in common.

use stoa_kernel::commands::printable;

use super::outcome::{Problem, ProblemLocation, ReadItem, Rejection};

/// Gathers the problems of one record, up to a number that a person would still read.
#[derive(Debug, Default)]
pub(super) struct Problems {
    found: Vec<Problem>,
    unlisted: usize,
    /// What was left out or changed, worth telling if the record is taken.
    notes: Vec<Problem>,
}

impl Problems {
    const LISTED: usize = 20;

    pub(super) fn add(&mut self, line: u64, place: Option<ProblemLocation>, reason: impl Into<String>) {
        if self.found.len() < Self::LISTED {
            self.found.push(Problem::new(line, place, reason));
        } else {
            self.unlisted += 1;
        }
    }

    /// Notes something that is left out or changed, but no reason to refuse the record.
    pub(super) fn note(&mut self, line: u64, place: Option<ProblemLocation>, reason: impl Into<String>) {
        if self.notes.len() < Self::LISTED {
            self.notes.push(Problem::new(line, place, reason));
        }
    }

    /// What was noted, as it is told when the record is taken.
    pub(super) fn notices(&mut self) -> impl Iterator<Item = ReadItem> {
        std::mem::take(&mut self.notes).into_iter().map(|note| ReadItem::notice(note.line, note.place, note.reason))
    }

    /// Whether there is nothing for which the record is refused.
    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Whether further problems are only counted.
    pub(super) fn is_full(&self) -> bool {
        self.found.len() >= Self::LISTED
    }

    /// Whether a problem of this member is noted.
    pub(super) fn mentions(&self, member: &str) -> bool {
        self.found.iter().any(|problem| problem.place.as_ref().is_some_and(|p| p.name() == member))
    }

    /// Whether a problem of this column on this line is noted.
    pub(super) fn mentions_at(&self, line: u64, column: &str) -> bool {
        let there =
            |problem: &Problem| problem.line == line && problem.place.as_ref().is_some_and(|p| p.name() == column);
        self.found.iter().any(there)
    }

    /// Notes a problem in place of all others of its line.
    pub(super) fn replace_line(&mut self, problem: Problem) {
        self.found.retain(|other| other.line != problem.line);
        self.add(problem.line, problem.place, problem.reason);
    }

    pub(super) fn absorb(&mut self, other: Self) {
        for problem in other.found {
            self.add(problem.line, problem.place, problem.reason);
        }
        self.unlisted += other.unlisted;
        self.notes.extend(other.notes);
    }

    /// The rejection of a record that has a problem at least.
    pub(super) fn into_rejection(mut self, slug: Option<String>) -> Rejection {
        if self.unlisted > 0
            && let Some(last) = self.found.last_mut()
        {
            last.reason = format!("{} (and {} more problems)", last.reason, self.unlisted);
        }
        let slug = slug.filter(|slug| !slug.is_empty()).map(|slug| printable(&slug, &[]).into_owned());
        Rejection { slug, problems: self.found }
    }
}

/// A text of the file as a message may show it: short and printable.
pub(super) fn shown(text: &str) -> String {
    const LENGTH: usize = 60;
    let short: String = text.chars().take(LENGTH).collect();
    let ellipsis = if short.len() < text.len() { "…" } else { "" };
    format!("\"{}{ellipsis}\"", printable(&short, &[]))
}
