//! The header of a CSV file, and fields found by their column.

use stoa_kernel::commands::printable;

use super::UnreadableFile;
use super::left_out::{LeftOut, LeftOutColumn};
use super::outcome::{Problem, ProblemLocation};
use super::rows::Row;

/// The names of a column, the usual one first; other versions of the same system use the others.
pub(super) type Names = &'static [&'static str];

/// A column that the file has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Column {
    index: usize,
    name: String,
}

impl Column {
    /// Where a problem in this column is.
    pub(super) fn place(&self) -> ProblemLocation {
        ProblemLocation::Column(self.name.clone())
    }

    /// Its position in the header.
    pub(super) const fn index(&self) -> usize {
        self.index
    }

    /// The field of a row, trimmed.
    pub(super) fn text<'r>(&self, row: &'r Row) -> Result<&'r str, Problem> {
        match std::str::from_utf8(row.field(self.index)) {
            Ok(text) => Ok(text.trim()),
            Err(_) => Err(Problem::new(
                row.line,
                Some(self.place()),
                "is not encoded in UTF-8: save the file as UTF-8 (CSV UTF-8 in spreadsheets)",
            )),
        }
    }
}

/// The names in the first row.
#[derive(Debug)]
pub(super) struct Header {
    names: Vec<String>,
    folded: Vec<String>,
    /// What is filled and never read: looking for a column makes it one that is read.
    pub(super) left_out: LeftOut,
}

impl Header {
    pub(super) fn new(row: &Row) -> Self {
        let name = |field: &[u8]| String::from_utf8_lossy(field).trim().to_owned();
        let names = row.fields().map(name).collect::<Vec<_>>();
        let folded = names.iter().map(|name| folded(name)).collect();
        Self { left_out: LeftOut::new(names.len()), names, folded }
    }

    pub(super) const fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is a column with one of these names.
    pub(super) fn has(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.positions(name).next().is_some())
    }

    /// The columns of `required` that are missing, by their usual names.
    pub(super) fn lacking(&self, required: &[Names]) -> Vec<&'static str> {
        required.iter().filter(|names| !self.has(names)).map(|names| names[0]).collect()
    }

    /// The column with one of these names, which then counts as read; an error when a name stands twice.
    pub(super) fn find(&self, names: &[&str]) -> Result<Option<Column>, UnreadableFile> {
        for name in names {
            let mut positions = self.positions(name);
            if let Some(index) = positions.next() {
                let name = printable(&self.names[index], &[]).into_owned();
                if positions.next().is_some() {
                    return Err(UnreadableFile::RepeatedColumn { name });
                }
                self.left_out.read(index);
                return Ok(Some(Column { index, name }));
            }
        }
        Ok(None)
    }

    /// A column without which nothing can be imported.
    pub(super) fn required(&self, names: &[&str]) -> Result<Column, UnreadableFile> {
        self.find(names)?
            .ok_or_else(|| UnreadableFile::BadHeader { reason: format!("it has no column `{}`", names[0]) })
    }

    /// Says which value is the usual one of a column that is not read.
    pub(super) fn usual(&self, names: &[&str], value: &'static str) {
        for index in names.iter().flat_map(|name| self.positions(name)) {
            self.left_out.usual(index, value);
        }
    }

    /// The names of all columns, without what tells capital letters and kinds of blanks apart.
    pub(super) fn folded_names(&self) -> impl Iterator<Item = &str> {
        self.folded.iter().map(String::as_str)
    }

    /// The columns of which something was not taken over.
    pub(super) fn left_out_columns(&self) -> Vec<LeftOutColumn> {
        self.left_out.columns(|index| &self.names[index])
    }

    fn positions(&self, name: &str) -> impl Iterator<Item = usize> {
        let name = folded(name);
        let names = self.folded.iter().enumerate();
        names.filter(move |(_, own)| **own == name).map(|(index, _)| index)
    }
}

/// A name without what tells capital letters, kinds of blanks and kinds of apostrophes apart: translators vary them.
pub(super) fn folded(name: &str) -> String {
    let words = name.split_whitespace().map(|word| word.replace('’', "'").to_lowercase());
    words.collect::<Vec<_>>().join(" ")
}
