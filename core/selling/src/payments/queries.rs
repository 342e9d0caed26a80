//! Statements about payments and attempts to pay.

use stoa_kernel::db::Sql;
use stoa_kernel::{SearchSql, search_sql, sql};

pub(super) const INSERT: Sql = sql!(
    "INSERT INTO payments (order_id, status, amount, currency, created_at, updated_at)
     VALUES ($1, 'pending', $2, $3, $4, $4)
     RETURNING id, order_id, status, amount, currency, refunded_amount, refunding_amount, gateway, attempt_id, paid_at"
);

pub(super) const FIND_BY_ORDER: Sql = sql!(
    "SELECT id, order_id, status, amount, currency, refunded_amount, refunding_amount, gateway, attempt_id, paid_at
     FROM payments WHERE order_id = $1"
);

/// The same, and whether an attempt may still bring the money.
pub(super) const FIND_TO_PAY: Sql = sql!(
    "SELECT id, order_id, status, amount, currency, refunded_amount, refunding_amount, gateway, attempt_id, paid_at,
            EXISTS (SELECT 1 FROM payment_attempts a
                    WHERE a.order_id = payments.order_id AND a.status IN ('pending', 'processing')) AS has_open_attempt
     FROM payments WHERE order_id = $1"
);

/// Takes the money for an order once: whoever comes later changes no row.
pub(super) const RECORD: Sql = sql!(
    "UPDATE payments SET status = 'paid', gateway = $2, attempt_id = $3, paid_at = $4, updated_at = $4
     WHERE order_id = $1 AND status IN ('pending', 'failed', 'cancelled', 'expired')
     RETURNING id, order_id, status, amount, currency, refunded_amount, refunding_amount, gateway, attempt_id, paid_at"
);

/// Never lowers a payment that was recorded. Whether the order is cancelled stays known when money comes nevertheless.
pub(super) const SET_UNPAID_STATUS: Sql = sql!(
    "UPDATE payments SET status = $2, order_cancelled = $2 IN ('cancelled', 'expired'), updated_at = $3
     WHERE id = $1 AND status IN ('pending', 'failed', 'cancelled', 'expired')"
);

/// What there is to know about attempts, read or left behind by a change.
macro_rules! attempts {
    ($before:literal, $after:literal) => {
        sql!(concat!(
            $before,
            " id, payment_id, order_id, gateway, status, reference, gateway_attempt_id, gateway_payment_id, amount, currency,
              return_url, cancel_url, redirect_url, expires_at, checks, last_error, off_session, created_at ",
            $after
        ))
    };
}

pub(super) const INSERT_ATTEMPT: Sql = attempts!(
    "INSERT INTO payment_attempts (payment_id, order_id, gateway, status, reference, amount, currency, return_url,
                                   cancel_url, created_at, updated_at)
     VALUES ($1, $2, $3, 'pending', $4, $5, $6, $7, $8, $9, $9)
     RETURNING",
    ""
);

pub(super) const FIND_ATTEMPT: Sql = attempts!("SELECT", "FROM payment_attempts WHERE id = $1");

pub(super) const FIND_OPEN_ATTEMPT: Sql =
    attempts!("SELECT", "FROM payment_attempts WHERE order_id = $1 AND status IN ('pending', 'processing')");

/// What the provider has answered to the start; a second answer to the same start says the same. A callback may have come
/// before the answer, so an attempt that is over keeps the provider's id as well, which refunds need.
pub(super) const STARTED: Sql = attempts!(
    "UPDATE payment_attempts
     SET gateway_attempt_id = $2, redirect_url = $3, expires_at = $4, last_error = NULL, updated_at = $5
     WHERE id = $1
     RETURNING",
    ""
);

/// Statuses only move forward: a row that is further already stays as it is.
pub(super) const MOVE_ATTEMPT: Sql = attempts!(
    "UPDATE payment_attempts
     SET status = $2, gateway_payment_id = COALESCE($3, gateway_payment_id), last_error = $4, updated_at = $5
     WHERE id = $1 AND status IN (SELECT value ->> 'status' FROM json_each($6))
     RETURNING",
    ""
);

/// Notes money of another amount; changes no row when that is noted already.
pub(super) const NOTE_MISMATCH: Sql = sql!(
    "UPDATE payment_attempts SET last_error = $2, updated_at = $3
     WHERE id = $1 AND (last_error IS NULL OR last_error <> $2)"
);

pub(super) const COUNT_CHECK: Sql = sql!(
    "UPDATE payment_attempts SET checks = checks + 1, last_error = $2, updated_at = $3
     WHERE id = $1 AND status IN ('pending', 'processing')"
);

macro_rules! columns {
    () => {
        "p.id, p.order_id, p.status, p.amount, p.currency, p.refunded_amount, p.refunding_amount, p.gateway, p.attempt_id,
         p.paid_at, p.created_at, a.gateway AS attempt_gateway, a.status AS attempt_status"
    };
}

macro_rules! newest_attempt {
    () => {
        " LEFT JOIN payment_attempts a ON a.id = (SELECT MAX(n.id) FROM payment_attempts n WHERE n.order_id = p.order_id)"
    };
}

/// A gateway is that of the money, or of any attempt.
macro_rules! filters {
    () => {
        "(CAST($1 AS TEXT) IS NULL OR p.status = $1)
         AND (CAST($2 AS TEXT) IS NULL OR p.gateway = $2
              OR EXISTS (SELECT 1 FROM payment_attempts o WHERE o.order_id = p.order_id AND o.gateway = $2))"
    };
}

