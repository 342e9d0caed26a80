//! Statements about tasks.
//!
//! A task is due at `due_at`: when it shall be done, or be tried again, or when the lease on it ends. So one index tells what
//! there is to do, whatever the reason.

use crate::db::Sql;
use crate::sql;

/// Tasks that are written down. Where a subject has a task of the kind already, that one stays.
macro_rules! insert {
    ($before:literal, $from:literal) => {
        concat!(
            $before,
            "INSERT INTO tasks (lane, kind, event, order_key, subject, payload, trace_parent, state, attempts, due_at, written_at,
                                created_at)
             SELECT value ->> 'lane', value ->> 'kind', value ->> 'event', value ->> 'order_key',
                    CAST(value ->> 'subject' AS BIGINT), value -> 'payload', value ->> 'trace_parent', 'pending', 0, $2, $3, $3
             FROM ",
            $from,
            "json_each($1) WHERE TRUE
             ON CONFLICT (subject, kind) WHERE subject IS NOT NULL DO NOTHING"
        )
    };
}

pub(super) const INSERT: Sql = sql!(insert!("", ""));

/// The same, one transaction after the other: SQLite knows it no other way, and for PostgreSQL each holds a lock from here to
/// its commit, which is the next thing it does.
pub(super) const INSERT_IN_ORDER_OF_COMMITS: Sql = sql!(
    sqlite: insert!("", ""),
    postgres: insert!("WITH locked AS MATERIALIZED (SELECT pg_advisory_xact_lock(7305789018236773)) ", "locked, "),
);

/// While the task is being done, it is due again once that has ended; no row where `$8` forbids it.
pub(super) const ENQUEUE_AT: Sql = sql!(
    "INSERT INTO tasks (lane, kind, order_key, subject, payload, state, attempts, due_at, written_at, created_at, trace_parent)
     VALUES ($1, $2, $3, $4, $5, 'pending', 0, $6, $7, $7, $9)
     ON CONFLICT (subject, kind) WHERE subject IS NOT NULL DO UPDATE
     SET state = 'pending', trace_parent = excluded.trace_parent, last_error = NULL, written_at = excluded.written_at,
         attempts = CASE WHEN tasks.lease IS NULL THEN 0 ELSE tasks.attempts END,
         due_at = CASE WHEN tasks.lease IS NULL THEN excluded.due_at ELSE tasks.due_at END,
         again_at = CASE WHEN tasks.lease IS NULL THEN NULL ELSE excluded.due_at END
     WHERE tasks.lease IS NULL OR $8"
);

/// The lanes in which a task of one of the kinds `$2` is due at `$1`, and the lanes of `$4` in which one of the kinds `$3` is,
/// with the order keys. Each kind is looked for by itself: what belongs to modules that are off is not passed over row by row.
pub(super) const LOOK: Sql = sql!(
    "WITH RECURSIVE
         kinds (lane, kind) AS (SELECT value ->> 'lane', value ->> 'kind' FROM json_each($3)),
         order_keys (lane, order_key) AS (
             SELECT l.value ->> 'lane', (SELECT MIN(t.order_key) FROM tasks t
                                         WHERE t.lane = l.value ->> 'lane' AND t.state = 'pending'
                                           AND t.order_key IS NOT NULL)
             FROM json_each($4) l
             UNION ALL
             SELECT k.lane, (SELECT MIN(t.order_key) FROM tasks t
                             WHERE t.lane = k.lane AND t.state = 'pending' AND t.order_key > k.order_key)
             FROM order_keys k WHERE k.order_key IS NOT NULL)
     SELECT k.value ->> 'lane' AS lane, NULL AS order_key FROM json_each($2) k
     WHERE (SELECT t.id FROM tasks t
            WHERE t.lane = k.value ->> 'lane' AND t.kind = k.value ->> 'kind' AND t.state = 'pending' AND t.due_at <= $1
              AND (t.order_key IS NULL OR NOT EXISTS (
                  SELECT 1 FROM tasks e
                  WHERE e.lane = t.lane AND e.order_key = t.order_key AND e.state = 'pending' AND e.id < t.id))
            LIMIT 1) IS NOT NULL
     UNION ALL
     SELECT k.lane, k.order_key FROM order_keys k
     WHERE k.order_key IS NOT NULL
       AND (SELECT t.id FROM tasks t
            WHERE t.lane = k.lane AND t.order_key = k.order_key AND t.state = 'pending' AND t.due_at <= $1
              AND (t.lane, t.kind) IN (SELECT lane, kind FROM kinds)
            LIMIT 1) IS NOT NULL"
);

