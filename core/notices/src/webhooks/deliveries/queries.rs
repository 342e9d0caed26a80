//! Statements about webhook deliveries as the operator sees them.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

/// While it is being sent, a delivery is due at no time.
macro_rules! deliveries {
    ($rest:literal) => {
        sql!(concat!(
            "SELECT d.id AS row_id, d.delivery_id, d.endpoint_id, d.event, d.body, d.state,
                    COALESCE(t.attempts, d.attempts) AS attempts,
                    CASE WHEN t.lease IS NULL THEN CASE WHEN t.due_at < d.created_at THEN d.created_at ELSE t.due_at END END
                        AS next_attempt_at,
                    t.lease IS NOT NULL AS is_in_flight, d.response_status, d.last_error, d.created_at, d.finished_at
             FROM webhook_deliveries d LEFT JOIN tasks t ON t.kind = 'webhooks.deliver' AND t.subject = d.id ",
            $rest
        ))
    };
}

/// The newest first.
pub(super) const LIST: Sql = deliveries!(
    "WHERE (CAST($1 AS TEXT) IS NULL OR d.state = $1)
       AND (CAST($2 AS BIGINT) IS NULL OR d.endpoint_id = $2)
       AND (CAST($3 AS TEXT) IS NULL OR d.event = $3)
       AND d.created_at >= $4 AND d.created_at < $5
       AND (CAST($7 AS BIGINT) IS NULL OR d.id < $7)
     ORDER BY d.id DESC LIMIT $6"
);

pub(super) const COUNT: Sql = sql!(
    "SELECT COUNT(*) FROM (
         SELECT 1 FROM webhook_deliveries d
         WHERE (CAST($1 AS TEXT) IS NULL OR d.state = $1)
           AND (CAST($2 AS BIGINT) IS NULL OR d.endpoint_id = $2)
           AND (CAST($3 AS TEXT) IS NULL OR d.event = $3)
           AND d.created_at >= $4 AND d.created_at < $5
         LIMIT $6) AS counted"
);

pub(super) const FIND: Sql = deliveries!("WHERE d.delivery_id = $1");

pub(super) const ATTEMPTS: Sql = sql!(
    "SELECT number, ended_at, duration_ms, address, response_status, error
     FROM webhook_attempts WHERE delivery = $1 ORDER BY id"
);

/// Those that are to be sent again: to an endpoint that is on.
pub(super) const LIST_TO_RETRY: Sql = sql!(
    "SELECT d.id AS delivery, d.endpoint_id AS endpoint
     FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
     WHERE e.enabled = TRUE AND e.removed_at IS NULL
       AND (CAST($6 AS TEXT) IS NULL OR d.delivery_id = $6)
       AND (CAST($1 AS TEXT) IS NULL OR d.state = $1)
       AND (CAST($2 AS BIGINT) IS NULL OR d.endpoint_id = $2)
       AND (CAST($3 AS TEXT) IS NULL OR d.event = $3)
       AND d.created_at >= $4 AND d.created_at < $5
     ORDER BY d.id"
);

/// Puts a delivery back to its beginning.
pub(super) const RETRY: Sql = sql!(
    "UPDATE webhook_deliveries
     SET state = 'pending', attempts = 0, response_status = NULL, last_error = NULL, finished_at = NULL
     WHERE id = $1"
);

/// Deliveries that came to an end long ago, with their attempts.
pub(crate) const PRUNE: Sql = sql!(
    "DELETE FROM webhook_deliveries
     WHERE id IN (SELECT id FROM webhook_deliveries WHERE finished_at <= $1 ORDER BY finished_at LIMIT $2)"
);

pub(super) const COUNT_DEAD: Sql = sql!("SELECT COUNT(*) FROM webhook_deliveries WHERE state = 'dead_letter'");
