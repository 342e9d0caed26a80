//! Rows that could be somebody's, made from nothing but the schema.

use std::collections::BTreeSet;

use super::queries::OWNERS;
use super::schema::{Column, Table};

/// Every row's id, and any other number.
const ID: &str = "1";

/// A row with a value for each column that needs one, as SQL writes it.
#[derive(Debug)]
pub(super) struct SampleRow {
    pub(super) table: String,
    pub(super) values: Vec<(String, String)>,
}

/// A row for this table, belonging to the first customer, with this where any text may stand.
pub(super) fn sample_row(table: &Table, text: &str) -> SampleRow {
    let values = filled(table).map(|column| {
        let value = match table.referred_by(&column.name) {
            Some(parent) => format!("(SELECT id FROM \"{parent}\" ORDER BY id LIMIT 1)"),
            None => value(&table.sql, &column.name, &column.kind, text),
        };
        (column.name.clone(), value)
    });
    SampleRow { table: table.name.clone(), values: values.collect() }
}

/// The columns that get a value: those that need one, and those that say whose the row is.
fn filled(table: &Table) -> impl Iterator<Item = &Column> {
    let is_owner = |name: &str| table.is_own && OWNERS.iter().any(|(column, _)| *column == name);
    table.columns.iter().filter(move |column| column.required == 1 || is_owner(&column.name))
}

/// These tables with all that they refer to, those that are referred to first.
pub(super) fn with_parents<'a>(wanted: impl Iterator<Item = &'a Table>, all: &'a [Table]) -> Vec<&'a Table> {
    let mut order = Vec::new();
    let mut seen = BTreeSet::new();
    for table in wanted {
        visit(table, all, &mut seen, &mut order);
    }
    order
}

fn visit<'a>(table: &'a Table, all: &'a [Table], seen: &mut BTreeSet<&'a str>, order: &mut Vec<&'a Table>) {
    if !seen.insert(&table.name) {
        return;
    }
    let referred = filled(table).filter_map(|column| table.referred_by(&column.name)).collect::<Vec<_>>();
    for parent in all.iter().filter(|known| referred.contains(&known.name.as_str())) {
        visit(parent, all, seen, order);
    }
    order.push(table);
}

pub(super) fn value(table_sql: &str, column: &str, kind: &str, text: &str) -> String {
    if let Some(first) = first_allowed(table_sql, column) {
        return first;
    }
    match kind {
        "BLOB" => String::from("x'00'"),
        "BOOLEAN" => String::from("FALSE"),
        "TEXT" if column.ends_with("_at") || column.ends_with("_until") => String::from("'2026-01-15T12:00:00+00:00'"),
        "TEXT" if column == "currency" => String::from("'EUR'"),
        "TEXT" => format!("'{text}'"),
        _ => String::from(ID),
    }
}

/// The first of the values that a check allows: `CHECK (column IN ('a', 'b'))`.
fn first_allowed(table_sql: &str, column: &str) -> Option<String> {
    let text = table_sql.split_whitespace().collect::<Vec<_>>().join(" ");
    let start = format!("{column} IN (");
    // The name of another column may end with this one's.
    let mut found = text.match_indices(&start).filter(|(at, _)| !text[..*at].ends_with(is_of_name));
    let list = &text[found.next()?.0 + start.len()..];
    let first = list.split([',', ')']).next()?.trim();
    (!first.is_empty()).then(|| first.to_owned())
}

fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}