/// Removes tasks of an order key that nobody does; those that are being claimed at this moment are done.
pub(super) const WITHDRAW: Sql = sql!(
    sqlite: "DELETE FROM tasks WHERE lane = $1 AND order_key = $2 AND state = 'pending' AND lease IS NULL
             RETURNING subject",
    postgres: "DELETE FROM tasks WHERE id IN (
                   SELECT id FROM tasks WHERE lane = $1 AND order_key = $2 AND state = 'pending' AND lease IS NULL
                   FOR UPDATE SKIP LOCKED)
               RETURNING subject",
);

/// Removes the task of a subject, unless somebody does it, or is about to.
pub(super) const DEQUEUE: Sql = sql!(
    sqlite: "DELETE FROM tasks WHERE subject = $1 AND kind = $2 AND lease IS NULL",
    postgres: "DELETE FROM tasks WHERE id IN (
                   SELECT id FROM tasks WHERE subject = $1 AND kind = $2 AND lease IS NULL FOR UPDATE SKIP LOCKED)",
);

/// The task of a subject that somebody does is not due again.
pub(super) const FORGET_AGAIN: Sql =
    sql!("UPDATE tasks SET again_at = NULL WHERE subject = $1 AND kind = $2 AND again_at IS NOT NULL");

/// When something of the kinds `$2` is due that is not at `$1`.
pub(super) const NEXT_DUE: Sql = sql!(
    "SELECT MIN((SELECT MIN(t.due_at) FROM tasks t
                 WHERE t.lane = k.value ->> 'lane' AND t.kind = k.value ->> 'kind' AND t.state = 'pending'
                   AND t.due_at > $1))
     FROM json_each($2) k"
);

/// Takes tasks of the lane `$1` that are due at `$2`, those of one order key one at a time, in the order in which they were
/// written. Under the lease `$3`, until `$4`. With a bare value as a limit, SQLite would plan it anew each time.
pub(super) const CLAIM: Sql = sql!(
    sqlite: "UPDATE tasks SET lease = $3, due_at = $4, written_at = $2, attempts = attempts + 1
             WHERE id IN (
                 SELECT t.id FROM json_each($5) k JOIN tasks t ON t.id IN (
                     SELECT d.id FROM tasks d
                     WHERE d.lane = $1 AND d.kind = k.value ->> 'kind' AND d.state = 'pending' AND d.due_at <= $2
                       AND (d.order_key IS NULL OR NOT EXISTS (
                           SELECT 1 FROM tasks e
                           WHERE e.lane = d.lane AND e.order_key = d.order_key AND e.state = 'pending' AND e.id < d.id))
                     ORDER BY d.due_at, d.id LIMIT $6 + 0)
                 ORDER BY t.due_at, t.id LIMIT $6 + 0)
             RETURNING id, kind, order_key, subject, payload, trace_parent, attempts",
    // Materialized, because a subquery could be run again and lock more rows than it gives.
    postgres: "WITH due AS MATERIALIZED (
                   SELECT t.id, t.due_at FROM json_each($5) k CROSS JOIN LATERAL (
                       SELECT d.id, d.due_at FROM tasks d
                       WHERE d.lane = $1 AND d.kind = k.value ->> 'kind' AND d.state = 'pending' AND d.due_at <= $2
                         AND (d.order_key IS NULL OR NOT EXISTS (
                             SELECT 1 FROM tasks e
                             WHERE e.lane = d.lane AND e.order_key = d.order_key AND e.state = 'pending' AND e.id < d.id))
                       ORDER BY d.due_at, d.id LIMIT $6 FOR UPDATE OF d SKIP LOCKED) t),
                   claimed AS (SELECT id FROM due ORDER BY due_at, id LIMIT $6)
               UPDATE tasks t SET lease = $3, due_at = $4, written_at = $2, attempts = attempts + 1
               FROM claimed WHERE t.id = claimed.id
               RETURNING t.id, t.kind, t.order_key, t.subject, t.payload, t.trace_parent, t.attempts",
);

