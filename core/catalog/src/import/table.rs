//! The rows of a CSV file below its header.

use std::io::BufRead;

use super::header::Header;
use super::input::Input;
use super::outcome::Problem;
use super::rows::{DELIMITERS, NextRow, Row, RowReader, first_row};
use super::{Format, UnreadableFile};

/// A CSV file whose header was read and has the columns that its format requires.
#[derive(Debug)]
pub(super) struct Table<R> {
    pub(super) rows: RowReader<R>,
    pub(super) header: Header,
    /// The fewest fields of a row: as many as the header has, unless the format writes shorter ones.
    pub(super) fewest: usize,
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
        let fits = |delimiter: &u8| {
            first_row(first_bytes, *delimiter).is_some_and(|row| format.lacking(&Header::new(&row)).is_empty())
        };
        let delimiter = DELIMITERS.into_iter().find(fits).unwrap_or(DELIMITERS[0]);
        let mut rows = RowReader::new(input, delimiter);
        let header = match rows.next()? {
            NextRow::Row(row) => Header::new(&row),
            NextRow::Broken { reason, .. } => return Err(UnreadableFile::BadHeader { reason }),
            NextRow::End => return Err(UnreadableFile::Empty),
        };
        let missing = format.lacking(&header);
        if missing.is_empty() {
            return Ok(Self { rows, fewest: header.len(), header });
        }
        if let Some(found) = Format::of_content(first_bytes) {
            return Err(UnreadableFile::OtherFormat { expected: format, found });
        }
        if format == Format::Woocommerce && Format::is_foreign(first_bytes) {
            return Err(UnreadableFile::UnknownLanguage);
        }
        Err(UnreadableFile::MissingColumns { format, missing })
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
                        if fault.is_none() {
                            self.header.left_out.count(&row);
                        }
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
        (row.len() < self.fewest || surplus).then(|| Problem::new(row.line, None, reason))
    }
}
