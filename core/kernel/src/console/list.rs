//! Lists of the console as data: columns, filters and what can be done with a row. The console shows them, a page at a time, and
//! exports them whole.
//!
//! A page begins behind a row, whose id the address carries as `after`, so that the millionth row costs what the first does.

use std::sync::Arc;

use super::sort::{Direction, SortBy};
use super::sorting::Sorting;
use super::{Cell, RowAct, Staff};
use crate::money::MoneyFormatter;

/// Rows of a page.
pub const PER_PAGE: i64 = 50;

/// Up to here rows are counted for "51–100 of 1,234".
pub const MOST_COUNTED: i64 = 10_000;

/// Up to here rows are counted that are searched for, since each has to be looked up.
pub const MOST_FOUND: i64 = 500;

/// Where there are no more rows of a kind than this, they are looked up one by one; else the kind is looked for from row to row.
pub const FEW_OF_A_KIND: i64 = 2_000;

/// How many rows there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowCount {
    /// So many, or at least so many.
    pub number: i64,
    /// Whether there are more.
    pub more: bool,
}

impl RowCount {
    /// What a statement has counted that stops behind [`MOST_COUNTED`].
    pub fn of(number: i64) -> Self {
        Self::up_to(MOST_COUNTED, number)
    }

    /// What a statement has counted that stops behind `most`.
    pub fn up_to(most: i64, number: i64) -> Self {
        Self { number: number.min(most), more: number > most }
    }
}

/// What narrows a list.
#[derive(Debug, Clone)]
pub struct Filter {
    /// The name of its value in the address.
    pub name: &'static str,
    /// What it is called.
    pub label: &'static str,
    /// What is put in.
    pub kind: FilterKind,
}

