//! Lists as HTML: filters, rows with what can be done with them, and where one is.

use askama::Template;
use axum::response::Response;
use http::StatusCode;
use stoa_core::money::MoneyFormatter;
use stoa_kernel::console::{
    Cell, Column, Direction, FieldKind, Filter, FilterKind, FormPage, ListPage, OncePage, PageAddress, PageAsked,
    RowAct, ShowConsole, Staff,
};
use stoa_kernel::http::error::ApiResult;

use crate::layout::{Layout, section};
use crate::page::{ConsoleState, page};
use crate::paging::Paging;
use crate::show::{Badge, Time};

/// Shows lists of features and modules.
pub(crate) struct ConsoleView(pub(crate) ConsoleState);

impl ShowConsole for ConsoleView {
    fn list(&self, asked: &PageAsked, list: &ListPage) -> ApiResult<Response> {
        let page_of_list = Page {
            layout: self.layout(asked, &list.title),
            path: &asked.address.path,
            list,
            table: Table::of(list, &asked.staff).sorted(&asked.address),
            sort: asked.address.get("sort"),
            filters: list.filters.iter().map(|filter| ShownFilter::of(filter, &asked.address)).collect(),
            is_filtered: list.filters.iter().any(|filter| asked.address.get(filter.name).is_some()),
            has_days: list.filters.iter().any(|filter| matches!(filter.kind, FilterKind::Day)),
            csv: asked.address.with(&[("format", Some("csv")), ("after", None), ("at", None), ("before", None)]),
            query: asked.address.with(&[]).split_once('?').map_or("", |(_, query)| query).to_owned(),
            paging: Paging::of(&asked.address, list.counted, list.rows.len(), list.next.as_deref()),
        };
        page(StatusCode::OK, &page_of_list, asked.takes_gzip).map(|page| page.0)
    }

    fn form(&self, asked: &PageAsked, form: &FormPage<'_>) -> ApiResult<Response> {
        let shown = FormShown { layout: self.layout(asked, form.title), path: &asked.address.path, form };
        page(form.status, &shown, asked.takes_gzip).map(|page| page.0)
    }

    fn once(&self, asked: &PageAsked, told: &OncePage<'_>) -> ApiResult<Response> {
        let shown = OnceShown { layout: self.layout(asked, told.title), told };
        page(StatusCode::OK, &shown, asked.takes_gzip).map(|page| page.0)
    }

    fn html(&self, asked: &PageAsked, title: &str, html: &str) -> ApiResult<Response> {
        let shown = HtmlShown { layout: self.layout(asked, title), path: &asked.address.path, html };
        page(StatusCode::OK, &shown, asked.takes_gzip).map(|page| page.0)
    }
}

impl ConsoleView {
    fn layout(&self, asked: &PageAsked, title: &str) -> Layout {
        let below = asked.address.path.strip_prefix(&*asked.staff.console).unwrap_or_default();
        Layout::new(&asked.staff, &self.0.config, title.to_owned(), section(below))
    }
}

#[derive(Template)]
#[template(path = "form.html")]
struct FormShown<'a> {
    layout: Layout,
    path: &'a str,
    form: &'a FormPage<'a>,
}

#[derive(Template)]
#[template(path = "once.html")]
struct OnceShown<'a> {
    layout: Layout,
    told: &'a OncePage<'a>,
}

#[derive(Template)]
#[template(path = "html.html")]
struct HtmlShown<'a> {
    layout: Layout,
    path: &'a str,
    html: &'a str,
}

#[derive(Template)]
#[template(path = "list.html")]
struct Page<'a> {
    layout: Layout,
    path: &'a str,
    list: &'a ListPage,
    table: Table<'a>,
    /// What it is sorted by, which goes along with the filters.
    sort: Option<&'a str>,
    filters: Vec<ShownFilter<'a>>,
    is_filtered: bool,
    /// Whether days narrow it, which are those of one time zone.
    has_days: bool,
    csv: String,
    /// The values of the address, to come back to.
    query: String,
    paging: Paging,
}

/// The table of a list, which other pages show as well.
#[derive(Template)]
#[template(path = "table.html")]
pub(crate) struct Table<'a> {
    list: &'a ListPage,
    headings: Vec<Heading>,
    rows: Vec<Row<'a>>,
    csrf: &'a str,
}

/// The heading of a column.
struct Heading {
    title: &'static str,
    is_number: bool,
    sorts: Option<Sorts>,
}

/// How a heading sorts the list.
struct Sorts {
    /// Leads to the list in the order of the column, or the other way round.
    path: String,
    /// The way in which the list is in this order already, for readers of screens.
    now: Option<&'static str>,
}

impl Sorts {
    fn of(column: &Column, list: &ListPage, address: &PageAddress) -> Option<Self> {
        let (name, first) = column.sort?;
        let now = list.sorted.filter(|(sorted, _)| *sorted == name).map(|(_, direction)| direction);
        let sort = match now.map_or(first, Direction::reversed) {
            Direction::Ascending => name.to_owned(),
            Direction::Descending => format!("-{name}"),
        };
        let path = address.with(&[("sort", Some(&sort)), ("after", None), ("at", None), ("before", None)]);
        let now = now.map(|direction| match direction {
            Direction::Ascending => "ascending",
            Direction::Descending => "descending",
        });
        Some(Self { path, now })
    }
}

struct Row<'a> {
    cells: Vec<Place>,
    acts: Vec<ShownAct<'a>>,
    /// What the row is called, for buttons that look alike.
    name: String,
    /// What it is known by where several can be chosen.
    key: Option<&'a str>,
}

