//! Which filled columns of a CSV file are not taken over.

use std::cell::Cell;

use super::header::Column;
use super::rows::Row;

/// A column of which something was not taken over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOutColumn {
    /// Its name in the header.
    pub name: String,
    /// How many rows say something there that was not taken over.
    pub rows: u64,
}

/// What says nothing in any column.
const NOTHING: [&str; 4] = ["", "0", "false", "taxable"];

/// Counts for each column of a file the rows that say something there, as long as nobody reads it.
#[derive(Debug)]
pub(super) struct LeftOut {
    columns: Vec<Counted>,
}

#[derive(Debug, Default)]
struct Counted {
    is_read: Cell<bool>,
    /// What says nothing in this column alone.
    usual: Cell<Option<&'static str>>,
    rows: u64,
}

impl LeftOut {
    pub(super) fn new(columns: usize) -> Self {
        Self { columns: std::iter::repeat_with(Counted::default).take(columns).collect() }
    }

    /// Marks a column as read.
    pub(super) fn read(&self, index: usize) {
        self.columns[index].is_read.set(true);
    }

    /// Says which value is the usual one of a column that is not read.
    pub(super) fn usual(&self, index: usize, value: &'static str) {
        self.columns[index].usual.set(Some(value));
    }

    /// Counts what a row says in columns that are not read.
    pub(super) fn count(&mut self, row: &Row) {
        for (column, field) in self.columns.iter_mut().zip(row.fields()).filter(|(column, _)| !column.is_read.get()) {
            let field = field.trim_ascii();
            let is = |text: &&str| field.eq_ignore_ascii_case(text.as_bytes());
            if !NOTHING.iter().any(&is) && !column.usual.get().is_some_and(|usual| is(&usual)) {
                column.rows += 1;
            }
        }
    }

    /// Counts so many rows of a column that is read, but had something that has no place.
    pub(super) fn add(&mut self, column: &Column, rows: u64) {
        self.columns[column.index()].rows += rows;
    }

    /// The columns of which something was not taken over; `name` gives their names.
    pub(super) fn columns<'a>(&self, name: impl Fn(usize) -> &'a str) -> Vec<LeftOutColumn> {
        let filled = self.columns.iter().enumerate().filter(|(_, column)| column.rows > 0);
        filled.map(|(index, column)| LeftOutColumn { name: name(index).to_owned(), rows: column.rows }).collect()
    }
}
