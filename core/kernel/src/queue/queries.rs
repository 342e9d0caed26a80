//! Statements about tasks.
//!
//! A task is due at `due_at`: when it shall be done, or be tried again, or when the lease on it ends. So one index tells what
//! there is to do, whatever the reason.

use crate::db::Sql;
use crate::sql;

pub(super) const INSERT: Sql = sql!(
    "INSERT INTO tasks (lane, kind, order_key, payload, state, attempts, due_at, written_at, created_at)
     VALUES ($1, $2, $3, $4, 'pending', 0, $5, $6, $6)"
);

/// One for each listener of an event.
pub(crate) const INSERT_EVENTS: Sql = sql!(
    "INSERT INTO tasks (lane, kind, event, order_key, payload, state, attempts, due_at, written_at, created_at)
     SELECT 'events', value ->> 'id', $2, value ->> 'order_key', $3, 'pending', 0, $4, $5, $5 FROM json_each($1)"
);

/// The lanes of `$2` in which a task of one of the kinds `$3` is due at `$1`.
pub(super) const LANES_DUE: Sql = sql!(
    "SELECT l.value ->> 'lane' FROM json_each($2) l
     WHERE (SELECT t.id FROM tasks t
            WHERE t.lane = l.value ->> 'lane' AND t.state = 'pending' AND t.due_at <= $1
              AND (t.lane, t.kind) IN (SELECT k.value ->> 'lane', k.value ->> 'kind' FROM json_each($3) k)
              AND (t.order_key IS NULL OR NOT EXISTS (
                  SELECT 1 FROM tasks e
                  WHERE e.lane = t.lane AND e.order_key = t.order_key AND e.state = 'pending' AND e.id < t.id))
            LIMIT 1) IS NOT NULL"
);

/// Takes tasks of the lane `$1` that are due at `$2`, those of one order key one at a time, in the order in which they were
/// written. Under the lease `$3`, until `$4`.
pub(super) const CLAIM: Sql = sql!(
    sqlite: "UPDATE tasks SET lease = $3, due_at = $4, written_at = $2, attempts = attempts + 1
             WHERE id IN (
                 SELECT t.id FROM tasks t
                 WHERE t.lane = $1 AND t.state = 'pending' AND t.due_at <= $2
                   AND t.kind IN (SELECT value ->> 'kind' FROM json_each($5))
                   AND (t.order_key IS NULL OR NOT EXISTS (
                       SELECT 1 FROM tasks e
                       WHERE e.lane = t.lane AND e.order_key = t.order_key AND e.state = 'pending' AND e.id < t.id))
                 ORDER BY t.due_at, t.id LIMIT $6)
             RETURNING id, kind, payload, attempts",
    // Materialized, because a subquery could be run again and lock more rows than it gives.
    postgres: "WITH claimed AS MATERIALIZED (
                   SELECT t.id FROM tasks t
                   WHERE t.lane = $1 AND t.state = 'pending' AND t.due_at <= $2
                     AND t.kind IN (SELECT value ->> 'kind' FROM json_each($5))
                     AND (t.order_key IS NULL OR NOT EXISTS (
                         SELECT 1 FROM tasks e
                         WHERE e.lane = t.lane AND e.order_key = t.order_key AND e.state = 'pending' AND e.id < t.id))
                   ORDER BY t.due_at, t.id LIMIT $6 FOR UPDATE OF t SKIP LOCKED)
               UPDATE tasks t SET lease = $3, due_at = $4, written_at = $2, attempts = attempts + 1
               FROM claimed WHERE t.id = claimed.id
               RETURNING t.id, t.kind, t.payload, t.attempts",
);

/// Removes tasks that are done, unless somebody else holds them by now.
pub(super) const DELETE_DONE: Sql = sql!(
    "DELETE FROM tasks WHERE (id, lease) IN
         (SELECT CAST(value ->> 'id' AS BIGINT), value ->> 'lease' FROM json_each($1))"
);

