//! Statements about the audit log.

use crate::db::Sql;
use crate::sql;

pub(super) const INSERT: Sql =
    sql!("INSERT INTO audit_log (at, actor, address, act, subject, before, after) VALUES ($1, $2, $3, $4, $5, $6, $7)");

/// Rows about $1, by $2, of one act ($3), or of those between whose names `$within` says.
macro_rules! searched {
    ($head:literal, $within:literal, $tail:literal) => {
        sql!(concat!(
            $head,
            " FROM audit_log
             WHERE (CAST($1 AS TEXT) IS NULL OR subject = $1) AND (CAST($2 AS TEXT) IS NULL OR actor = $2)
               AND (CAST($3 AS TEXT) IS NULL OR act = $3) AND ",
            $within,
            $tail
        ))
    };
}

pub(super) const COUNT: Sql = searched!(
    "SELECT COUNT(*) FROM (SELECT 1",
    "(CAST($4 AS TEXT) IS NULL OR (act >= $4 AND act < $5))",
    " LIMIT $6) AS counted"
);

/// The newest first, where the index of acts leads to few.
pub(super) const LIST_FEW: Sql = searched!(
    "SELECT id, at, actor, address, act, subject, before, after",
    "(CAST($4 AS TEXT) IS NULL OR (act >= $4 AND act < $5))",
    " AND (CAST($6 AS BIGINT) IS NULL OR id < $6) ORDER BY id DESC LIMIT $7"
);

/// The newest first, where there are so many that the next ones are not far.
pub(super) const LIST_MANY: Sql = searched!(
    "SELECT id, at, actor, address, act, subject, before, after",
    "(CAST($4 AS TEXT) IS NULL OR (act || '' >= $4 AND act || '' < $5))",
    " AND (CAST($6 AS BIGINT) IS NULL OR id < $6) ORDER BY id DESC LIMIT $7"
);

pub(super) const ACTS: Sql = sql!("SELECT DISTINCT act FROM audit_log ORDER BY act");

pub(super) const ACTORS: Sql = sql!("SELECT DISTINCT actor FROM audit_log ORDER BY actor");

pub(super) const SUBJECTS: Sql = sql!("SELECT DISTINCT subject FROM audit_log ORDER BY subject");

pub(super) const ERASE_OF_SUBJECT: Sql = sql!(
    "UPDATE audit_log SET before = NULL, after = NULL WHERE subject = $1 AND (before IS NOT NULL OR after IS NOT NULL)"
);
