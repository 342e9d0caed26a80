//! Statements about files that were uploaded to be imported.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

pub(super) const INSERT: Sql = sql!(
    sqlite: "INSERT INTO imports (file_name, size_bytes, settings, content, state, actor, address, report, created_at)
             VALUES ($1, $2, $3, $4, 'tried', $5, $6, $7, $8) RETURNING id",
    postgres: "INSERT INTO imports (file_name, size_bytes, settings, content, state, actor, address, report, created_at)
               VALUES ($1, $2, CAST($3 AS JSONB), $4, 'tried', $5, $6, CAST($7 AS JSONB), $8) RETURNING id",
);

pub(super) const BY_ID: Sql = sql!(
    "SELECT id, file_name, size_bytes, settings, state, actor, read_bytes, report, problem, created_at, finished_at
     FROM imports WHERE id = $1"
);

pub(super) const BEFORE: Sql = sql!(
    "SELECT id, file_name, size_bytes, settings, state, actor, read_bytes, report, problem, created_at, finished_at
     FROM imports WHERE id < $1 ORDER BY id DESC LIMIT $2"
);

pub(super) const COUNT: Sql = sql!("SELECT COUNT(*) FROM (SELECT 1 FROM imports LIMIT $1) AS counted");

/// What is tried may be imported, once.
pub(super) const ASK_FOR: Sql =
    sql!("UPDATE imports SET state = 'waiting', actor = $2, address = $3 WHERE id = $1 AND state = 'tried'");

pub(super) const BEGIN: Sql = sql!(
    "UPDATE imports SET state = 'running', read_bytes = 0 WHERE id = $1 AND state IN ('waiting', 'running')
     RETURNING file_name, settings, content, actor, address"
);

pub(super) const NOTE_PROGRESS: Sql = sql!("UPDATE imports SET read_bytes = $2 WHERE id = $1 AND state = 'running'");

pub(super) const FINISH: Sql = sql!(
    sqlite: "UPDATE imports SET state = $2, report = $3, problem = $4, finished_at = $5, content = NULL WHERE id = $1",
    postgres: "UPDATE imports SET state = $2, report = CAST($3 AS JSONB), problem = $4, finished_at = $5, content = NULL
               WHERE id = $1",
);

pub(super) const DELETE_OLD: Sql = sql!(
    "DELETE FROM imports WHERE id IN (SELECT id FROM imports WHERE created_at <= $1 ORDER BY created_at LIMIT $2)"
);
