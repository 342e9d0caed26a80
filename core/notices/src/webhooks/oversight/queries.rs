//! Statements that find what is wrong with webhooks: what it is about, and what is wrong.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

pub(super) const DELIVERIES: Sql = sql!(
    "SELECT 'delivery ' || delivery_id, 'it is ' || state || ' after ' || CAST(attempts AS TEXT) || ' attempts, and has no such end'
     FROM webhook_deliveries
     WHERE attempts > 5 OR (state = 'pending') <> (finished_at IS NULL) OR (state = 'delivered' AND attempts = 0)
     ORDER BY id LIMIT 100"
);
