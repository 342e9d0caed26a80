//! One SQL code base over the native SQLite and PostgreSQL drivers.
//!
//! A [`Db`] is opened from the configuration, read with [`Db::read`] and written with
//! [`Db::write`]. Statements are [`Sql`] values made by [`sql!`](crate::sql), which registers every
//! text in a catalogue so that a test can prepare all of them on both databases. Nothing outside
//! this folder names a driver.

mod cluster;
mod connection_cache;
mod connections;
pub mod copy;
mod count;
mod durable_reads;
mod error;
mod facts;
mod fetch;
mod file;
mod flush_connection;
mod freshness;
mod list_db;
mod migrate;
mod open;
mod pool;
mod pooler;
mod postgres;
mod postgres_write;
mod prepare;
mod query;
mod reach;
mod reader;
mod replica;
mod server_pools;
mod servers;
mod shared_commit;
mod shared_flush;
mod spin_then_park;
mod sql;
mod statement;
mod tx;
mod watch;
mod watched;

pub(crate) use durable_reads::UnconfirmedReads;
pub use error::DbError;
pub use facts::{DatabaseFacts, PostgresFacts, ServerFacts, SqliteFacts};
pub use file::{LockError, LockedFile};
pub use list_db::ListDb;
pub use migrate::{MigrationSet, MigrationState, MigrationStatus};
pub(crate) use migrate::{TABLE_EXISTS, migrations_table};
pub use open::{Missing, OpenOptions};
pub use pool::{Backend, Db};
pub use postgres_write::postgres_connections;
pub use query::{Bind, Column, Query, Record};
pub use reader::Reader;
pub use replica::ReplicaFacts;
pub use stoa_sql::Sql;
pub use tx::Tx;
pub use watch::ChangeWatch;
