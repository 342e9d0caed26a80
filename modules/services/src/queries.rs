//! Statements about services and what was done with them.

use stoa_core::prelude::*;

/// The columns of a service, in front of what a statement adds.
macro_rules! service {
    ($before:literal, $after:literal) => {
        sql!(concat!(
            $before,
            " id, order_id, order_line_id, unit, customer_id, product_id, product_slug, product_name, provider, plan,
              service_key, parameters, status, remote_state, open_call, external_ref, credentials, holds_capacity,
              operator_suspended_at, entitlement_suspended_at, over_at, over_reason, terminate_at, hold_until, attempts,
              last_error, needs_attention,
              (SELECT t.due_at FROM shop_tasks t WHERE t.kind = 'services.work' AND t.subject = services_services.id) AS due_at,
              calls, drift, turn, erased, activated_at, suspended_at, terminated_at, created_at ",
            $after
        ))
    };
}

pub(crate) const COUNT_OF_CUSTOMER: Sql =
    sql!("SELECT COUNT(*) FROM services_services WHERE customer_id = $1 AND order_id = COALESCE($2, order_id)");

pub(crate) const PAGE_OF_CUSTOMER: Sql = service!(
    "SELECT",
    "FROM services_services WHERE customer_id = $1 AND order_id = COALESCE($2, order_id)
     ORDER BY id DESC LIMIT $3 OFFSET $4"
);

pub(crate) const FIND_OF_CUSTOMER: Sql = service!(
    "SELECT",
    "FROM services_services WHERE customer_id = $1 AND order_id = COALESCE($2, order_id) AND id = $3"
);

pub(crate) const ALL_OF_CUSTOMER: Sql = service!("SELECT", "FROM services_services WHERE customer_id = $1 ORDER BY id");

pub(crate) const FIND: Sql = service!("SELECT", "FROM services_services WHERE id = $1");

/// The newest first, with each filter only where it is given.
pub(crate) const LIST: Sql = service!(
    "SELECT",
    "FROM services_services
     WHERE (CAST($1 AS TEXT) IS NULL OR status = $1) AND (CAST($2 AS TEXT) IS NULL OR provider = $2)
       AND (CAST($3 AS BIGINT) IS NULL OR order_id = $3)
       AND (CAST($4 AS BOOLEAN) IS NULL OR needs_attention = TRUE OR drift IS NOT NULL)
       AND (CAST($5 AS BIGINT) IS NULL OR id < $5)
     ORDER BY id DESC LIMIT $6"
);

pub(crate) const COUNT_LISTED: Sql = sql!(
    "SELECT COUNT(*) FROM (
         SELECT 1 FROM services_services
         WHERE (CAST($1 AS TEXT) IS NULL OR status = $1) AND (CAST($2 AS TEXT) IS NULL OR provider = $2)
           AND (CAST($3 AS BOOLEAN) IS NULL OR needs_attention = TRUE OR drift IS NOT NULL)
         LIMIT $4) AS counted"
);

/// Reads a service and makes everybody else who wants to change it wait, on both databases.
pub(crate) const LOCK: Sql = service!("UPDATE services_services SET updated_at = $2 WHERE id = $1 RETURNING", "");

pub(crate) const FIND_UNIT: Sql = sql!("SELECT id FROM services_services WHERE order_line_id = $1 AND unit = $2");

pub(crate) const STORE: Sql = sql!(
    "UPDATE services_services
     SET status = $2, remote_state = $3, open_call = $4, external_ref = $5, credentials = $6, holds_capacity = $7,
         operator_suspended_at = $8, entitlement_suspended_at = $9, over_at = $10, over_reason = $11, terminate_at = $12,
         hold_until = $13, attempts = $14, last_error = $15, needs_attention = $16, calls = $17, drift = $18, erased = $19,
         activated_at = $20, suspended_at = $21, terminated_at = $22, turn = $23
     WHERE id = $1"
);