/// A task that is due again, or was given up.
pub(super) const POSTPONE: Sql = sql!(
    "UPDATE tasks
     SET state = $3, due_at = $4, lease = NULL, last_error = $5, written_at = $6, attempted_at = $6
     WHERE id = $1 AND lease = $2"
);

/// Holds claimed tasks for longer.
pub(super) const RENEW: Sql = sql!(
    "UPDATE tasks SET due_at = $2, written_at = $3 WHERE (id, lease) IN
         (SELECT CAST(value ->> 'id' AS BIGINT), value ->> 'lease' FROM json_each($1))"
);

/// Gives claimed tasks back as if they had not been claimed, due at `$2`.
pub(super) const RELEASE: Sql = sql!(
    "UPDATE tasks SET due_at = $2, lease = NULL, attempts = attempts - 1 WHERE (id, lease) IN
         (SELECT CAST(value ->> 'id' AS BIGINT), value ->> 'lease' FROM json_each($1))"
);

/// Tasks that wait for a time behind `$1`, and were written at one behind `$2`: then a clock was ahead.
pub(super) const COUNT_AHEAD: Sql =
    sql!("SELECT COUNT(*) FROM tasks WHERE state = 'pending' AND due_at > $1 AND written_at > $2");

/// Has these be due at once.
pub(super) const FORGET_AHEAD: Sql =
    sql!("UPDATE tasks SET due_at = $3, lease = NULL WHERE state = 'pending' AND due_at > $1 AND written_at > $2");

/// Jobs that have no row yet.
pub(super) const MISSING_JOBS: Sql = sql!(
    "SELECT COUNT(*) FROM json_each($1)
     WHERE NOT EXISTS (SELECT 1 FROM tasks t WHERE t.lane = 'jobs' AND t.kind = value ->> 'kind')"
);

pub(super) const INSERT_JOBS: Sql = sql!(
    "INSERT INTO tasks (lane, kind, payload, state, attempts, due_at, written_at, created_at)
     SELECT 'jobs', value ->> 'kind', $2, 'pending', 0, $3, $4, $4 FROM json_each($1) WHERE TRUE
     ON CONFLICT (kind) WHERE lane = 'jobs' DO NOTHING"
);

/// Whether a job is due later only.
pub(super) const COUNT_LATER_JOB: Sql =
    sql!("SELECT COUNT(*) FROM tasks WHERE lane = 'jobs' AND kind = $1 AND lease IS NULL AND due_at > $2");

/// Has a job run before it is due, unless it runs.
pub(super) const HASTEN_JOB: Sql =
    sql!("UPDATE tasks SET due_at = $2 WHERE lane = 'jobs' AND kind = $1 AND lease IS NULL AND due_at > $3");

/// A job that was run by hand; when it is due stays as it was.
pub(crate) const RECORD_JOB: Sql =
    sql!("UPDATE tasks SET attempted_at = $2, last_error = $3 WHERE lane = 'jobs' AND kind = $1");

pub(crate) const LIST_JOBS: Sql =
    sql!("SELECT kind, attempted_at, due_at, last_error, created_at FROM tasks WHERE lane = 'jobs' ORDER BY kind");

pub(crate) const LIST_EVENTS: Sql = sql!(
    "SELECT id, event, kind, state, attempts, due_at, last_error, created_at FROM tasks
     WHERE lane = 'events' AND (CAST($1 AS TEXT) IS NULL OR state = $1) ORDER BY id"
);

pub(crate) const RETRY_EVENT: Sql = sql!(
    "UPDATE tasks SET state = 'pending', attempts = 0, due_at = $2, last_error = NULL
     WHERE id = $1 AND lane = 'events' AND state = 'failed'"
);

/// What waits in each lane at `$1`, and what was given up.
pub(super) const COUNT_LANES: Sql = sql!(
    "SELECT lane, COUNT(*) FILTER (WHERE state = 'pending') AS waiting,
            COUNT(*) FILTER (WHERE state = 'failed') AS failed,
            MIN(CASE WHEN state = 'failed' OR due_at > $1 THEN NULL
                     WHEN due_at < created_at THEN created_at ELSE due_at END) AS due_since
     FROM tasks GROUP BY lane ORDER BY lane"
);
