//! Lists in the order of a column: of which, which way, and where a page of them begins.
//!
//! The address says it as `sort=total`, or `sort=-total` for the greatest first. Rows with the same value are in the order of their keys,
//! so a page begins behind a value and a key, and none is lost or comes twice. What nobody can mean is as if it was not said.

use std::cmp::Ordering;

use chrono::{DateTime, Utc};

use crate::PageSql;
use crate::db::{Query, Sql};

/// Up to so many rows that are left of a narrowed list are read whole, to be sorted.
pub const MOST_SORTED: i64 = 1_000;

/// What stands between key and value of the row that a page begins behind.
const BETWEEN: char = '*';

/// Which way rows are in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// The least first.
    Ascending,
    /// The greatest first.
    Descending,
}

impl Direction {
    /// The other way round.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Ascending => Self::Descending,
            Self::Descending => Self::Ascending,
        }
    }

    /// The statement that reads a page this way.
    pub const fn page(self, page: PageSql) -> Sql {
        match self {
            Self::Ascending => page.ascending,
            Self::Descending => page.descending,
        }
    }

    fn of(self, ordering: Ordering) -> Ordering {
        match self {
            Self::Ascending => ordering,
            Self::Descending => ordering.reverse(),
        }
    }
}

/// What a row is sorted by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum SortValue {
    /// A number, an amount or an id.
    Number(i64),
    /// A text, byte by byte.
    Text(String),
    /// A time.
    Time(DateTime<Utc>),
}

impl SortValue {
    /// As the address has it.
    fn written(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Text(text) => text.clone(),
            Self::Time(time) => time.to_rfc3339(),
        }
    }
}

/// What rows can be sorted by.
pub trait SortBy {
    /// Which way a column of these is sorted first.
    const FIRST: Direction;

    /// The value to compare.
    fn value(self) -> SortValue;

    /// What the address says of a value, if it is one.
    fn read(written: &str) -> Option<SortValue>;
}

/// Reads a value of a column out of the address.
pub(super) type Read = fn(&str) -> Option<SortValue>;

impl SortBy for i64 {
    const FIRST: Direction = Direction::Descending;

    fn value(self) -> SortValue {
        SortValue::Number(self)
    }

    fn read(written: &str) -> Option<SortValue> {
        written.parse().ok().map(SortValue::Number)
    }
}

impl SortBy for String {
    const FIRST: Direction = Direction::Ascending;

    fn value(self) -> SortValue {
        SortValue::Text(self)
    }

    fn read(written: &str) -> Option<SortValue> {
        Some(SortValue::Text(written.to_owned()))
    }
}

impl SortBy for DateTime<Utc> {
    const FIRST: Direction = Direction::Descending;

    fn value(self) -> SortValue {
        SortValue::Time(self)
    }

    fn read(written: &str) -> Option<SortValue> {
        written.parse().ok().map(SortValue::Time)
    }
}

/// The column that a list is sorted by, which way, and the value of the row that its page begins behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sort {
    /// What the address calls the column.
    pub column: &'static str,
    /// Which way.
    pub direction: Direction,
    /// The value of the row that the page begins behind.
    pub behind: Option<SortValue>,
}

impl Sort {
    /// The parts of the rows behind the one with this id, in their order: those that have its value, and those of values beyond it. Each
    /// is a statement for which an index knows where to begin, as no database knows it of both at once.
    fn parts(&self, after: Option<i64>) -> Vec<SortPart> {
        let Some((id, value)) = after.zip(self.behind.clone()) else { return vec![SortPart::default()] };
        vec![SortPart { same: Some((value.clone(), id)), beyond: None }, SortPart { same: None, beyond: Some(value) }]
    }

    /// Reads so many of the rows behind the one with this id: `read` runs the statement for a part of them, and is told how many are left to
    /// be read.
    pub async fn read<T, E, R: Future<Output = Result<Vec<T>, E>>>(
        &self,
        after: Option<i64>,
        limit: i64,
        read: impl Fn(SortPart, i64) -> R,
    ) -> Result<Vec<T>, E> {
        let mut found = Vec::new();
        for part in self.parts(after) {
            let left = RowsWanted::left(limit, found.len());
            if left > 0 {
                found.extend(read(part, left).await?);
            }
        }
        Ok(found)
    }
}

/// Some of the rows of a list in the order of an index: those that have a value and follow an id, those of values beyond one, or all.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SortPart {
    same: Option<(SortValue, i64)>,
    beyond: Option<SortValue>,
}