/// Takes tasks of the lane `$1` that are due at `$2`: of each order key in `$6` so many, at most `$7`. Those that were never
/// tried, which are due at `$8`, and those that are tried again have turns, each in their order. Limits are as above.
pub(super) const CLAIM_ABREAST: Sql = sql!(
    sqlite: "WITH due AS (
                 SELECT t.id, w.value ->> 'order_key' AS order_key, CAST(w.value ->> 'places' AS BIGINT) AS places, t.due_at,
                        ROW_NUMBER() OVER (PARTITION BY w.value ->> 'order_key', t.due_at = $8
                                           ORDER BY t.due_at, t.id) AS place
                 FROM json_each($6) w JOIN tasks t ON t.id IN (
                     SELECT * FROM (
                         SELECT n.id FROM tasks n
                         WHERE n.lane = $1 AND n.order_key = w.value ->> 'order_key' AND n.state = 'pending' AND n.due_at = $8
                           AND n.kind IN (SELECT value ->> 'kind' FROM json_each($5))
                         ORDER BY n.id LIMIT $7 + 0)
                     UNION ALL
                     SELECT * FROM (
                         SELECT a.id FROM tasks a
                         WHERE a.lane = $1 AND a.order_key = w.value ->> 'order_key' AND a.state = 'pending'
                           AND a.due_at > $8 AND a.due_at <= $2
                           AND a.kind IN (SELECT value ->> 'kind' FROM json_each($5))
                         ORDER BY a.due_at, a.id LIMIT $7 + 0))),
                 ranked AS (SELECT id, places,
                                   ROW_NUMBER() OVER (PARTITION BY order_key ORDER BY place, due_at DESC, id) AS place
                            FROM due)
             UPDATE tasks SET lease = $3, due_at = $4, written_at = $2, attempts = attempts + 1
             WHERE id IN (SELECT id FROM ranked WHERE place <= places)
             RETURNING id, kind, order_key, subject, payload, trace_parent, attempts",
    postgres: "WITH due AS (
                   SELECT t.id, w.value ->> 'order_key' AS order_key, CAST(w.value ->> 'places' AS BIGINT) AS places,
                          t.due_at,
                          ROW_NUMBER() OVER (PARTITION BY w.value ->> 'order_key', t.due_at = $8
                                             ORDER BY t.due_at, t.id) AS place
                   FROM json_each($6) w CROSS JOIN LATERAL (
                       (SELECT n.id, n.due_at FROM tasks n
                        WHERE n.lane = $1 AND n.order_key = w.value ->> 'order_key' AND n.state = 'pending' AND n.due_at = $8
                          AND n.kind IN (SELECT value ->> 'kind' FROM json_each($5))
                        ORDER BY n.id LIMIT $7)
                       UNION ALL
                       (SELECT a.id, a.due_at FROM tasks a
                        WHERE a.lane = $1 AND a.order_key = w.value ->> 'order_key' AND a.state = 'pending'
                          AND a.due_at > $8 AND a.due_at <= $2
                          AND a.kind IN (SELECT value ->> 'kind' FROM json_each($5))
                        ORDER BY a.due_at, a.id LIMIT $7)) t),
                   ranked AS (SELECT id, places,
                                     ROW_NUMBER() OVER (PARTITION BY order_key ORDER BY place, due_at DESC, id) AS place
                              FROM due),
                   claimed AS MATERIALIZED (
                       SELECT t.id FROM ranked r JOIN tasks t ON t.id = r.id
                       WHERE r.place <= r.places AND t.state = 'pending' AND t.due_at <= $2
                       FOR UPDATE OF t SKIP LOCKED)
               UPDATE tasks t SET lease = $3, due_at = $4, written_at = $2, attempts = attempts + 1
               FROM claimed WHERE t.id = claimed.id
               RETURNING t.id, t.kind, t.order_key, t.subject, t.payload, t.trace_parent, t.attempts",
);

/// Takes the task of a subject that is due at `$5`, unless somebody else does it.
pub(super) const CLAIM_ONE: Sql = sql!(
    "UPDATE tasks SET lease = $3, due_at = $4, written_at = $5, attempts = attempts + 1
     WHERE subject = $1 AND kind = $2 AND state = 'pending' AND due_at <= $5
     RETURNING id, kind, order_key, subject, payload, trace_parent, attempts"
);

