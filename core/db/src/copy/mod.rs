//! Copying a whole database into another one, of either product, and comparing databases.
//!
//! Tables and columns are taken from the migrated schema, so modules' tables come along without being listed anywhere.
//! This is the one place where SQL is put together at run time: the texts in `text` hold names that come from the
//! database's own catalog, each quoted, and no value; values are always bound.

mod connection;
mod counters;
mod digest;
mod error;
mod kind;
mod order;
mod plan;
mod read;
mod run;
mod schema;
mod snapshot;
mod target;
mod text;
mod value;
mod write;

pub use digest::TableDigest;
pub use error::CopyError;
pub use run::{CopyReport, CopyStep, copy_database};
pub use snapshot::{AppliedSet, Exported, Snapshot};
pub use target::fresh_counts;
