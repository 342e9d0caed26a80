//! What must hold at any time, as a statement that finds what breaks it (`stoa verify`).

use crate::db::Sql;

/// Something that must hold at any time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Invariant {
    /// A lasting name; that of a module begins with the module's own.
    pub name: &'static str,
    /// What must hold, in a sentence.
    pub promise: &'static str,
    /// Finds each breach as two texts: what it is about, and what is wrong.
    pub finds: Sql,
}

impl Invariant {
    /// An invariant whose statement finds each breach as two texts: what it is about, and what is wrong. Limit it to a
    /// hundred rows. It is one statement, so that it sees one moment, and a shop that is selling is never reported for
    /// what is under way.
    pub const fn new(name: &'static str, promise: &'static str, finds: Sql) -> Self {
        Self { name, promise, finds }
    }
}

/// The same with whoever promises it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnedInvariant {
    /// `core` or the module's name.
    pub owner: &'static str,
    /// What must hold.
    pub invariant: Invariant,
}