/// Removes tasks that are done, unless somebody else holds them by now, or they are due again.
pub(super) const DELETE_DONE: Sql = sql!(
    "DELETE FROM tasks WHERE again_at IS NULL AND (id, lease) IN
         (SELECT CAST(value ->> 'id' AS BIGINT), value ->> 'lease' FROM json_each($1))
     RETURNING id"
);

/// A task that is due again, or was given up. One that was enqueued meanwhile is due when that has said, or sooner.
pub(super) const POSTPONE: Sql = sql!(
    "UPDATE tasks
     SET state = CASE WHEN again_at IS NULL THEN $3 ELSE 'pending' END,
         due_at = CASE WHEN again_at IS NULL OR ($3 = 'pending' AND $4 < again_at) THEN $4 ELSE again_at END,
         attempts = CASE WHEN again_at IS NULL THEN $7 ELSE 0 END,
         lease = NULL, again_at = NULL, last_error = $5, written_at = $6, attempted_at = $6
     WHERE id = $1 AND lease = $2
     RETURNING state, due_at"
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

/// A job that was run by hand; when it is due stays as it was.
pub(crate) const RECORD_JOB: Sql =
    sql!("UPDATE tasks SET attempted_at = $2, last_error = $3 WHERE lane = 'jobs' AND kind = $1");

pub(crate) const LIST_JOBS: Sql =
    sql!("SELECT kind, attempted_at, due_at, last_error, created_at FROM tasks WHERE lane = 'jobs' ORDER BY kind");

pub(crate) const LIST_EVENTS: Sql = sql!(
    "SELECT id, event, kind, state, attempts, due_at, last_error, created_at FROM tasks
     WHERE lane = 'events' AND (CAST($1 AS TEXT) IS NULL OR state = $1) ORDER BY id"
);

/// A page of them, the newest first.
pub(crate) const PAGE_EVENTS: Sql = sql!(
    "SELECT id, event, kind, state, attempts, due_at, last_error, created_at FROM tasks
     WHERE lane = 'events' AND (CAST($1 AS TEXT) IS NULL OR state = $1) AND (CAST($2 AS BIGINT) IS NULL OR id < $2)
     ORDER BY id DESC LIMIT $3"
);

pub(crate) const COUNT_EVENTS: Sql = sql!(
    "SELECT COUNT(*) FROM (SELECT 1 FROM tasks
                           WHERE lane = 'events' AND (CAST($1 AS TEXT) IS NULL OR state = $1) LIMIT $2) AS counted"
);

pub(crate) const RETRY_EVENT: Sql = sql!(
    "UPDATE tasks SET state = 'pending', attempts = 0, due_at = $2, last_error = NULL
     WHERE id = $1 AND lane = 'events' AND state = 'failed'"
);

/// What waits in each lane at `$1`, and what was given up.
pub(super) const COUNT_LANES: Sql = sql!(
    "SELECT lane, COUNT(*) FILTER (WHERE state = 'pending') AS waiting,
            COUNT(*) FILTER (WHERE state = 'pending' AND due_at <= $1) AS due,
            COUNT(*) FILTER (WHERE state = 'failed') AS failed,
            MIN(CASE WHEN state = 'failed' OR due_at > $1 THEN NULL
                     WHEN due_at < created_at THEN created_at ELSE due_at END) AS due_since
     FROM tasks GROUP BY lane ORDER BY lane"
);

/// Since when the one of the kinds `$2` is due at `$1` that waits the longest.
pub(super) const OLDEST_DUE: Sql = sql!(
    "SELECT MIN((SELECT MIN(CASE WHEN t.due_at < t.created_at THEN t.created_at ELSE t.due_at END) FROM tasks t
                 WHERE t.lane = k.value ->> 'lane' AND t.kind = k.value ->> 'kind' AND t.state = 'pending'
                   AND t.due_at <= $1))
     FROM json_each($2) k"
);

pub(super) const COUNT_FAILED_DELIVERIES: Sql =
    sql!("SELECT COUNT(*) FROM tasks WHERE lane = 'events' AND state = 'failed'");

/// Deliveries that were due before `$1`, by listener.
pub(super) const OVERDUE_DELIVERIES: Sql = sql!(
    "SELECT kind AS listener, COUNT(*) AS count FROM tasks
     WHERE lane = 'events' AND state = 'pending' AND due_at < $1 AND created_at < $1 GROUP BY kind ORDER BY kind"
);
