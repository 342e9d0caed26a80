//! Statements about webhook endpoints and deliveries.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

/// The endpoints that events are queued for, as one value: everybody who places an order reads them.
pub(super) const ACTIVE_ENDPOINTS: Sql = sql!(
    sqlite: "SELECT json_group_array(json_object('id', id, 'kind', kind, 'events', json(events), 'locale', locale))
             FROM (SELECT id, kind, events, locale FROM webhook_endpoints
                   WHERE enabled = TRUE AND removed_at IS NULL ORDER BY id)",
    postgres: "SELECT coalesce(json_agg(json_build_object('id', id, 'kind', kind, 'events', events, 'locale', locale)
                                        ORDER BY id), '[]')
               FROM webhook_endpoints WHERE enabled = TRUE AND removed_at IS NULL",
);

/// One row for each endpoint that was found to subscribe. Envelopes are put together here: what they share travels once.
pub(super) const INSERT_DELIVERIES: Sql = sql!(
    "INSERT INTO webhook_deliveries (delivery_id, endpoint_id, event, body, state, attempts, created_at)
     SELECT value ->> 'delivery_id', CAST(value ->> 'endpoint_id' AS BIGINT), $2,
            coalesce($4 || (value ->> 'payload_id') || $5, value ->> 'body'), 'pending', 0, $3
     FROM json_each($1)"
);

/// What each endpoint has to be sent at the time `$1`, without claiming anything; what lies beyond `$2` cannot be meant. The limits have PostgreSQL look at one entry of
/// an index each: for `EXISTS` it may read all that waits into memory instead, and keep to that plan.
pub(super) const LOOK: Sql = sql!(
    "SELECT e.id, (e.enabled = TRUE AND e.removed_at IS NULL) AS is_active, e.consecutive_failures, e.last_success_at,
            (SELECT d.id FROM webhook_deliveries d
             WHERE d.endpoint_id = e.id AND d.state = 'pending' AND d.attempts = 0 LIMIT 1) IS NOT NULL AS has_new,
            (SELECT d.id FROM webhook_deliveries d
             WHERE d.endpoint_id = e.id AND d.state = 'pending' AND d.attempts > 0
               AND d.next_attempt_at <= $1 LIMIT 1) IS NOT NULL
            OR (SELECT d.id FROM webhook_deliveries d
                WHERE d.endpoint_id = e.id AND d.state = 'pending' AND d.attempts > 0
                  AND d.next_attempt_at > $2 LIMIT 1) IS NOT NULL AS has_due
     FROM webhook_endpoints e ORDER BY e.id"
);

/// Where and under which secrets is sent now.
pub(super) const DESTINATIONS: Sql = sql!(
    "SELECT id, url, secret, previous_secret, previous_secret_until FROM webhook_endpoints
     WHERE enabled = TRUE AND removed_at IS NULL ORDER BY id"
);

/// Takes deliveries that were never tried, in the order of the rows. `next_attempt_at` is the end of the lease.
pub(super) const CLAIM_NEW: Sql = sql!(
    sqlite: "UPDATE webhook_deliveries SET attempts = 1, lease = $2, next_attempt_at = $3
             WHERE id IN (SELECT id FROM webhook_deliveries
                          WHERE endpoint_id = $1 AND state = 'pending' AND attempts = 0 ORDER BY id LIMIT $4)
             RETURNING id, delivery_id, endpoint_id, event, body, attempts",
    // Materialized, because a subquery could be run again and lock more rows than it gives.
    postgres: "WITH taken AS MATERIALIZED (
                   SELECT id FROM webhook_deliveries
                   WHERE endpoint_id = $1 AND state = 'pending' AND attempts = 0
                   ORDER BY id LIMIT $4 FOR UPDATE SKIP LOCKED)
               UPDATE webhook_deliveries d SET attempts = 1, lease = $2, next_attempt_at = $3
               FROM taken WHERE d.id = taken.id
               RETURNING d.id, d.delivery_id, d.endpoint_id, d.event, d.body, d.attempts",
);