/// Whether an order is paid.
pub(crate) const IS_PAID: Sql = sql!("SELECT COUNT(*) FROM shop_orders WHERE id = $1 AND status = 'paid'");

/// What was selected, as it was shown.
pub(crate) const SELECTED: Sql = sql!("SELECT id, options FROM shop_order_lines WHERE order_id = $1 ORDER BY position");

/// One row for each unit that has none yet, whoever else does the same at this moment.
pub(crate) const PLAN: Sql = sql!(
    "INSERT INTO services_services (order_id, order_line_id, unit, customer_id, product_id, product_slug, product_name,
                                    provider, plan, service_key, parameters, status, remote_state, holds_capacity,
                                    compared_at, created_at, updated_at)
     SELECT $1, CAST(value ->> 'order_line_id' AS BIGINT), CAST(value ->> 'unit' AS BIGINT), $2,
            CAST(value ->> 'product_id' AS BIGINT), value ->> 'slug', value ->> 'name', value ->> 'provider',
            value ->> 'plan', value ->> 'key', value -> 'parameters', value ->> 'status', 'absent', TRUE,
            $3, $3, $3
     FROM json_each($4)
     WHERE TRUE
     ON CONFLICT (order_line_id, unit) DO NOTHING
     RETURNING id, provider, plan"
);

pub(crate) const LOG: Sql = sql!(
    "INSERT INTO services_actions (service_id, action, actor, provider, result, attempt, duration_ms, detail, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
);

pub(crate) const LIST_ACTIONS: Sql = sql!(
    "SELECT action, actor, provider, result, attempt, duration_ms, detail, created_at
     FROM services_actions WHERE service_id = $1 ORDER BY id"
);

/// What customers have selected, and what providers have said about it, may be personal.
pub(crate) const ERASE: Sql = sql!(
    "UPDATE services_services
     SET parameters = $2, credentials = NULL, last_error = NULL, drift = NULL, erased = TRUE,
         external_ref = CASE WHEN status = 'terminated' THEN NULL ELSE external_ref END
     WHERE customer_id = $1"
);

pub(crate) const ERASE_ACTIONS: Sql = sql!(
    "UPDATE services_actions SET detail = NULL
     WHERE service_id IN (SELECT id FROM services_services WHERE customer_id = $1) AND detail IS NOT NULL"
);

pub(crate) const LIVING_OF_CUSTOMER: Sql =
    sql!("SELECT id FROM services_services WHERE customer_id = $1 AND status <> 'terminated' ORDER BY id");

pub(crate) const KEEP_CREDENTIALS: Sql =
    sql!("UPDATE services_services SET credentials = $2 WHERE id = $1 AND status <> 'terminated' AND erased = FALSE");

pub(crate) const COUNT_BY_STATUS: Sql =
    sql!("SELECT status, COUNT(*) FROM services_services GROUP BY status ORDER BY status");

pub(crate) const COUNT_ATTENTION: Sql = sql!("SELECT COUNT(*) FROM services_services WHERE needs_attention = TRUE");

pub(crate) const COUNT_DRIFT: Sql = sql!("SELECT COUNT(*) FROM services_services WHERE drift IS NOT NULL");

/// What has waited for a person since before `$1`.
pub(crate) const COUNT_WAITING: Sql =
    sql!("SELECT COUNT(*) FROM services_services WHERE status = 'pending' AND created_at <= $1");

/// Providers that services which are not over belong to.
pub(crate) const LIVING_PROVIDERS: Sql =
    sql!("SELECT DISTINCT provider FROM services_services WHERE status <> 'terminated' ORDER BY provider");

/// Services that are promised or running.
pub(crate) const COUNT_LEFT_ALONE: Sql =
    sql!("SELECT COUNT(*) FROM services_services WHERE status <> 'terminated' AND created_at <= $1");

/// Hands what a guest has bought over.
pub(crate) const CLAIM: Sql = sql!("UPDATE services_services SET customer_id = $2 WHERE customer_id = $1");
