//! Statements about the audit log.

use crate::db::Sql;
use crate::sql;

pub(super) const INSERT: Sql =
    sql!("INSERT INTO audit_log (at, actor, address, act, subject, before, after) VALUES ($1, $2, $3, $4, $5, $6, $7)");

pub(super) const LIST: Sql = sql!(
    "SELECT id, at, actor, address, act, subject, before, after FROM audit_log
     WHERE (CAST($1 AS TEXT) IS NULL OR subject = $1) AND (CAST($2 AS TEXT) IS NULL OR actor = $2)
       AND (CAST($3 AS TEXT) IS NULL OR act = $3 OR SUBSTR(act, 1, LENGTH($4)) = $4)
       AND (CAST($5 AS BIGINT) IS NULL OR id < $5)
     ORDER BY id DESC LIMIT $6"
);

pub(super) const ERASE_OF_SUBJECT: Sql = sql!(
    "UPDATE audit_log SET before = NULL, after = NULL WHERE subject = $1 AND (before IS NOT NULL OR after IS NOT NULL)"
);

pub(super) const COUNT: Sql = sql!(
    "SELECT COUNT(*) FROM (
         SELECT 1 FROM audit_log
         WHERE (CAST($1 AS TEXT) IS NULL OR subject = $1) AND (CAST($2 AS TEXT) IS NULL OR actor = $2)
           AND (CAST($3 AS TEXT) IS NULL OR act = $3 OR SUBSTR(act, 1, LENGTH($4)) = $4)
         LIMIT $5) AS counted"
);
