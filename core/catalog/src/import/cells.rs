//! Fields of a CSV row read by their meaning, with every problem noted.

use stoa_kernel::money::Currency;

use super::Member;
use super::amount::amount;
use super::header::Column;
use super::html::{LineFeeds, MAX_HTML_BYTES, plain_text};
use super::problems::{Problems, shown};
use super::rows::Row;
use super::rules::{self, MAX_DESCRIPTION};

/// A row whose fields are being read.
pub(super) struct Cells<'r> {
    pub(super) row: &'r Row,
    pub(super) problems: &'r mut Problems,
    /// What removes the escapes that the exporting system adds to every field.
    pub(super) unescape: fn(&str) -> &str,
}

impl Cells<'_> {
    /// Notes a problem of a column.
    pub(super) fn problem(&mut self, column: &Column, reason: impl Into<String>) {
        self.problems.add(self.row.line, Some(column.place()), reason);
    }

    /// Notes something of a column that is left out or changed.
    pub(super) fn note(&mut self, column: &Column, reason: impl Into<String>) {
        self.problems.note(self.row.line, Some(column.place()), reason);
    }

    fn noted<T>(&mut self, column: &Column, result: Result<T, String>) -> Option<T> {
        result.map_err(|reason| self.problem(column, reason)).ok()
    }

    /// The field as it stands, trimmed; empty when the file has no such column.
    pub(super) fn raw(&mut self, column: Option<&Column>) -> &str {
        let Some(column) = column else { return "" };
        match column.text(self.row) {
            Ok(text) => (self.unescape)(text),
            Err(problem) => {
                self.problems.add(problem.line, problem.place, problem.reason);
                ""
            }
        }
    }

    /// A text of one line, unless it is blank. Where somebody has pasted a line break or a tab, there is a blank.
    pub(super) fn line(&mut self, column: Option<&Column>, limit: usize) -> Option<String> {
        let parts = self.raw(column).split(['\n', '\r', '\t']).map(str::trim).filter(|part| !part.is_empty());
        let text = parts.collect::<Vec<_>>().join(" ");
        let result = rules::single_line(&text, limit);
        column.and_then(|column| self.noted(column, result)).flatten()
    }

    /// A text of one line that must not be blank.
    pub(super) fn required_line(&mut self, column: &Column, limit: usize) -> Option<String> {
        if self.raw(Some(column)).is_empty() {
            if !self.problems.mentions_at(self.row.line, column.place().name()) {
                self.problem(column, "is empty");
            }
            return None;
        }
        self.line(Some(column), limit)
    }

    /// The plain text of an HTML source, unless it is blank.
    pub(super) fn html(
        &mut self,
        column: Option<&Column>,
        line_feeds: LineFeeds,
        prepare: fn(&str) -> String,
    ) -> Option<String> {
        let source = prepare(self.raw(column));
        let result = if source.len() > MAX_HTML_BYTES {
            Err(format!("has {} bytes; at most {MAX_HTML_BYTES} are allowed", source.len()))
        } else {
            rules::multi_line(&plain_text(&source, line_feeds), MAX_DESCRIPTION)
        };
        column.and_then(|column| self.noted(column, result)).flatten()
    }

    /// An amount that must be there, in minor units.
    pub(super) fn amount(&mut self, column: &Column, currency: Currency) -> Option<i64> {
        let text = self.raw(Some(column)).to_owned();
        if text.is_empty() && self.problems.mentions_at(self.row.line, column.place().name()) {
            return None;
        }
        self.noted(column, amount(&text, currency))
    }

    /// One of the words of a table, in any case; nothing when the field is empty.
    pub(super) fn word<T: Copy>(&mut self, column: Option<&Column>, words: &[(&str, T)]) -> Option<T> {
        let text = self.raw(column).to_lowercase();
        if text.is_empty() {
            return None;
        }
        let found = words.iter().find(|(word, _)| *word == text).map(|(_, meaning)| *meaning);
        if let (None, Some(column)) = (found, column) {
            let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            let reason = format!("{} is not one of `{}`", shown(&text), known.join("`, `"));
            self.problem(column, reason);
        }
        found
    }

    /// An image, unless the field is blank.
    pub(super) fn image(&mut self, column: &Column, text: &str) -> Option<String> {
        // Exports write the address as it was typed in; a blank in it is the one common slip.
        let text = text.trim().replace(' ', "%20");
        let checked = rules::single_line(&text, usize::MAX)
            .and_then(|text| text.as_deref().map_or(Ok(()), rules::check_image).map(|()| text));
        self.noted(column, checked).flatten()
    }

    /// A number of pieces: below 0, as after overselling, counts as none. Nothing when the field is blank.
    pub(super) fn quantity(&mut self, column: Option<&Column>) -> Option<i64> {
        let text = self.raw(column).to_owned();
        if text.is_empty() {
            return None;
        }
        // Some shops sell by weight and export `5.000`; parts of a piece cannot be kept in stock.
        let whole = text.split_once('.').map_or(text.as_str(), |(whole, _)| whole);
        let parsed = whole.parse::<i64>().map(|quantity| quantity.clamp(0, MAX_QUANTITY));
        let result = parsed.map_err(|_| format!("{} is no number of pieces", shown(&text)));
        column.and_then(|column| self.noted(column, result))
    }
}

/// A member of a column that the file may not have.
pub(super) fn when<T>(column: Option<&Column>, member: Member<T>) -> Member<T> {
    if column.is_some() { member } else { Member::Absent }
}

/// The most pieces that are taken over from a file.
pub(super) const MAX_QUANTITY: i64 = 1_000_000_000;