impl<'a> Table<'a> {
    pub(crate) fn of(list: &'a ListPage, staff: &'a Staff) -> Self {
        let console = &*staff.console;
        let is_only_number = list.columns.iter().filter(|column| column.is_number).count() == 1;
        let place = |(at, (cell, column)): (usize, (&Cell, &Column))| {
            let place = Place::of(cell, column.title, column.is_number, &list.money, console);
            let says_itself = if at == 0 {
                !matches!(place.parts.as_slice(), [Part::State(_) | Part::Time(_)])
            } else {
                is_only_number && matches!(cell, Cell::Money { .. })
            };
            Place { is_headed: !says_itself, ..place }
        };
        let rows = list.rows.iter().map(|row| Row {
            cells: row.cells.iter().zip(&list.columns).enumerate().map(&place).collect(),
            acts: row.acts.iter().map(|act| ShownAct { act, path: format!("{console}{}", act.path) }).collect(),
            key: row.key.as_deref(),
            name: row.cells.first().map(|cell| readable(cell, &list.money)).unwrap_or_default(),
        });
        let heading = |column: &Column| Heading { title: column.title, is_number: column.is_number, sorts: None };
        let headings = list.columns.iter().map(heading).collect();
        Self { list, headings, rows: rows.collect(), csrf: &staff.csrf }
    }

    /// With headings that sort the list at this address.
    fn sorted(mut self, address: &PageAddress) -> Self {
        for (heading, column) in self.headings.iter_mut().zip(&self.list.columns) {
            heading.sorts = Sorts::of(column, self.list, address);
        }
        self
    }
}

struct ShownAct<'a> {
    act: &'a RowAct,
    path: String,
}

/// A cell and what is below in it.
pub(crate) struct Place {
    pub(crate) title: &'static str,
    is_number: bool,
    /// Whether a phone, which has no heads of columns, says beside it what it is: all but what names the row, and its only amount.
    is_headed: bool,
    picture: Option<String>,
    pub(crate) parts: Vec<Part>,
}

pub(crate) enum Part {
    Text(String),
    /// A day, which stays in one line.
    Day(String),
    Code(String),
    Lines(Vec<Line>),
    Time(Time),
    State(Badge),
    Link {
        text: String,
        path: String,
    },
}

/// A line of several: what is long is cut, and opens.
pub(crate) struct Line {
    pub(crate) cut: Option<String>,
    pub(crate) whole: String,
}

/// Longest line that is not cut, in characters.
const LINE: usize = 90;

impl Line {
    fn of(whole: &str) -> Self {
        let is_long = whole.chars().count() > LINE;
        Self {
            cut: is_long.then(|| format!("{}…", whole.chars().take(LINE).collect::<String>())),
            whole: whole.to_owned(),
        }
    }
}

/// Longest text that stands in one line of a table, in characters.
const SHORT: usize = 28;

/// Whether a text may take several lines.
pub(crate) fn is_long(text: &str) -> bool {
    text.chars().count() > SHORT
}

impl Place {
    pub(crate) fn of(cell: &Cell, title: &'static str, is_number: bool, money: &MoneyFormatter, console: &str) -> Self {
        let (picture, cell) = match cell {
            Cell::Pictured(picture, cell) => (Some(picture.clone()), &**cell),
            cell => (None, cell),
        };
        let mut parts = Vec::new();
        add_parts(cell, money, console, &mut parts);
        Self { title, is_number, is_headed: false, picture, parts }
    }
}

fn add_parts(cell: &Cell, money: &MoneyFormatter, console: &str, parts: &mut Vec<Part>) {
    parts.push(match cell {
        Cell::Empty => return,
        Cell::Pictured(_, cell) => return add_parts(cell, money, console, parts),
        Cell::Two(above, below) => {
            add_parts(above, money, console, parts);
            return add_parts(below, money, console, parts);
        }
        Cell::Text(_) | Cell::Number(_) | Cell::Money { .. } => Part::Text(readable(cell, money)),
        Cell::Day(_) => Part::Day(readable(cell, money)),
        Cell::Code(text) => Part::Code(text.clone()),
        Cell::Lines(lines) => Part::Lines(lines.iter().map(|line| Line::of(line)).collect()),
        Cell::Time(time) => Part::Time(Time::of(*time)),
        Cell::State(state) => Part::State(Badge::of(state)),
        Cell::Link { text, path } => Part::Link { text: text.clone(), path: format!("{console}{path}") },
    });
}

fn readable(cell: &Cell, money: &MoneyFormatter) -> String {
    match cell {
        Cell::Empty => String::new(),
        Cell::Text(text) | Cell::Code(text) | Cell::State(text) | Cell::Link { text, .. } => text.clone(),
        Cell::Lines(lines) => lines.join(", "),
        Cell::Number(number) => number.to_string(),
        Cell::Money { amount, currency: Some(currency) } => money.format_in(*amount, currency),
        Cell::Money { amount, currency: None } => money.format(*amount),
        Cell::Time(time) => Time::of(*time).text,
        Cell::Day(day) => day.to_string(),
        Cell::Two(cell, _) | Cell::Pictured(_, cell) => readable(cell, money),
    }
}

struct ShownFilter<'a> {
    name: &'static str,
    label: &'static str,
    kind: &'a FilterKind,
    value: &'a str,
}

impl<'a> ShownFilter<'a> {
    fn of(filter: &'a Filter, address: &'a PageAddress) -> Self {
        let value = address.get(filter.name).unwrap_or_default();
        Self { name: filter.name, label: filter.label, kind: &filter.kind, value }
    }
}
