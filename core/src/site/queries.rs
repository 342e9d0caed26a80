//! Statements of the health checks.

use crate::db::Sql;
use crate::sql;

/// Notes when the shop could be written to, in one row.
pub(super) const NOTE_WRITE: Sql = sql!(
    "INSERT INTO installation (name, value) VALUES ('written_at', $1)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value"
);
