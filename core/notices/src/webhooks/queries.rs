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
     FROM json_each($1)
     RETURNING id AS delivery, endpoint_id AS endpoint"
);

/// What is to be sent, where to, and under which secrets.
pub(super) const OUTGOING: Sql = sql!(
    "SELECT d.delivery_id, d.event, d.body, d.state, (e.enabled = TRUE AND e.removed_at IS NULL) AS is_active, e.url, e.secret,
            e.previous_secret, e.previous_secret_until
     FROM webhook_deliveries d LEFT JOIN webhook_endpoints e ON e.id = d.endpoint_id
     WHERE d.id = $1"
);

/// Deliveries that have arrived.
pub(super) const SET_DELIVERED: Sql = sql!(
    "UPDATE webhook_deliveries
     SET state = 'delivered', last_error = NULL, finished_at = $2,
         attempts = CAST(done.value ->> 'attempts' AS BIGINT),
         response_status = CAST(done.value ->> 'status' AS BIGINT)
     FROM json_each($1) done
     WHERE webhook_deliveries.id = CAST(done.value ->> 'id' AS BIGINT)"
);

/// A delivery that did not arrive: to be tried again, or at an end.
pub(super) const SET_UNDELIVERED: Sql = sql!(
    "UPDATE webhook_deliveries
     SET state = $2, attempts = $3, response_status = $4, last_error = $5, finished_at = $6
     WHERE id = $1 AND state = 'pending'
     RETURNING delivery_id"
);

pub(super) const INSERT_ATTEMPTS: Sql = sql!(
    "INSERT INTO webhook_attempts (delivery, number, ended_at, duration_ms, address, response_status, error)
     SELECT CAST(value ->> 'delivery' AS BIGINT), CAST(value ->> 'number' AS BIGINT), $2,
            CAST(value ->> 'duration_ms' AS BIGINT), value ->> 'address', CAST(value ->> 'status' AS BIGINT),
            value ->> 'error'
     FROM json_each($1)"
);

/// Counts failures since the last success: `$2` when there was one in between (`$3`), else that many more. Where all goes well
/// and a success was noted after `$6`, nothing is written.
pub(super) const SET_HEALTH: Sql = sql!(
    "UPDATE webhook_endpoints
     SET consecutive_failures = CASE WHEN $3 = 1 THEN $2 ELSE consecutive_failures + $2 END,
         last_success_at = CASE WHEN $3 = 1 THEN $4 ELSE last_success_at END,
         last_failure_at = CASE WHEN $2 > 0 THEN $4 ELSE last_failure_at END,
         last_error = CASE WHEN $2 > 0 THEN $5 ELSE last_error END
     WHERE id = $1
       AND ($2 > 0 OR consecutive_failures > 0 OR last_success_at IS NULL OR last_success_at < $6 OR last_success_at > $4)"
);
