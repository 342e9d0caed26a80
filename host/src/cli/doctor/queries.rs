//! Statements of the doctor.

use stoa_core::db::Sql;
use stoa_core::sql;

/// When the latest row was written that carries the real time.
pub(super) const NEWEST_ROW: Sql = sql!(
    "SELECT MAX(newest) FROM (
         SELECT MAX(updated_at) AS newest FROM products
         UNION ALL SELECT MAX(updated_at) FROM users
         UNION ALL SELECT MAX(created_at) FROM access_tokens
     ) AS latest"
);
