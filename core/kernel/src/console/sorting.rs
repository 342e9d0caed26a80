//! What a list can be sorted by, and what it was asked to be sorted by.

use super::sort::{Direction, Read, RowPlace, Sort, SortBy, SortValue};

/// A column that rows can be sorted by.
struct SortColumn<T> {
    name: &'static str,
    value: Box<dyn Fn(&T) -> SortValue + Send + Sync>,
    read: Read,
}

/// The columns that rows can be sorted by, and the one that was asked for.
pub(super) struct Sorting<T> {
    columns: Vec<SortColumn<T>>,
    /// The order that the list is in by itself.
    own: Option<(&'static str, Direction)>,
    asked: Option<(Sort, Read)>,
    is_given_up: bool,
}

impl<T> Default for Sorting<T> {
    fn default() -> Self {
        Self { columns: Vec::new(), own: None, asked: None, is_given_up: false }
    }
}

impl<T> Sorting<T> {
    /// Adds a column that the address calls so.
    pub(super) fn add<V: SortBy>(&mut self, name: &'static str, value: impl Fn(&T) -> V + Send + Sync + 'static) {
        self.columns.push(SortColumn { name, value: Box::new(move |row| value(row).value()), read: V::read });
    }

    /// Says in which order the list is by itself.
    pub(super) fn begin(&mut self, name: &'static str, direction: Direction) {
        self.own = Some((name, direction));
    }

    /// Takes what the address asks for: `total`, or `-total`; what the list cannot be sorted by asks for nothing.
    pub(super) fn ask(&mut self, asked: Option<&str>) {
        let Some(asked) = asked else { return };
        let (name, direction) = match asked.strip_prefix('-') {
            Some(name) => (name, Direction::Descending),
            None => (asked, Direction::Ascending),
        };
        let column = self.columns.iter().find(|column| column.name == name);
        let column = column.filter(|column| self.own != Some((column.name, direction)));
        self.asked = column.map(|column| (Sort { column: column.name, direction, behind: None }, column.read));
    }

    /// What was asked for, unless the list is in that order by itself; and how its values are read.
    pub(super) fn asked(&self) -> Option<&(Sort, Read)> {
        self.asked.as_ref()
    }

    /// Leaves the list in its own order.
    pub(super) fn give_up(&mut self) {
        self.is_given_up = self.asked.take().is_some();
    }

    pub(super) fn is_given_up(&self) -> bool {
        self.is_given_up
    }

    /// The order that the list is shown in, as far as it is that of a column.
    pub(super) fn shown(&self) -> Option<(&'static str, Direction)> {
        self.asked.as_ref().map(|(sort, _)| (sort.column, sort.direction)).or(self.own)
    }

    /// Where a row stands that is known by this.
    pub(super) fn place(&self, key: String, row: &T) -> RowPlace {
        let asked = self.asked.as_ref().map(|(sort, _)| sort.column);
        let column = self.columns.iter().find(|column| Some(column.name) == asked);
        RowPlace::of(key, column.map(|column| (column.value)(row)))
    }
}
