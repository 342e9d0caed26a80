//! Statements about idempotency keys.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

/// Waits for another transaction that has just taken the same key.
pub(super) const INSERT: Sql = sql!(
    "INSERT INTO idempotency_keys (customer_id, route, key, fingerprint, created_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (customer_id, route, key) DO NOTHING"
);

pub(super) const FIND: Sql = sql!(
    "SELECT fingerprint, order_id, attempt_id, withdrawal_id FROM idempotency_keys
     WHERE customer_id = $1 AND route = $2 AND key = $3"
);

pub(super) const KEEP: Sql = sql!(
    "UPDATE idempotency_keys SET order_id = $4, attempt_id = $5, withdrawal_id = $6
     WHERE customer_id = $1 AND route = $2 AND key = $3"
);

pub(super) const PRUNE: Sql = sql!(
    "DELETE FROM idempotency_keys
     WHERE (customer_id, route, key) IN (
         SELECT customer_id, route, key FROM idempotency_keys WHERE created_at <= $1
         ORDER BY created_at, customer_id, route, key LIMIT $2
     )"
);
