//! One SQL code base over the native SQLite and PostgreSQL drivers.
//!
//! A [`Database`] is opened from the configuration and read with [`Database::read`]; a [`Write`] changes it. Statements are
//! [`Sql`] values made by [`sql!`](stoa_sql::sql), which registers every text in a catalogue so that a test can prepare all of
//! them on both databases. Nothing outside this crate names a driver.

mod cluster;
mod connection_cache;
mod connections;
pub mod copy;
mod count;
mod database;
mod durable_reads;
mod error;
mod facts;
mod fetch;
mod file;
mod flush_connection;
mod freshness;
mod migrate;
mod notifier;
mod open;
mod pool;
mod pooler;
mod postgres;
mod postgres_write;
mod prepare;
mod query;
mod reach;
mod references;
mod replica;
mod server_pools;
mod servers;
mod shared_commit;
mod shared_flush;
mod spin_then_park;
mod statement;
mod watch;
mod watched;
mod write;

pub use database::Database;
pub use durable_reads::UnconfirmedReads;
pub use error::DbError;
pub use facts::{DatabaseFacts, PostgresFacts, ServerFacts, SqliteFacts};
pub use file::{LockError, LockedFile};
pub use migrate::{MigrationSet, MigrationState, MigrationStatus, TABLE_EXISTS, migrations_table};
pub use notifier::{Notifier, Notifiers, Subscription};
pub use open::{Missing, OpenOptions};
pub use pool::Backend;
pub use postgres_write::postgres_connections;
pub use query::{Bind, Column, Query, Record};
pub use references::{REFERENCES_TO, Reference};
pub use replica::ReplicaFacts;
pub use stoa_sql::Sql;
pub use watch::ChangeWatch;
pub use write::Write;
