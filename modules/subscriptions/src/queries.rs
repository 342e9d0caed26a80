//! Every statement of the module, once for both databases.

use stoa_core::prelude::*;

/// All units of an order at once: their number does not change how many statements placing takes.
pub(crate) const INSERT: Sql = sql!(
    "INSERT INTO subscriptions_subscriptions
         (customer_id, order_id, order_line_id, unit, product_id, product_slug, product_name, status, interval_unit,
          interval_count, trial_days, price_amount, currency, created_at, updated_at)
     SELECT $1, $2, CAST(value ->> 'order_line_id' AS BIGINT), CAST(value ->> 'unit' AS BIGINT),
            CAST(value ->> 'product_id' AS BIGINT), value ->> 'product_slug', value ->> 'product_name', 'pending',
            value ->> 'interval', CAST(value ->> 'interval_count' AS BIGINT), CAST(value ->> 'trial_days' AS BIGINT),
            CAST(value ->> 'price_amount' AS BIGINT), $3, $4, $4
     FROM json_each($5)"
);

macro_rules! columns {
    () => {
        "id, customer_id, order_id, order_line_id, unit, product_id, product_slug, product_name, status,
         interval_unit, interval_count, trial_days, price_amount, currency, period, current_period_start,
         current_period_end, anchor_at, anchor_period, cancel_at_period_end, started_at, past_due_at, suspended_at,
         ended_at, end_reason, last_error, created_at"
    };
}

macro_rules! subscriptions {
    ($rest:literal) => {
        sql!(concat!("SELECT ", columns!(), " FROM subscriptions_subscriptions ", $rest))
    };
}

/// Makes whoever works on the same subscription wait.
pub(crate) const LOCK: Sql =
    sql!(concat!("UPDATE subscriptions_subscriptions SET updated_at = $2 WHERE id = $1 RETURNING ", columns!()));

pub(crate) const FIND: Sql = subscriptions!("WHERE id = $1");

pub(crate) const FIND_OF_CUSTOMER: Sql =
    subscriptions!("WHERE customer_id = $1 AND order_id = COALESCE($2, order_id) AND id = $3");

pub(crate) const PAGE_OF_CUSTOMER: Sql =
    subscriptions!("WHERE customer_id = $1 AND order_id = COALESCE($2, order_id) ORDER BY id DESC LIMIT $3 OFFSET $4");

pub(crate) const COUNT_OF_CUSTOMER: Sql = sql!(
    "SELECT COUNT(*) FROM subscriptions_subscriptions WHERE customer_id = $1 AND order_id = COALESCE($2, order_id)"
);

pub(crate) const ALL_OF_CUSTOMER: Sql = subscriptions!("WHERE customer_id = $1 ORDER BY id");

/// The newest first with whose they are, with each filter only where it is given.
pub(crate) const LIST: Sql = sql!(concat!(
    "SELECT ",
    columns!(),
    ", (SELECT c.name FROM shop_customers c WHERE c.id = customer_id) AS customer_name,
            (SELECT c.email FROM shop_customers c WHERE c.id = customer_id) AS customer_email
     FROM subscriptions_subscriptions
     WHERE (CAST($1 AS TEXT) IS NULL OR status = $1)
       AND (CAST($2 AS TEXT) IS NULL
            OR customer_id IN (SELECT c.id FROM shop_customers c WHERE c.email = $2))
       AND (CAST($4 AS BIGINT) IS NULL OR id < $4)
     ORDER BY id DESC LIMIT $3"
));

pub(crate) const COUNT_LISTED: Sql = sql!(
    "SELECT COUNT(*) FROM (
         SELECT 1 FROM subscriptions_subscriptions
         WHERE (CAST($1 AS TEXT) IS NULL OR status = $1)
           AND (CAST($2 AS TEXT) IS NULL
                OR customer_id IN (SELECT c.id FROM shop_customers c WHERE c.email = $2))
         LIMIT $3) AS counted"
);

/// What all subscriptions that run come to in a month, in the shop's currency.
pub(crate) const MONTHLY_REVENUE: Sql = sql!(
    "SELECT CAST(COALESCE(SUM(CASE interval_unit
                                  WHEN 'year' THEN price_amount / (12 * interval_count)
                                  WHEN 'week' THEN price_amount * 52 / (12 * interval_count)
                                  WHEN 'day' THEN price_amount * 365 / (12 * interval_count)
                                  ELSE price_amount / interval_count END), 0) AS BIGINT)
     FROM subscriptions_subscriptions WHERE status = 'active' AND cancel_at_period_end = FALSE"
);