impl SortPart {
    /// Binds the next three placeholders, which are those of [`sorted_sql!`](crate::sorted_sql).
    pub fn bind(self, query: Query<'_>) -> Query<'_> {
        let (same, after) = self.same.unzip();
        bind_value(bind_value(query, same).bind(after), self.beyond)
    }
}

/// Nothing is nothing of any kind: what it belongs to is left out of the statement.
fn bind_value(query: Query<'_>, value: Option<SortValue>) -> Query<'_> {
    match value {
        None => query.bind(None::<i64>),
        Some(SortValue::Number(number)) => query.bind(number),
        Some(SortValue::Text(text)) => query.bind(text),
        Some(SortValue::Time(time)) => query.bind(time),
    }
}

/// Which rows of a list are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowsWanted {
    /// The order; none is the list's own.
    pub sort: Option<Sort>,
    /// The id of the row that they begin behind.
    pub after: Option<i64>,
    /// At most so many.
    pub limit: i64,
}

impl RowsWanted {
    /// So many behind the row that the address names, in this order, of which `read` knows the values.
    pub(super) fn behind(sort: Option<&(Sort, Read)>, after: Option<&str>, limit: i64) -> Self {
        let (id, value) = match after.map(|after| after.split_once(BETWEEN).ok_or(after)) {
            None => (None, None),
            Some(Ok((id, value))) => (Some(id), Some(value)),
            Some(Err(id)) => (Some(id), None),
        };
        let sort = sort.map(|(sort, read)| Sort { behind: value.and_then(read), ..sort.clone() });
        Self { sort, after: id.and_then(|id| id.parse().ok()), limit }
    }

    /// How many are left to be read when so many are there.
    pub fn left(limit: i64, found: usize) -> i64 {
        limit.saturating_sub(i64::try_from(found).unwrap_or(i64::MAX))
    }
}

/// What a row is known by, of which numbers are compared as such.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum RowKey {
    Id(i64),
    Name(String),
}

impl RowKey {
    fn of(key: &str) -> Self {
        key.parse().map_or_else(|_| Self::Name(key.to_owned()), Self::Id)
    }
}

/// Where a row stands in its list.
#[derive(Debug, Clone)]
pub(super) struct RowPlace {
    sorted: Option<(SortValue, RowKey)>,
    /// What the address calls it, to begin a page behind it.
    pub(super) written: String,
}

impl RowPlace {
    /// That of a row which is known by this, and sorted by this value if the list is sorted.
    pub(super) fn of(key: String, value: Option<SortValue>) -> Self {
        match value {
            None => Self { sorted: None, written: key },
            Some(value) => {
                let written = format!("{key}{BETWEEN}{}", value.written());
                Self { sorted: Some((value, RowKey::of(&key))), written }
            }
        }
    }

    /// Which of two rows comes first in a list that is sorted this way.
    pub(super) fn compare(&self, other: &Self, direction: Direction) -> Ordering {
        direction.of(self.sorted.cmp(&other.sorted))
    }

    /// Where a page begins among these rows, behind the one that the address calls so; it may be gone, or have changed.
    pub(super) fn begin(places: &[Self], sorted: Option<(Direction, Read)>, written: &str) -> usize {
        if let Some(at) = places.iter().position(|place| place.written == written) {
            return at + 1;
        }
        let behind = sorted.and_then(|(direction, read)| {
            let (key, value) = written.split_once(BETWEEN)?;
            Some((direction, Self { sorted: Some((read(value)?, RowKey::of(key))), written: written.to_owned() }))
        });
        let Some((direction, behind)) = behind else { return 0 };
        places.iter().position(|place| place.compare(&behind, direction).is_gt()).unwrap_or(places.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(rows: &[(i64, &str)]) -> Vec<RowPlace> {
        rows.iter().map(|(price, key)| RowPlace::of((*key).to_owned(), Some(SortValue::Number(*price)))).collect()
    }

    #[test]
    fn a_page_goes_on_where_its_last_row_was() {
        let mut rows = places(&[(5, "2"), (7, "10"), (7, "9"), (9, "1")]);
        rows.sort_by(|one, other| one.compare(other, Direction::Descending));
        let written = rows.iter().map(|row| row.written.as_str()).collect::<Vec<_>>();
        assert_eq!(written, ["1*9", "10*7", "9*7", "2*5"]);
        let begin = |written: &str| RowPlace::begin(&rows, Some((Direction::Descending, i64::read as Read)), written);
        assert_eq!((begin("10*7"), begin("2*5")), (2, 4));
        // These are gone meanwhile, or cost something else.
        assert_eq!((begin("8*7"), begin("11*7"), begin("10*6"), begin("3*1")), (3, 1, 3, 4));
        assert_eq!((begin("10*dear"), begin("nobody")), (0, 0));
    }

    #[test]
    fn rows_behind_another_have_its_value_or_one_beyond() {
        let sort = Sort { column: "total", direction: Direction::Ascending, behind: None };
        let sort = (sort, <i64 as SortBy>::read as Read);
        let parts = |after: &str| {
            let wanted = RowsWanted::behind(Some(&sort), Some(after), 50);
            wanted.sort.expect("it is sorted").parts(wanted.after)
        };
        let value = SortValue::Number(995);
        let same = SortPart { same: Some((value.clone(), 12)), beyond: None };
        assert_eq!(parts("12*995"), [same, SortPart { same: None, beyond: Some(value) }]);
        for nonsense in ["12", "x*995", "12*x", "*"] {
            assert_eq!(parts(nonsense), [SortPart::default()], "{nonsense}");
        }
        assert_eq!(RowsWanted::behind(None, Some("12*995"), 50), RowsWanted { sort: None, after: Some(12), limit: 50 });
    }
}
