//! Lists as HTML: filters, rows with what can be done with them, and where one is.

use askama::Template;
use axum::response::Response;
use stoa_core::money::MoneyFormatter;
use stoa_kernel::console::{Cell, Filter, FilterKind, ListPage, PageAddress, PageAsked, RowAct, ShowConsole, Staff};
use stoa_kernel::http::error::ApiResult;

use crate::layout::Layout;
use crate::page::{ConsoleState, page};
use crate::paging::Paging;
use crate::show::{Badge, Time};

/// Shows lists of features and modules.
pub(crate) struct ConsoleView(pub(crate) ConsoleState);

impl ShowConsole for ConsoleView {
    fn list(&self, asked: &PageAsked, list: &ListPage) -> ApiResult<Response> {
        let console = &*asked.staff.console;
        let section = asked.address.path.strip_prefix(console).unwrap_or_default();
        let section = section.trim_start_matches('/').split('/').next().unwrap_or_default();
        let done = asked.address.get("done").map(str::to_owned);
        let shop = &self.0.config.shop.name;
        let page_of_list = Page {
            layout: Layout::new(&asked.staff, shop, list.title.clone(), section, done),
            path: &asked.address.path,
            list,
            table: Table::of(list, &asked.staff),
            filters: list.filters.iter().map(|filter| ShownFilter::of(filter, &asked.address)).collect(),
            is_filtered: list.filters.iter().any(|filter| asked.address.get(filter.name).is_some()),
            csv: asked.address.with(&[("format", Some("csv")), ("after", None), ("at", None), ("done", None)]),
            query: asked.address.with(&[("done", None)]).split_once('?').map_or("", |(_, query)| query).to_owned(),
            paging: Paging::of(&asked.address, list.counted, list.rows.len(), list.next),
        };
        page(http::StatusCode::OK, &page_of_list, asked.takes_gzip).map(|page| page.0)
    }
}

#[derive(Template)]
#[template(path = "list.html")]
struct Page<'a> {
    layout: Layout,
    path: &'a str,
    list: &'a ListPage,
    table: Table<'a>,
    filters: Vec<ShownFilter<'a>>,
    is_filtered: bool,
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
    rows: Vec<Row<'a>>,
    csrf: &'a str,
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
        let rows = list.rows.iter().map(|row| Row {
            cells: row
                .cells
                .iter()
                .zip(&list.columns)
                .map(|(cell, column)| Place::of(cell, column.title, column.is_number, &list.money, console))
                .collect(),
            acts: row.acts.iter().map(|act| ShownAct { act, path: format!("{console}{}", act.path) }).collect(),
            key: row.key.as_deref(),
            name: row.cells.first().map(|cell| readable(cell, &list.money)).unwrap_or_default(),
        });
        Self { list, rows: rows.collect(), csrf: &staff.csrf }
    }
}

struct ShownAct<'a> {
    act: &'a RowAct,
    path: String,
}

/// A cell and what is below in it.
struct Place {
    title: &'static str,
    is_number: bool,
    picture: Option<String>,
    parts: Vec<Part>,
}

enum Part {
    Text(String),
    Code(String),
    Time(Time),
    State(Badge),
    Link { text: String, path: String },
}

impl Place {
    fn of(cell: &Cell, title: &'static str, is_number: bool, money: &MoneyFormatter, console: &str) -> Self {
        let (picture, cell) = match cell {
            Cell::Pictured(picture, cell) => (Some(picture.clone()), &**cell),
            cell => (None, cell),
        };
        let mut parts = Vec::new();
        add_parts(cell, money, console, &mut parts);
        Self { title, is_number, picture, parts }
    }

    /// Whether it is a state and nothing else, which a phone shows in a line with others.
    fn is_state(&self) -> bool {
        matches!(self.parts.as_slice(), [Part::State(_)])
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
        Cell::Text(_) | Cell::Number(_) | Cell::Money { .. } | Cell::Day(_) => Part::Text(readable(cell, money)),
        Cell::Code(text) => Part::Code(text.clone()),
        Cell::Time(time) => Part::Time(Time::of(*time)),
        Cell::State(state) => Part::State(Badge::of(state)),
        Cell::Link { text, path } => Part::Link { text: text.clone(), path: format!("{console}{path}") },
    });
}

fn readable(cell: &Cell, money: &MoneyFormatter) -> String {
    match cell {
        Cell::Empty => String::new(),
        Cell::Text(text) | Cell::Code(text) | Cell::State(text) | Cell::Link { text, .. } => text.clone(),
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
