//! Statements that find what is wrong with payments: what it is about, and what is wrong.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

pub(super) const PAYMENT_OF_ORDER: Sql = sql!(
    "SELECT 'order ' || CAST(o.id AS TEXT), 'its payment is not one of its total'
     FROM orders o LEFT JOIN payments p ON p.order_id = o.id
     WHERE (o.total_amount > 0 AND (p.id IS NULL OR p.amount <> o.total_amount OR p.currency <> o.currency))
        OR (o.total_amount = 0 AND p.id IS NOT NULL)
     ORDER BY o.id LIMIT 100"
);

pub(super) const PAID_TOGETHER: Sql = sql!(
    "SELECT 'order ' || CAST(o.id AS TEXT), 'it is ' || o.status || ', and its payment ' || p.status
     FROM orders o JOIN payments p ON p.order_id = o.id
     WHERE (o.status = 'paid' AND p.status NOT IN ('paid', 'partially_refunded', 'refunded'))
        OR (o.status = 'pending' AND p.status NOT IN ('pending', 'failed'))
        OR (o.status = 'cancelled' AND (p.status IN ('pending', 'failed') OR NOT p.order_cancelled))
        OR (o.status <> 'cancelled' AND p.order_cancelled)
        OR (p.status IN ('paid', 'partially_refunded', 'refunded') AND (p.paid_at IS NULL OR p.gateway IS NULL))
     ORDER BY o.id LIMIT 100"
);

pub(super) const PAID_ONCE: Sql = sql!(
    "SELECT 'order ' || CAST(a.order_id AS TEXT), CAST(COUNT(*) AS TEXT) || ' attempts have brought money'
     FROM payment_attempts a JOIN orders o ON o.id = a.order_id
     WHERE a.status = 'succeeded' AND o.review_reason IS NULL
       AND NOT EXISTS (SELECT 1 FROM order_history h WHERE h.order_id = o.id AND h.action = 'needs_review')
     GROUP BY a.order_id HAVING COUNT(*) > 1
     ORDER BY a.order_id LIMIT 100"
);

pub(super) const ATTEMPTS: Sql = sql!(
    "SELECT 'order ' || CAST(a.order_id AS TEXT), 'attempt ' || CAST(a.id AS TEXT) || ' asks for something else than is owed'
     FROM payment_attempts a JOIN payments p ON p.id = a.payment_id
     WHERE a.order_id <> p.order_id OR a.amount <> p.amount OR a.currency <> p.currency
     UNION ALL
     SELECT 'order ' || CAST(a.order_id AS TEXT), 'attempt ' || CAST(a.id AS TEXT) || ' is open, and the order cancelled'
     FROM payment_attempts a JOIN orders o ON o.id = a.order_id
     WHERE o.status = 'cancelled' AND a.status IN ('pending', 'processing')
     LIMIT 100"
);

pub(super) const CALLBACKS: Sql = sql!(
    "SELECT 'callback ' || CAST(c.id AS TEXT), 'it is processed, and names no attempt of its gateway'
     FROM payment_callbacks c LEFT JOIN payment_attempts a ON a.id = c.attempt_id
     WHERE c.attempt_id IS NOT NULL AND (a.id IS NULL OR a.gateway <> c.gateway OR a.order_id <> c.order_id)
     ORDER BY c.id LIMIT 100"
);

/// Callbacks since a time whose payment is not known.
pub(super) const COUNT_UNMATCHED_CALLBACKS: Sql =
    sql!("SELECT COUNT(*) FROM payment_callbacks WHERE state = 'unmatched' AND received_at > $1");

/// Callbacks since a time that wait for the operator: their order is flagged still, or they have none.
pub(super) const COUNT_FLAGGED_CALLBACKS: Sql = sql!(
    "SELECT COUNT(*) FROM payment_callbacks c LEFT JOIN orders o ON o.id = c.order_id
     WHERE c.state = 'flagged' AND c.received_at > $1 AND (o.id IS NULL OR o.review_reason IS NOT NULL)"
);

/// Attempts from before a time that are open because their provider gave no answer when it was last asked.
pub(super) const COUNT_UNANSWERED_ATTEMPTS: Sql = sql!(
    "SELECT COUNT(*) FROM payment_attempts
     WHERE status IN ('pending', 'processing') AND last_error IS NOT NULL AND created_at < $1"
);