/// Takes deliveries that are due again: after a failed attempt, because whoever claimed them died, or because they lie beyond
/// `$7`, where neither can lie. The conditions are repeated for what another worker has claimed while this one waited for it.
pub(super) const CLAIM_DUE: Sql = sql!(
    "UPDATE webhook_deliveries SET attempts = attempts + 1, lease = $2, next_attempt_at = $3
     WHERE id IN (SELECT id FROM webhook_deliveries
                  WHERE endpoint_id = $1 AND state = 'pending' AND attempts > 0 AND attempts < $6
                    AND (next_attempt_at <= $5 OR next_attempt_at > $7)
                  ORDER BY next_attempt_at, id LIMIT $4)
       AND state = 'pending' AND attempts < $6 AND (next_attempt_at <= $5 OR next_attempt_at > $7)
     RETURNING id, delivery_id, endpoint_id, event, body, attempts"
);

/// Gives up what was claimed for the last time by somebody who died.
pub(super) const BURY_EXPIRED: Sql = sql!(
    "UPDATE webhook_deliveries
     SET state = 'dead_letter', next_attempt_at = NULL, lease = NULL, finished_at = $2, last_error = $4
     WHERE endpoint_id = $1 AND state = 'pending' AND attempts >= $3
       AND (next_attempt_at <= $2 OR next_attempt_at > $5)"
);

/// Skips what an endpoint that is disabled or removed would be sent.
pub(super) const SKIP_DUE: Sql = sql!(
    "UPDATE webhook_deliveries
     SET state = 'skipped', next_attempt_at = NULL, lease = NULL, finished_at = $2, last_error = $3
     WHERE endpoint_id = $1 AND state = 'pending' AND (attempts = 0 OR next_attempt_at <= $2 OR next_attempt_at > $4)"
);

/// Deliveries that have arrived, unless somebody else holds them by now.
pub(super) const SET_DELIVERED: Sql = sql!(
    "UPDATE webhook_deliveries
     SET state = 'delivered', next_attempt_at = NULL, lease = NULL, last_error = NULL, finished_at = $2,
         response_status = CAST(done.value ->> 'status' AS BIGINT)
     FROM json_each($1) done
     WHERE webhook_deliveries.id = CAST(done.value ->> 'id' AS BIGINT)
       AND webhook_deliveries.lease = done.value ->> 'lease'
     RETURNING webhook_deliveries.id"
);

/// A delivery that did not arrive: to be tried again at `$4`, or with another state at an end.
pub(super) const SET_FAILED: Sql = sql!(
    "UPDATE webhook_deliveries
     SET state = $3, next_attempt_at = $4, lease = NULL, response_status = $5, last_error = $6, finished_at = $7
     WHERE id = $1 AND lease = $2"
);

pub(super) const INSERT_ATTEMPTS: Sql = sql!(
    "INSERT INTO webhook_attempts (delivery, number, ended_at, duration_ms, address, response_status, error)
     SELECT CAST(value ->> 'delivery' AS BIGINT), CAST(value ->> 'number' AS BIGINT), $2,
            CAST(value ->> 'duration_ms' AS BIGINT), value ->> 'address', CAST(value ->> 'status' AS BIGINT),
            value ->> 'error'
     FROM json_each($1)"
);

/// Counts failures since the last success: `$2` when there was one in between, else that many more.
pub(super) const SET_HEALTH: Sql = sql!(
    "UPDATE webhook_endpoints
     SET consecutive_failures = CASE WHEN $3 = 1 THEN $2 ELSE consecutive_failures + $2 END,
         last_success_at = CASE WHEN $3 = 1 THEN $4 ELSE last_success_at END,
         last_failure_at = CASE WHEN $2 > 0 THEN $4 ELSE last_failure_at END,
         last_error = CASE WHEN $2 > 0 THEN $5 ELSE last_error END
     WHERE id = $1"
);

/// Holds claimed deliveries for longer.
pub(super) const RENEW: Sql = sql!(
    "UPDATE webhook_deliveries SET next_attempt_at = $2
     FROM json_each($1) held
     WHERE webhook_deliveries.id = CAST(held.value ->> 'id' AS BIGINT)
       AND webhook_deliveries.lease = held.value ->> 'lease'"
);

/// Gives claimed deliveries back, due at `$2`.
pub(super) const RELEASE: Sql = sql!(
    "UPDATE webhook_deliveries SET next_attempt_at = $2, lease = NULL
     FROM json_each($1) held
     WHERE webhook_deliveries.id = CAST(held.value ->> 'id' AS BIGINT)
       AND webhook_deliveries.lease = held.value ->> 'lease'"
);
