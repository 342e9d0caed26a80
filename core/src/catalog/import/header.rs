//! The header of a CSV file, and fields found by their column.

use std::io::BufRead;

use super::input::Input;
use super::outcome::{Place, Problem};
use super::rows::{DELIMITERS, NextRow, Row, RowReader, first_row};
use super::{Format, UnreadableFile};
use crate::commands::printable;

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
    pub(super) fn place(&self) -> Place {
        Place::Column(self.name.clone())
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
}

impl Header {
    pub(super) fn new(row: &Row) -> Self {
        let name = |field: &[u8]| String::from_utf8_lossy(field).trim().to_owned();
        Self { names: row.fields().map(name).collect() }
    }

    pub(super) const fn len(&self) -> usize {
        self.names.len()
    }

    /// The columns of `required` that are missing, by their usual names.
    pub(super) fn lacking(&self, required: &[Names]) -> Vec<&'static str> {
        let missing = |names: &&Names| names.iter().all(|name| self.positions(name).next().is_none());
        required.iter().filter(missing).map(|names| names[0]).collect()
    }

    /// The column with one of these names; an error when a name stands twice.
    pub(super) fn find(&self, names: &[&str]) -> Result<Option<Column>, UnreadableFile> {
        for name in names {
            let mut positions = self.positions(name);
            if let Some(index) = positions.next() {
                let name = printable(&self.names[index], &[]).into_owned();
                if positions.next().is_some() {
                    return Err(UnreadableFile::RepeatedColumn { name });
                }
                return Ok(Some(Column { index, name }));
            }
        }
        Ok(None)
    }

    /// The names of all columns.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    fn positions(&self, name: &str) -> impl Iterator<Item = usize> {
        let name = name.to_lowercase();
        let names = self.names.iter().enumerate();
        names.filter(move |(_, own)| own.to_lowercase() == name).map(|(index, _)| index)
    }
}

/// A CSV file whose header was read and has the columns that its format requires.
#[derive(Debug)]
pub(super) struct Table<R> {
    pub(super) rows: RowReader<R>,
    pub(super) header: Header,
}

/// What a table holds next.
#[derive(Debug)]
pub(super) enum TableRow {
    /// A row with as many fields as the header, or one that says why it is not.
    Row {
        row: Row,
        fault: Option<Problem>,
    },
    /// Something that is no row at all.
    Broken(Problem),
    End,
}

impl<R: BufRead> Table<R> {
    pub(super) fn open(input: Input<R>, first_bytes: &[u8], format: Format) -> Result<Self, UnreadableFile> {
        let required = format.required_columns();
        let fits = |delimiter: &u8| {
            first_row(first_bytes, *delimiter).is_some_and(|row| Header::new(&row).lacking(required).is_empty())
        };
        let delimiter = DELIMITERS.into_iter().find(fits).unwrap_or(DELIMITERS[0]);
        let mut rows = RowReader::new(input, delimiter);
        let header = match rows.next()? {
            NextRow::Row(row) => Header::new(&row),
            NextRow::Broken { reason, .. } => return Err(UnreadableFile::BadHeader { reason }),
            NextRow::End => return Err(UnreadableFile::Empty),
        };
        let missing = header.lacking(required);
        if missing.is_empty() {
            return Ok(Self { rows, header });
        }
        if let Some(found) = Format::of_content(first_bytes) {
            return Err(UnreadableFile::OtherFormat { expected: format, found });
        }
        let hint = match format {
            Format::Woocommerce => {
                "WooCommerce names the columns in the language of the user who exports; switch that user to English and export again"
            }
            Format::Shopify | Format::Stoa => "export the products again without changing the header",
        };
        Err(UnreadableFile::MissingColumns { format, missing, hint })
    }

    /// Reads the next row; rows without any text are left out.
    pub(super) fn next(&mut self) -> Result<TableRow, UnreadableFile> {
        loop {
            match self.rows.next()? {
                NextRow::End => return Ok(TableRow::End),
                NextRow::Broken { line, reason } => {
                    return Ok(TableRow::Broken(Problem::new(line, None, reason)));
                }
                NextRow::Row(row) => {
                    if row.fields().any(|field| !field.trim_ascii().is_empty()) {
                        let fault = self.check_width(&row);
                        return Ok(TableRow::Row { row, fault });
                    }
                }
            }
        }
    }

    /// Some programs add empty fields at the end, which cannot mean anything; fewer ones could.
    fn check_width(&self, row: &Row) -> Option<Problem> {
        let expected = self.header.len();
        let surplus = row.fields().skip(expected).any(|field| !field.trim_ascii().is_empty());
        let reason = format!(
            "the row has {} columns, but the header has {expected} (is a quotation mark or a comma missing?)",
            row.len()
        );
        (row.len() < expected || surplus).then(|| Problem::new(row.line, None, reason))
    }
}
