//! Statements about event deliveries.

use crate::db::Sql;
use crate::sql;

pub(super) const INSERT: Sql = sql!(
    "INSERT INTO event_deliveries (event, listener, payload, state, attempts, next_attempt_at, created_at)
     SELECT $1, value ->> 'id', $3, 'pending', 0, $4, $4 FROM json_each($2)"
);

/// What is due at `$1`: what was never tried, whatever the clock says; what was, unless it lies between now and `$3`. A lease
/// ends, and is none that lies beyond `$4`.
pub(super) const COUNT_DUE: Sql = sql!(
    "SELECT COUNT(*) FROM event_deliveries
     WHERE state = 'pending' AND (attempts = 0 OR next_attempt_at <= $1 OR next_attempt_at > $3)
       AND (leased_until IS NULL OR leased_until <= $1 OR leased_until > $4)
       AND listener IN (SELECT value ->> 'id' FROM json_each($2))"
);

/// Takes what is due, with times as above, in the order in which they were emitted. Listeners of disabled modules are
/// not among those asked for, so their rows wait.
pub(super) const CLAIM: Sql = sql!(
    "UPDATE event_deliveries SET leased_until = $5, attempts = attempts + 1
     WHERE id IN (
         SELECT id FROM event_deliveries
         WHERE state = 'pending' AND (attempts = 0 OR next_attempt_at <= $1 OR next_attempt_at > $3)
           AND (leased_until IS NULL OR leased_until <= $1 OR leased_until > $4)
           AND listener IN (SELECT value ->> 'id' FROM json_each($2))
         ORDER BY id LIMIT $6
     ) AND (leased_until IS NULL OR leased_until <= $1 OR leased_until > $4)
     RETURNING id, listener, payload, attempts"
);

pub(super) const DELETE: Sql = sql!("DELETE FROM event_deliveries WHERE id = $1");

pub(super) const POSTPONE: Sql = sql!(
    "UPDATE event_deliveries SET state = $2, next_attempt_at = $3, leased_until = NULL, last_error = $4
     WHERE id = $1"
);

pub(super) const LIST: Sql = sql!(
    "SELECT id, event, listener, state, attempts, next_attempt_at, last_error, created_at
     FROM event_deliveries ORDER BY id"
);

pub(super) const LIST_FAILED: Sql = sql!(
    "SELECT id, event, listener, state, attempts, next_attempt_at, last_error, created_at
     FROM event_deliveries WHERE state = 'failed' ORDER BY id"
);

pub(super) const RETRY: Sql = sql!(
    "UPDATE event_deliveries SET state = 'pending', attempts = 0, next_attempt_at = $2, last_error = NULL
     WHERE id = $1 AND state = 'failed'"
);
