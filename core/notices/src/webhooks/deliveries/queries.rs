//! Statements about webhook deliveries as the operator sees them.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

/// The newest first. While it is being sent, a delivery is due at no time.
pub(super) const LIST: Sql = sql!(
    "SELECT id AS row_id, delivery_id, endpoint_id, event, body, state, attempts,
            CASE WHEN lease IS NULL AND state = 'pending' THEN COALESCE(next_attempt_at, created_at) END
                AS next_attempt_at,
            response_status, last_error, created_at, finished_at
     FROM webhook_deliveries
     WHERE (CAST($1 AS TEXT) IS NULL OR state = $1)
       AND (CAST($2 AS BIGINT) IS NULL OR endpoint_id = $2)
       AND (CAST($3 AS TEXT) IS NULL OR event = $3)
       AND created_at >= $4 AND created_at < $5
     ORDER BY id DESC LIMIT $6"
);

pub(super) const FIND: Sql = sql!(
    "SELECT id AS row_id, delivery_id, endpoint_id, event, body, state, attempts,
            CASE WHEN lease IS NULL AND state = 'pending' THEN COALESCE(next_attempt_at, created_at) END
                AS next_attempt_at,
            response_status, last_error, created_at, finished_at
     FROM webhook_deliveries WHERE delivery_id = $1"
);

pub(super) const ATTEMPTS: Sql = sql!(
    "SELECT number, ended_at, duration_ms, address, response_status, error
     FROM webhook_attempts WHERE delivery = $1 ORDER BY id"
);

/// Puts deliveries back to the beginning, unless they are just being sent, or their endpoint is off.
pub(super) const RETRY: Sql = sql!(
    "UPDATE webhook_deliveries
     SET state = 'pending', attempts = 0, next_attempt_at = NULL, lease = NULL, response_status = NULL,
         last_error = NULL, finished_at = NULL
     WHERE id = $1 AND lease IS NULL
       AND endpoint_id IN (SELECT id FROM webhook_endpoints WHERE enabled = TRUE AND removed_at IS NULL)"
);

pub(super) const RETRY_MANY: Sql = sql!(
    "UPDATE webhook_deliveries
     SET state = 'pending', attempts = 0, next_attempt_at = NULL, lease = NULL, response_status = NULL,
         last_error = NULL, finished_at = NULL
     WHERE lease IS NULL AND state = $1
       AND (CAST($2 AS BIGINT) IS NULL OR endpoint_id = $2)
       AND (CAST($3 AS TEXT) IS NULL OR event = $3)
       AND created_at >= $4 AND created_at < $5
       AND endpoint_id IN (SELECT id FROM webhook_endpoints WHERE enabled = TRUE AND removed_at IS NULL)"
);

/// Deliveries that came to an end long ago, with their attempts.
pub(crate) const PRUNE: Sql = sql!(
    "DELETE FROM webhook_deliveries
     WHERE id IN (SELECT id FROM webhook_deliveries WHERE finished_at <= $1 ORDER BY finished_at LIMIT $2)"
);

pub(super) const QUEUE_STATE: Sql = sql!(
    "SELECT COUNT(*) AS pending,
            COUNT(*) FILTER (WHERE attempts = 0 OR next_attempt_at <= $1 OR next_attempt_at > $2) AS due,
            MIN(CASE WHEN attempts = 0 THEN created_at WHEN next_attempt_at <= $1 THEN next_attempt_at END)
                AS oldest_due_at
     FROM webhook_deliveries WHERE state = 'pending'"
);

pub(super) const COUNT_DEAD: Sql = sql!("SELECT COUNT(*) FROM webhook_deliveries WHERE state = 'dead_letter'");