/// What is put into a filter.
#[derive(Debug, Clone)]
pub enum FilterKind {
    /// What is looked for; with an example.
    Search(&'static str),
    /// Words; with an example.
    Text(&'static str),
    /// One of these: the value, and what it is called.
    Choice(Vec<(String, String)>),
    /// A day.
    Day,
    /// Yes, or anything.
    Flag,
}

/// A column's heading.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// The heading.
    pub title: &'static str,
    /// Whether it holds numbers, which stand at the right.
    pub is_number: bool,
    /// What the address calls it where the list can be sorted by it, and which way it is sorted first.
    pub sort: Option<(&'static str, Direction)>,
}

/// A button above the list.
#[derive(Debug, Clone)]
pub struct ListButton {
    /// What it says.
    pub label: &'static str,
    /// The page it opens, such as `/discounts/new`.
    pub path: String,
    /// Whether it only leads elsewhere, and does nothing.
    pub is_way: bool,
}

/// What can be done with several rows at once: a form below which they are chosen.
#[derive(Debug, Clone)]
pub struct BulkForm {
    /// Where it is sent to; the chosen rows come as `row`, and the values of the address as `query`.
    pub path: String,
    /// What is to be said with it.
    pub fields: Vec<Filter>,
}

type Key<T> = Box<dyn Fn(&T) -> String + Send + Sync>;
type Write<T> = Box<dyn Fn(&T) -> Cell + Send + Sync>;
type Act<T> = Box<dyn Fn(&T) -> Option<RowAct> + Send + Sync>;

/// A list of the console: how a row is shown, and what the list can be asked for.
pub struct List<T> {
    title: String,
    pub(super) key: Key<T>,
    about: Option<String>,
    pub(super) columns: Vec<(Column, Write<T>)>,
    pub(super) filters: Vec<Filter>,
    acts: Vec<(&'static str, Act<T>)>,
    buttons: Vec<(&'static str, ListButton)>,
    bulk: Option<(&'static str, BulkForm, Key<T>)>,
    empty: String,
    pub(super) sorting: Sorting<T>,
}

/// A page of a list, ready to be shown.
#[derive(Debug)]
pub struct ListPage {
    /// The heading.
    pub title: String,
    /// A sentence below it.
    pub about: Option<String>,
    /// What narrows the list.
    pub filters: Vec<Filter>,
    /// The headings.
    pub columns: Vec<Column>,
    /// The column that the rows are in the order of, and which way.
    pub sorted: Option<(&'static str, Direction)>,
    /// Whether too many are found to be sorted as it was asked for.
    pub too_many_to_sort: bool,
    /// The rows.
    pub rows: Vec<ListedRow>,
    /// How many there are on all pages.
    pub counted: RowCount,
    /// What the last row is known by, if rows follow.
    pub next: Option<String>,
    /// What is said where there is nothing yet.
    pub empty: String,
    /// The buttons above the list.
    pub buttons: Vec<ListButton>,
    /// What can be done with several rows at once.
    pub bulk: Option<BulkForm>,
    /// Whether any row has something that can be done with it.
    pub has_acts: bool,
    /// Amounts as people read them.
    pub money: Arc<MoneyFormatter>,
}

/// A row of a page.
#[derive(Debug)]
pub struct ListedRow {
    /// What stands in its columns.
    pub cells: Vec<Cell>,
    /// What can be done with it.
    pub acts: Vec<RowAct>,
    /// What it is known by where several can be chosen.
    pub key: Option<String>,
}

impl<T: Send + 'static> List<T> {
    /// A list with this heading, whose rows have these ids.
    pub fn new(title: impl Into<String>, id: fn(&T) -> i64) -> Self {
        Self::keyed(title, move |row| id(row).to_string())
    }

    /// A list with this heading, whose rows are known by these texts: see [`List::show_keyed`].
    pub fn keyed(title: impl Into<String>, key: impl Fn(&T) -> String + Send + Sync + 'static) -> Self {
        Self {
            title: title.into(),
            key: Box::new(key),
            about: None,
            columns: Vec::new(),
            filters: Vec::new(),
            acts: Vec::new(),
            buttons: Vec::new(),
            bulk: None,
            empty: String::from("There is nothing here yet."),
            sorting: Sorting::default(),
        }
    }

    /// Says in a sentence what the list is about.
    #[must_use]
    pub fn about(mut self, about: impl Into<String>) -> Self {
        self.about = Some(about.into());
        self
    }

    /// Says what is to be read where there are no rows yet.
    #[must_use]
    pub fn empty(mut self, told: impl Into<String>) -> Self {
        self.empty = told.into();
        self
    }

    /// Adds a column. The first names the row.
    #[must_use]
    pub fn column<C: Into<Cell>>(
        mut self,
        title: &'static str,
        write: impl Fn(&T) -> C + Send + Sync + 'static,
    ) -> Self {
        self.columns.push((Column { title, is_number: false, sort: None }, Box::new(move |row| write(row).into())));
        self
    }

    /// Adds a column of numbers or amounts.
    #[must_use]
    pub fn number<C: Into<Cell>>(
        mut self,
        title: &'static str,
        write: impl Fn(&T) -> C + Send + Sync + 'static,
    ) -> Self {
        self.columns.push((Column { title, is_number: true, sort: None }, Box::new(move |row| write(row).into())));
        self
    }

    /// Has the list be sorted by the last column, which the address calls by this name. Rows are compared by this value, as the statements
    /// of [`List::show_sorted`] do it.
    #[must_use]
    pub fn sorted<V: SortBy>(mut self, name: &'static str, value: impl Fn(&T) -> V + Send + Sync + 'static) -> Self {
        if let Some((column, _)) = self.columns.last_mut() {
            column.sort = Some((name, V::FIRST));
        }
        self.sorting.add(name, value);
        self
    }

    /// Says that the list is in the order of this column already, unless another is asked for.
    #[must_use]
    pub fn begins_sorted(mut self, name: &'static str, direction: Direction) -> Self {
        self.sorting.begin(name, direction);
        self
    }

    /// Adds a field to search in, whose words come as `q`.
    #[must_use]
    pub fn search(mut self, example: &'static str) -> Self {
        self.filters.push(Filter { name: "q", label: "Search", kind: FilterKind::Search(example) });
        self
    }

    /// Adds a field for words of another kind, with an example.
    #[must_use]
    pub fn text(mut self, name: &'static str, label: &'static str, example: &'static str) -> Self {
        self.filters.push(Filter { name, label, kind: FilterKind::Text(example) });
        self
    }

    /// Adds a choice between values such as states, written in words.
    #[must_use]
    pub fn choice<V: Into<String>>(
        mut self,
        name: &'static str,
        label: &'static str,
        values: impl IntoIterator<Item = V>,
    ) -> Self {
        let values = values.into_iter().map(Into::into).map(|value: String| (value.clone(), value.replace('_', " ")));
        self.filters.push(Filter { name, label, kind: FilterKind::Choice(values.collect()) });
        self
    }

    /// Adds a choice between values that are called otherwise, such as the slugs of events, which are called by their names.
    #[must_use]
    pub fn named_choice(mut self, name: &'static str, label: &'static str, values: Vec<(String, String)>) -> Self {
        self.filters.push(Filter { name, label, kind: FilterKind::Choice(values) });
        self
    }

    /// Adds a filter of any kind.
    #[must_use]
    pub fn filter(mut self, filter: Filter) -> Self {
        self.filters.push(filter);
        self
    }

    /// Adds a day.
    #[must_use]
    pub fn day(mut self, name: &'static str, label: &'static str) -> Self {
        self.filters.push(Filter { name, label, kind: FilterKind::Day });
        self
    }

    /// Adds something that is on or off.
    #[must_use]
    pub fn flag(mut self, name: &'static str, label: &'static str) -> Self {
        self.filters.push(Filter { name, label, kind: FilterKind::Flag });
        self
    }

    /// Adds something that can be done with a row, by whoever holds the ability.
    #[must_use]
    pub fn act(mut self, ability: &'static str, act: impl Fn(&T) -> Option<RowAct> + Send + Sync + 'static) -> Self {
        self.acts.push((ability, Box::new(act)));
        self
    }

    /// Adds a button above the list, for whoever holds the ability.
    #[must_use]
    pub fn button(mut self, ability: &'static str, label: &'static str, path: impl Into<String>) -> Self {
        self.buttons.push((ability, ListButton { label, path: path.into(), is_way: false }));
        self
    }

    /// Adds a way to another page above the list, for whoever holds the ability.
    #[must_use]
    pub fn way(mut self, ability: &'static str, label: &'static str, path: impl Into<String>) -> Self {
        self.buttons.push((ability, ListButton { label, path: path.into(), is_way: true }));
        self
    }

    /// Has rows be chosen, by what each is known by, for something that is done with all of them by whoever holds the ability.
    #[must_use]
    pub fn bulk(
        mut self,
        ability: &'static str,
        path: impl Into<String>,
        fields: Vec<Filter>,
        key: impl Fn(&T) -> String + Send + Sync + 'static,
    ) -> Self {
        self.bulk = Some((ability, BulkForm { path: path.into(), fields }, Box::new(key)));
        self
    }

    /// A page of these rows and nothing else, for a page that shows some of a list.
    pub fn of_rows(self, staff: &Staff, money: &Arc<MoneyFormatter>, rows: &[T]) -> ListPage {
        let bulk = self.bulk.filter(|(ability, ..)| staff.may(ability) && !rows.is_empty());
        let listed = |row: &T| ListedRow {
            key: bulk.as_ref().map(|(.., key)| key(row)),
            cells: self.columns.iter().map(|(_, write)| write(row)).collect(),
            acts: self.acts.iter().filter(|(ability, _)| staff.may(ability)).filter_map(|(_, act)| act(row)).collect(),
        };
        let listed = rows.iter().map(listed).collect::<Vec<_>>();
        ListPage {
            has_acts: listed.iter().any(|row| !row.acts.is_empty()),
            counted: RowCount::of(i64::try_from(listed.len()).unwrap_or(i64::MAX)),
            sorted: self.sorting.shown(),
            too_many_to_sort: self.sorting.is_given_up(),
            rows: listed,
            next: None,
            columns: self.columns.iter().map(|(column, _)| *column).collect(),
            buttons: self.buttons.into_iter().filter(|(ability, _)| staff.may(ability)).map(|(_, it)| it).collect(),
            bulk: bulk.map(|(_, form, _)| form),
            title: self.title,
            about: self.about,
            filters: self.filters,
            empty: self.empty,
            money: Arc::clone(money),
        }
    }
}
