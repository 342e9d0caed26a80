//! Statements about webhook endpoints and deliveries.

use crate::db::Sql;
use crate::sql;

/// The endpoints that events are queued for.
pub(super) const ACTIVE_ENDPOINTS: Sql = sql!(
    "SELECT id, kind, events, locale FROM webhook_endpoints WHERE enabled = TRUE AND removed_at IS NULL ORDER BY id"
);

/// One row for each endpoint that was found to subscribe.
pub(super) const INSERT_DELIVERIES: Sql = sql!(
    "INSERT INTO webhook_deliveries (delivery_id, endpoint_id, event, body, state, attempts, created_at)
     SELECT value ->> 'delivery_id', CAST(value ->> 'endpoint_id' AS BIGINT), $2, value ->> 'body', 'pending', 0, $3
     FROM json_each($1)"
);
