//! The database as a handler sees it that only lists and shows.

use std::ops::Deref;

use super::Db;

/// The database for one request that writes nothing: a standby may answer it, where there is one that is fresh enough
/// ([`Db::for_lists`]). A handler takes it in place of [`Db`].
#[derive(Clone)]
pub struct ListDb(Db);

impl ListDb {
    /// For one request.
    pub fn new(db: &Db) -> Self {
        Self(db.for_lists())
    }
}

impl Deref for ListDb {
    type Target = Db;

    fn deref(&self) -> &Db {
        &self.0
    }
}