/// Payments with the newest attempt to make them.
macro_rules! payments {
    ($($rest:expr),+) => {
        sql!(concat!("SELECT ", columns!(), " FROM payments p", newest_attempt!(), $($rest),+))
    };
}

/// The newest first.
pub(super) const LIST: Sql = payments!(" WHERE ", filters!(), " ORDER BY p.id DESC LIMIT $3");

/// Those in state $1, through gateway $2, of orders before $3.
macro_rules! search {
    ($from:literal, $found:literal, $order:literal) => {
        search_sql!(
            select: columns!(),
            from: $from,
            join: newest_attempt!(),
            where: concat!($found, filters!(), " AND p.order_id < $3"),
            limit: "$4",
            order_by: $order,
        )
    };
}

pub(super) const SEARCH: SearchSql = search!("FROM payments p", "", "p.order_id");

/// The same where indexes lead from the gateway to few.
pub(super) const SEARCH_OF_GATEWAY: SearchSql = search!(
    "FROM (SELECT g.order_id FROM payments g WHERE g.gateway = $2
           UNION SELECT t.order_id FROM payment_attempts t WHERE t.gateway = $2) f
     CROSS JOIN payments p",
    "p.order_id = f.order_id AND ",
    "f.order_id"
);

/// How many payments and attempts came through gateway $1, each up to $2.
pub(super) const COUNT_GATEWAY: Sql = sql!(
    "SELECT (SELECT COUNT(*) FROM (SELECT 1 FROM payments WHERE gateway = $1 LIMIT $2) AS paid)
          + (SELECT COUNT(*) FROM (SELECT 1 FROM payment_attempts WHERE gateway = $1 LIMIT $2) AS tried)"
);

pub(super) const FIND_RECORD: Sql = payments!(" WHERE p.id = $1");

/// Who pays an order, and whether they are asked to let the method be saved; nobody is written to who is anonymized.
pub(super) const PAYER: Sql = sql!(
    "SELECT CASE WHEN u.anonymized_at IS NULL THEN u.email END AS email, o.language, o.expires_at,
            EXISTS (SELECT 1 FROM orders_saving_methods s WHERE s.order_id = o.id) AS save_method
     FROM orders o JOIN customers c ON c.id = o.customer_id JOIN users u ON u.id = c.user_id
     WHERE o.id = $1"
);

pub(super) const SAVE_METHOD_OF: Sql =
    sql!("INSERT INTO orders_saving_methods (order_id) VALUES ($1) ON CONFLICT (order_id) DO NOTHING");

/// Whether the customer of an order is asked to let the method be saved.
pub(super) const COUNT_SAVING: Sql = sql!("SELECT COUNT(*) FROM orders_saving_methods WHERE order_id = $1");

/// Of a customer who is still there.
pub(super) const KEEP_METHOD: Sql = sql!(
    "INSERT INTO saved_payment_methods (customer_id, gateway, method, created_at, updated_at)
     SELECT o.customer_id, $2, $3, $4, $4
     FROM orders o JOIN customers c ON c.id = o.customer_id JOIN users u ON u.id = c.user_id
     WHERE o.id = $1 AND u.anonymized_at IS NULL
     ON CONFLICT (customer_id, gateway) DO UPDATE SET updated_at = excluded.updated_at
     RETURNING id"
);

/// The seal is bound to the row, so the row comes first.
pub(super) const SEAL_METHOD: Sql = sql!("UPDATE saved_payment_methods SET method = $2 WHERE id = $1");

pub(super) const COUNT_SAVED: Sql =
    sql!("SELECT COUNT(*) FROM saved_payment_methods WHERE customer_id = $1 AND gateway = $2");

/// How an order that is not paid is to be paid, and by whom.
pub(super) const FIND_UNPAID: Sql =
    sql!("SELECT payment_method, customer_id FROM orders WHERE id = $1 AND status = 'pending'");

/// Whether the customer of an order has saved something at a gateway since a time.
pub(super) const COUNT_SAVED_SINCE: Sql = sql!(
    "SELECT COUNT(*) FROM saved_payment_methods s JOIN orders o ON o.customer_id = s.customer_id
     WHERE o.id = $1 AND s.gateway = $2 AND s.updated_at >= $3"
);

pub(super) const FIND_SAVED: Sql = sql!(
    "SELECT s.id, s.method FROM saved_payment_methods s JOIN orders o ON o.customer_id = s.customer_id
     WHERE o.id = $1 AND s.gateway = $2"
);

pub(super) const MARK_OFF_SESSION: Sql = sql!("UPDATE payment_attempts SET off_session = TRUE WHERE id = $1");

pub(super) const FORGET_METHODS: Sql = sql!("DELETE FROM saved_payment_methods WHERE customer_id = $1");

/// Hands over the methods that a guest has saved, through gateways that the customer has saved none of.
pub(super) const CLAIM_METHODS: Sql = sql!(
    "UPDATE saved_payment_methods SET customer_id = $2
     WHERE customer_id = $1
       AND NOT EXISTS (SELECT 1 FROM saved_payment_methods o
                       WHERE o.customer_id = $2 AND o.gateway = saved_payment_methods.gateway)"
);
