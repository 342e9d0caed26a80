//! The shop's handles of its database.
//!
//! A [`Db`] is opened from the configuration, read as the database that it leads to, and written with [`Db::write`], whose
//! [`Tx`] knows the time, who acts and who listens. Statements are [`Sql`] values made by [`sql!`](crate::sql). How databases
//! are reached, read and written is `stoa_db`'s business.

mod commits;
mod handle;
mod list_db;
mod reader;
mod tx;

pub(crate) use commits::watching_commits;
pub use handle::Db;
pub use list_db::ListDb;
pub use reader::Reader;
pub use stoa_db::{
    Backend, Bind, ChangeWatch, Column, DatabaseFacts, DbError, LockError, LockedFile, MigrationSet, MigrationState,
    MigrationStatus, Missing, OpenOptions, PostgresFacts, Query, REFERENCES_TO, Record, Reference, ReplicaFacts,
    ServerFacts, Sql, SqliteFacts, copy, postgres_connections,
};
pub(crate) use stoa_db::{TABLE_EXISTS, UnconfirmedReads, migrations_table};
pub use tx::Tx;
