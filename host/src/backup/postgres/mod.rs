//! PostgreSQL's own programs: `pg_dump`, `pg_restore` and `psql`.

mod dump;
mod libpq;
mod program;
mod restore;

pub(super) use dump::dump;
pub(super) use program::ClientPrograms;
pub(super) use restore::{RestorePrograms, restore};
