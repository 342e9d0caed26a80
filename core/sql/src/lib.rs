//! SQL statements as values, and the catalogue of all that a program links.
//!
//! This crate exists because the linker section behind [`CATALOGUE`] has to be declared with
//! `unsafe` attributes, which `stoa-core` forbids. Authors use [`Sql`] through `stoa_core::sql!`.

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
}

impl Sql {
    /// Whether both databases get the same text.
    pub fn is_shared(&self) -> bool {
        self.sqlite == self.postgres
    }
}

/// Every statement of every linked crate, in no particular order.
#[linkme::distributed_slice]
pub static CATALOGUE: [Sql];
