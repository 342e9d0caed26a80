//! Statements of the health checks.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

/// Notes when the shop could be written to, in one row.
pub(super) const NOTE_WRITE: Sql = sql!(
    "INSERT INTO installation (name, value) VALUES ('written_at', $1)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value"
);
