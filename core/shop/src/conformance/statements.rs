//! Reading migrations, as far as it takes to know which tables they touch.

use std::collections::{BTreeMap, BTreeSet};

use stoa_kernel::db::{Backend, MigrationSet};

use super::read_tables::tables_read;

/// Something that a migration makes, changes, fills or drops.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Touched {
    /// The words that the statement begins with, in upper case.
    pub(super) what: Vec<String>,
    /// The table, or the index.
    pub(super) name: String,
}

/// Words between a statement's verb and the name it is about.
const BETWEEN: [&str; 18] = [
    "TABLE",
    "INDEX",
    "VIEW",
    "TRIGGER",
    "FUNCTION",
    "SEQUENCE",
    "TYPE",
    "UNIQUE",
    "TEMPORARY",
    "TEMP",
    "OR",
    "REPLACE",
    "IGNORE",
    "IF",
    "NOT",
    "EXISTS",
    "INTO",
    "FROM",
];

/// Everything that a migration touches by the first words of its statements.
pub(super) fn touched(text: &str) -> Vec<Touched> {
    let statements = statements(text);
    statements.iter().filter_map(|words| first_name(words)).map(|(what, name)| Touched { what, name }).collect()
}

/// The tables that a set of migrations makes.
pub fn tables_of(set: &MigrationSet) -> BTreeSet<String> {
    tables_after(set.texts(Backend::Postgres).map(|(_, text)| text))
}

/// The views that a set of migrations makes, each with the tables that it reads.
pub(super) fn views_of(set: &MigrationSet, backend: Backend) -> BTreeMap<String, BTreeSet<String>> {
    let mut views = BTreeMap::new();
    for words in set.texts(backend).flat_map(|(_, text)| statements(text)) {
        let Some((what, name)) = first_name(&words) else { continue };
        if what.last().is_none_or(|kind| kind != "VIEW") {
            continue;
        }
        if what[0] == "DROP" {
            views.remove(&name);
        } else {
            views.insert(name, tables_read(&words.join(" ")));
        }
    }
    views
}

/// The tables that are there after these migrations.
pub(super) fn tables_after<'a>(texts: impl Iterator<Item = &'a str>) -> BTreeSet<String> {
    let mut tables = BTreeSet::new();
    for words in texts.flat_map(statements) {
        let Some((what, name)) = first_name(&words) else { continue };
        if what.last().is_none_or(|kind| kind != "TABLE") {
            continue;
        }
        if what[0] == "CREATE" {
            tables.insert(name);
        } else if what[0] == "DROP" {
            tables.remove(&name);
        } else {
            let renamed = words.windows(3).find_map(|words| match words {
                [rename, to, name] if rename.eq_ignore_ascii_case("rename") && to.eq_ignore_ascii_case("to") => {
                    Some(name)
                }
                _ => None,
            });
            if let Some(renamed) = renamed {
                tables.remove(&name);
                tables.insert(bare(renamed));
            }
        }
    }
    tables
}

/// The words of each statement, without comments.
fn statements(text: &str) -> Vec<Vec<String>> {
    let code = text.lines().map(|line| line.split("--").next().unwrap_or_default());
    let code = code.collect::<Vec<_>>().join("\n");
    let statements = code.split(';').map(|statement| statement.split_whitespace().map(str::to_owned).collect());
    statements.filter(|words: &Vec<String>| !words.is_empty()).collect()
}

/// What a statement begins with, and the name that follows.
fn first_name(words: &[String]) -> Option<(Vec<String>, String)> {
    let verb = words.first()?.to_ascii_uppercase();
    if !["CREATE", "ALTER", "DROP", "INSERT", "UPDATE", "DELETE"].contains(&verb.as_str()) {
        return None;
    }
    let mut what = vec![verb];
    for word in &words[1..] {
        let upper = word.to_ascii_uppercase();
        if !BETWEEN.contains(&upper.as_str()) {
            return Some((what, bare(word)));
        }
        if !["IF", "NOT", "EXISTS"].contains(&upper.as_str()) {
            what.push(upper);
        }
    }
    None
}

/// A name without quotes, and without what follows it.
fn bare(word: &str) -> String {
    word.split('(').next().unwrap_or(word).trim_matches(['"', '`', ',']).to_ascii_lowercase()
}
