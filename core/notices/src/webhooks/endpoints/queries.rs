//! Statements about webhook endpoints.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

pub(super) const LIST: Sql = sql!(
    "SELECT id, name, url, kind, events, locale, enabled, consecutive_failures, last_success_at, last_failure_at,
            last_error, previous_secret_until, created_at, updated_at
     FROM webhook_endpoints WHERE removed_at IS NULL ORDER BY id"
);

pub(super) const FIND: Sql = sql!(
    "SELECT id, name, url, kind, events, locale, enabled, consecutive_failures, last_success_at, last_failure_at,
            last_error, previous_secret_until, created_at, updated_at
     FROM webhook_endpoints WHERE id = $1 AND removed_at IS NULL"
);

pub(super) const SECRETS: Sql = sql!(
    "SELECT id, secret, previous_secret, previous_secret_until FROM webhook_endpoints
     WHERE removed_at IS NULL ORDER BY id"
);

/// The secret follows when the row has an id, to which it is sealed. Until then the endpoint is off.
pub(super) const INSERT: Sql = sql!(
    "INSERT INTO webhook_endpoints
         (name, url, kind, events, locale, enabled, secret, consecutive_failures, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8, $8)
     RETURNING id"
);

pub(super) const SET_SECRET: Sql = sql!("UPDATE webhook_endpoints SET secret = $2 WHERE id = $1");

/// Takes the row for this transaction, and gives its present secret.
pub(super) const LOCK: Sql =
    sql!("UPDATE webhook_endpoints SET updated_at = $2 WHERE id = $1 AND removed_at IS NULL RETURNING secret");

pub(super) const ROTATE: Sql =
    sql!("UPDATE webhook_endpoints SET secret = $2, previous_secret = $3, previous_secret_until = $4 WHERE id = $1");

pub(super) const SET_ENABLED: Sql =
    sql!("UPDATE webhook_endpoints SET enabled = $2, updated_at = $3 WHERE id = $1 AND removed_at IS NULL");

pub(super) const CHANGE: Sql =
    sql!("UPDATE webhook_endpoints SET url = $2, kind = $3, events = $4, updated_at = $5 WHERE id = $1");

/// What others may still refer to stays; the secrets go.
pub(super) const REMOVE: Sql = sql!(
    "UPDATE webhook_endpoints
     SET removed_at = $2, updated_at = $2, enabled = FALSE, secret = $3, previous_secret = NULL,
         previous_secret_until = NULL
     WHERE id = $1 AND removed_at IS NULL"
);

/// Skips what waits for an endpoint. What is just being sent is settled when that has ended.
pub(super) const SKIP: Sql = sql!(
    "UPDATE webhook_deliveries SET state = 'skipped', finished_at = $2, last_error = $3
     WHERE state = 'pending' AND id IN (SELECT CAST(value ->> 'id' AS BIGINT) FROM json_each($1))"
);

pub(super) const UPDATE_CONFIGURED: Sql = sql!(
    "UPDATE webhook_endpoints
     SET url = $2, kind = $3, events = $4, locale = $5, enabled = $6, updated_at = $7
     WHERE id = $1"
);

/// Removed endpoints without deliveries.
pub(crate) const PRUNE: Sql = sql!(
    "DELETE FROM webhook_endpoints WHERE id IN (
         SELECT e.id FROM webhook_endpoints e
         WHERE e.removed_at <= $1
           AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.endpoint_id = e.id)
         ORDER BY e.id LIMIT $2)"
);