/// Which renewals of these subscriptions wait to be paid.
pub(crate) const OPEN_PERIODS: Sql = sql!(
    "SELECT subscription_id, number, starts_at, ends_at, order_id FROM subscriptions_periods
     WHERE state = 'open' AND subscription_id IN (SELECT CAST(value ->> 'id' AS BIGINT) FROM json_each($1))"
);

pub(crate) const LIST_PERIODS: Sql = sql!(
    "SELECT number, starts_at, ends_at, state, order_id, charges, next_charge_at, last_error, paid_at
     FROM subscriptions_periods WHERE subscription_id = $1 ORDER BY number, id"
);

pub(crate) const PENDING_OF_ORDER: Sql =
    sql!("SELECT id FROM subscriptions_subscriptions WHERE order_id = $1 AND status = 'pending' ORDER BY id");

pub(crate) const PAID_AT: Sql = sql!("SELECT paid_at FROM shop_orders WHERE id = $1 AND status = 'paid'");

pub(crate) const START: Sql = sql!(
    "UPDATE subscriptions_subscriptions
     SET status = 'active', period = 1, current_period_start = $2, current_period_end = $3, anchor_at = $4,
         anchor_period = $5, started_at = $2, updated_at = $6
     WHERE id = $1 AND status = 'pending'"
);

