//! Reading what is wanted both before a transaction and inside one.

use chrono::{DateTime, Utc};

use super::{Db, Query, Sql, Tx};

/// Where something is read that must come out alike in both places: outside any transaction, to show it, or inside one, which
/// sees what it has written itself, to write down what follows from it.
pub enum Reader<'a> {
    /// Outside any transaction.
    Db(&'a Db),
    /// Inside this one.
    Tx(&'a mut Tx),
}

impl Reader<'_> {
    /// A statement that only reads.
    pub fn read(&mut self, sql: Sql) -> Query<'_> {
        match self {
            Self::Db(db) => db.read(sql),
            Self::Tx(tx) => tx.run(sql),
        }
    }

    /// The time: of the transaction, if it is in one.
    pub fn now(&self) -> DateTime<Utc> {
        match self {
            Self::Db(db) => db.now(),
            Self::Tx(tx) => tx.now(),
        }
    }
}

impl<'a> From<&'a Db> for Reader<'a> {
    fn from(db: &'a Db) -> Self {
        Self::Db(db)
    }
}

impl<'a> From<&'a mut Tx> for Reader<'a> {
    fn from(tx: &'a mut Tx) -> Self {
        Self::Tx(tx)
    }
}
