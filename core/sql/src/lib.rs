//! SQL statements as values, and the catalogue of all that a program links.
//!
//! This crate exists because the linker section behind [`CATALOGUE`] has to be declared with
//! `unsafe` attributes, which all others forbid. Authors use [`sql!`] as `stoa_core::sql!`.

mod macros;

#[doc(hidden)]
pub use linkme;

/// One SQL statement, written once for both databases or, in a few places, once for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sql {
    /// The text sent to SQLite.
    pub sqlite: &'static str,
    /// The text sent to PostgreSQL.
    pub postgres: &'static str,
    /// The source file that holds the statement.
    pub file: &'static str,
    /// The line of the statement in that file.
    pub line: u32,
    /// Whether the text may have conditions that are left out while their value is null.
    pub has_filters: bool,
}

impl Sql {
    /// A statement of which each database gets a text.
    pub const fn new(sqlite: &'static str, postgres: &'static str, file: &'static str, line: u32) -> Self {
        Self { sqlite, postgres, file, line, has_filters: has(sqlite, FILTER) }
    }

    /// Whether both databases get the same text.
    pub fn is_shared(&self) -> bool {
        self.sqlite == self.postgres
    }
}

/// What reads a page of a list in the order of something, and in the opposite order.
#[derive(Debug, Clone, Copy)]
pub struct PageSql {
    /// The least first.
    pub ascending: Sql,
    /// The greatest first.
    pub descending: Sql,
}

/// What looks for something in a list, as [`search_sql!`] makes it.
#[derive(Debug, Clone, Copy)]
pub struct SearchSql {
    /// A page of what is found, in the order of ids.
    pub page: PageSql,
    /// How many there are, counted up to the same limit. It is not joined with what is shown and not looked for.
    pub count: Sql,
}

/// How conditions begin that hold while their value is null, such as `(CAST($1 AS TEXT) IS NULL OR status = $1)`.
const FILTER: &str = "(CAST($";

/// `str::contains`, when the program is compiled.
const fn has(text: &str, part: &str) -> bool {
    let (text, part) = (text.as_bytes(), part.as_bytes());
    let mut start = 0;
    while start + part.len() <= text.len() {
        let mut same = 0;
        while same < part.len() && text[start + same] == part[same] {
            same += 1;
        }
        if same == part.len() {
            return true;
        }
        start += 1;
    }
    false
}

/// Every statement of every linked crate, in no particular order.
#[linkme::distributed_slice]
pub static CATALOGUE: [Sql];