pub(crate) const INSERT_PERIOD: Sql = sql!(
    "INSERT INTO subscriptions_periods
         (subscription_id, number, starts_at, ends_at, state, order_id, order_line_id, next_charge_at, created_at, paid_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
);

/// The renewal that waits, with what has become of its order.
pub(crate) const FIND_OPEN: Sql = sql!(
    "SELECT p.id, p.number, p.starts_at, p.ends_at, p.order_id, p.next_charge_at, p.created_at, p.charges,
            o.paid_at AS order_paid_at,
            EXISTS (SELECT 1 FROM shop_payment_attempts a WHERE a.order_id = o.id AND a.status = 'processing')
                AS is_processing,
            EXISTS (SELECT 1 FROM shop_payment_attempts a
                    WHERE a.order_id = o.id AND a.off_session = TRUE AND a.status IN ('pending', 'processing'))
                AS is_charging,
            (SELECT MAX(a.updated_at) FROM shop_payment_attempts a WHERE a.order_id = o.id AND a.off_session = TRUE)
                AS charged_at
     FROM subscriptions_periods p JOIN shop_orders o ON o.id = p.order_id
     WHERE p.subscription_id = $1 AND p.state = 'open'"
);

/// The renewal that an order pays, if it is one.
pub(crate) const FIND_RENEWAL: Sql = sql!(
    "SELECT subscription_id FROM subscriptions_periods
     WHERE order_id = $1 AND number > 1 AND state IN ('open', 'withdrawn')"
);

/// A renewal that was not wanted any more and is paid nevertheless, unless another one has taken its place.
pub(crate) const REOPEN: Sql = sql!(
    "UPDATE subscriptions_periods SET state = 'open'
     WHERE order_id = $1 AND number > 1 AND state = 'withdrawn'
       AND NOT EXISTS (
           SELECT 1 FROM subscriptions_periods other
           WHERE other.subscription_id = subscriptions_periods.subscription_id
             AND other.number >= subscriptions_periods.number AND other.state IN ('open', 'paid')
       )"
);

pub(crate) const LAST_SAVED: Sql = sql!(
    "SELECT m.gateway FROM subscriptions_periods p
     JOIN shop_payments m ON m.order_id = p.order_id
     JOIN shop_saved_payment_methods s ON s.gateway = m.gateway AND s.customer_id = $2
     WHERE p.subscription_id = $1 AND p.state = 'paid'
     ORDER BY p.number DESC LIMIT 1"
);

/// Whether a period was paid with this order.
pub(crate) const COUNT_PAID_WITH: Sql =
    sql!("SELECT COUNT(*) FROM subscriptions_periods WHERE order_id = $1 AND state = 'paid'");

pub(crate) const PAY_PERIOD: Sql = sql!(
    "UPDATE subscriptions_periods
     SET state = 'paid', paid_at = $2, starts_at = $3, ends_at = $4, restarted = $5, next_charge_at = NULL
     WHERE id = $1 AND state = 'open'"
);

pub(crate) const EXTEND: Sql = sql!(
    "UPDATE subscriptions_subscriptions
     SET status = 'active', period = $2, current_period_start = $3, current_period_end = $4, anchor_at = $5,
         anchor_period = $6, past_due_at = NULL, suspended_at = NULL, last_error = NULL, updated_at = $7
     WHERE id = $1"
);

pub(crate) const WITHDRAW: Sql = sql!(
    "UPDATE subscriptions_periods SET state = 'withdrawn', next_charge_at = NULL
     WHERE subscription_id = $1 AND state = 'open' RETURNING order_id"
);

pub(crate) const CANCEL_PENDING: Sql = sql!(
    "UPDATE subscriptions_subscriptions
     SET status = $3, ended_at = $2, end_reason = $4, updated_at = $2
     WHERE order_id = $1 AND status = 'pending'"
);

/// Whoever cancels a renewal's order does not want what it renews.
pub(crate) const CANCEL_RENEWED: Sql = sql!(
    "UPDATE subscriptions_subscriptions SET cancel_at_period_end = TRUE, updated_at = $2
     WHERE status IN ('active', 'past_due')
       AND id IN (SELECT subscription_id FROM subscriptions_periods WHERE order_id = $1 AND number > 1 AND state = 'open')
     RETURNING id"
);

pub(crate) const VOID: Sql = sql!(
    "UPDATE subscriptions_periods SET state = 'void', next_charge_at = NULL
     WHERE order_id = $1 AND number > 1 AND state IN ('open', 'withdrawn')"
);

pub(crate) const FIND_UNIT: Sql =
    sql!("SELECT id FROM subscriptions_subscriptions WHERE order_line_id = $1 AND unit = $2");

/// The subscription whose current period was paid with this item of a renewal.
pub(crate) const FIND_RENEWED: Sql = sql!(
    "SELECT s.id FROM subscriptions_periods p JOIN subscriptions_subscriptions s ON s.id = p.subscription_id
     WHERE p.order_line_id = $1 AND p.number > 1 AND p.number >= s.period AND p.state IN ('open', 'paid')"
);

pub(crate) const LIVE_OF_CUSTOMER: Sql = sql!(
    "SELECT id FROM subscriptions_subscriptions
     WHERE customer_id = $1 AND status IN ('pending', 'active', 'past_due') ORDER BY id"
);

pub(crate) const END: Sql = sql!(
    "UPDATE subscriptions_subscriptions
     SET status = $2, end_reason = $3, ended_at = $4, cancel_at_period_end = FALSE, updated_at = $4
     WHERE id = $1 AND status IN ('pending', 'active', 'past_due')"
);

pub(crate) const SET_CANCEL: Sql =
    sql!("UPDATE subscriptions_subscriptions SET cancel_at_period_end = $2, updated_at = $3 WHERE id = $1");

pub(crate) const PAST_DUE: Sql = sql!(
    "UPDATE subscriptions_subscriptions SET status = 'past_due', past_due_at = $2, updated_at = $3
     WHERE id = $1 AND status = 'active'"
);

pub(crate) const SUSPEND: Sql = sql!(
    "UPDATE subscriptions_subscriptions SET suspended_at = $2, updated_at = $2
     WHERE id = $1 AND status = 'past_due' AND suspended_at IS NULL"
);

pub(crate) const NOTE_FAILURE: Sql = sql!(
    "UPDATE subscriptions_subscriptions SET last_error = $2, updated_at = $3
     WHERE id = $1 AND status IN ('active', 'past_due')"
);

/// A charge begins: until somebody knows what came of it, nobody charges again before `$2`.
pub(crate) const BEGIN_CHARGE: Sql = sql!(
    "UPDATE subscriptions_periods SET next_charge_at = $2, charged_at = COALESCE(charged_at, $3)
     WHERE id = $1 AND state = 'open'"
);

pub(crate) const FIND_CHARGES: Sql =
    sql!("SELECT charges, charged_at FROM subscriptions_periods WHERE id = $1 AND state = 'open'");

pub(crate) const NOTE_CHARGE: Sql = sql!(
    "UPDATE subscriptions_periods SET next_charge_at = $2, charges = charges + $3, last_error = $4
     WHERE id = $1 AND state = 'open'"
);

pub(crate) const COUNT_BY_STATUS: Sql =
    sql!("SELECT status, COUNT(*) FROM subscriptions_subscriptions GROUP BY status ORDER BY status");

pub(crate) const COUNT_OPEN: Sql = sql!("SELECT COUNT(*) FROM subscriptions_periods WHERE state = 'open'");

/// Renewals that could not be placed, with why.
pub(crate) const LIST_UNPLACED: Sql = sql!(
    "SELECT id, last_error FROM subscriptions_subscriptions
     WHERE last_error IS NOT NULL AND status IN ('active', 'past_due') ORDER BY id LIMIT $1"
);

/// Renewals that were paid although nobody wanted them any more.
pub(crate) const LIST_PAID_FOR_NOTHING: Sql = sql!(
    "SELECT p.order_id FROM subscriptions_periods p
     JOIN shop_orders o ON o.id = p.order_id JOIN shop_payments m ON m.order_id = o.id
     JOIN subscriptions_subscriptions s ON s.id = p.subscription_id
     WHERE p.number > 1 AND m.status IN ('paid', 'partially_refunded') AND p.state IN ('open', 'withdrawn', 'void')
       AND (p.state <> 'open' OR s.status IN ('cancelled', 'ended'))
     ORDER BY p.order_id LIMIT $1"
);

pub(crate) const FIND_GAPS: Sql = sql!(
    "SELECT 'subscription ' || p.subscription_id AS about,
            CASE WHEN q.id IS NULL THEN 'period ' || p.number || ' has no period before it'
                 ELSE 'period ' || p.number || ' does not begin where the one before it ends' END AS problem
     FROM subscriptions_periods p
     LEFT JOIN subscriptions_periods q
         ON q.subscription_id = p.subscription_id AND q.number = p.number - 1 AND q.state = 'paid'
     WHERE p.state IN ('open', 'paid') AND p.number > 1
       AND (q.id IS NULL OR p.starts_at < q.ends_at OR (p.starts_at <> q.ends_at AND p.restarted = FALSE))
     ORDER BY p.id LIMIT 100"
);

pub(crate) const FIND_TWICE: Sql = sql!(
    "SELECT 'subscription ' || subscription_id AS about,
            'period ' || number || ' is renewed ' || COUNT(*) || ' times' AS problem
     FROM subscriptions_periods WHERE state IN ('open', 'paid')
     GROUP BY subscription_id, number HAVING COUNT(*) > 1
     ORDER BY subscription_id, number LIMIT 100"
);

pub(crate) const FIND_UNPAID: Sql = sql!(
    "SELECT 'subscription ' || s.id AS about, 'its current period ' || s.period || ' is not paid' AS problem
     FROM subscriptions_subscriptions s
     WHERE s.status IN ('active', 'past_due')
       AND NOT EXISTS (
           SELECT 1 FROM subscriptions_periods p JOIN shop_orders o ON o.id = p.order_id
           WHERE p.subscription_id = s.id AND p.number = s.period AND p.state = 'paid' AND o.status = 'paid'
             AND p.starts_at = s.current_period_start AND p.ends_at = s.current_period_end
       )
     ORDER BY s.id LIMIT 100"
);

/// While the event waits that starts it, nothing is wrong.
pub(crate) const FIND_UNSTARTED: Sql = sql!(
    "SELECT 'subscription ' || s.id AS about, 'order ' || s.order_id || ' is paid, and it has not begun' AS problem
     FROM subscriptions_subscriptions s JOIN shop_orders o ON o.id = s.order_id
     WHERE s.status = 'pending' AND o.status = 'paid'
       AND NOT EXISTS (
           SELECT 1 FROM shop_tasks e
           WHERE e.kind = 'subscriptions.start' AND CAST(e.payload ->> 'order_id' AS BIGINT) = s.order_id
       )
     ORDER BY s.id LIMIT 100"
);

/// Subscriptions that would be renewed or ended one day.
pub(crate) const COUNT_LEFT_ALONE: Sql = sql!(
    "SELECT COUNT(*) FROM subscriptions_subscriptions WHERE status IN ('active', 'past_due') AND created_at <= $1"
);

/// Hands what a guest has bought over.
pub(crate) const CLAIM: Sql = sql!("UPDATE subscriptions_subscriptions SET customer_id = $2 WHERE customer_id = $1");
