//! Statements about withdrawals.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

/// The products of orders. What a module has charged beside them cannot be withdrawn by itself.
pub(super) const ITEMS: Sql = sql!(
    "SELECT i.id, i.order_id, o.customer_id, o.status, o.created_at, o.fulfillment_status,
            (SELECT MAX(s.shipped_at) FROM shipments s WHERE s.order_id = o.id) AS last_shipped_at,
            i.label, i.quantity, i.shippable, i.refunded_quantity, i.withdrawal_rule
     FROM order_lines i JOIN orders o ON o.id = i.order_id
     WHERE i.order_id IN (SELECT CAST(value ->> 'id' AS BIGINT) FROM json_each($1)) AND i.added_by IS NULL
     ORDER BY i.order_id, i.position"
);

/// The units of orders that are not as they were sold.
pub(super) const UNITS: Sql = sql!(
    "SELECT t.order_line_id, t.unit, t.fate
     FROM order_lines i
     JOIN (SELECT order_line_id, unit, 'refunded' AS fate FROM refund_units
           UNION ALL SELECT order_line_id, unit, 'withdrawn' FROM withdrawal_units
           UNION ALL SELECT order_line_id, unit, 'delivered' FROM unit_deliveries
           UNION ALL SELECT order_line_id, unit, 'used' FROM unit_uses) t ON t.order_line_id = i.id
     WHERE i.order_id IN (SELECT CAST(value ->> 'id' AS BIGINT) FROM json_each($1))"
);

/// Keeps whoever delivers, uses or refunds what was ordered waiting; SQLite has one writer anyway.
pub(super) const LOCK_ITEMS: Sql = sql!(
    sqlite: "SELECT id FROM order_lines WHERE order_id = $1 ORDER BY id",
    postgres: "SELECT id FROM order_lines WHERE order_id = $1 ORDER BY id FOR NO KEY UPDATE",
);

pub(super) const INSERT: Sql = sql!(
    "INSERT INTO withdrawals (order_id, status, statement, deadline, within_period, excluded, declared_at)
     VALUES ($1, 'declared', $2, $3, $4, $5, $6) RETURNING id"
);

pub(super) const INSERT_ITEM: Sql =
    sql!("INSERT INTO withdrawal_items (withdrawal_id, order_line_id, quantity) VALUES ($1, $2, $3)");

/// The key keeps a unit from being withdrawn twice, whatever was read before.
pub(super) const INSERT_UNITS: Sql = sql!(
    "INSERT INTO withdrawal_units (order_line_id, unit, withdrawal_id)
     SELECT $1, CAST(value ->> 'unit' AS BIGINT), $2 FROM json_each($3)"
);

macro_rules! withdrawals {
    ($($rest:expr),+) => {
        sql!(concat!(
            "SELECT w.id, w.order_id, w.status, w.statement, w.deadline, w.within_period, w.excluded, w.declared_at, w.decided_at,
                    w.completed_at, w.refusal_reason, w.refund_id, o.customer_id,
                    CASE WHEN u.anonymized_at IS NULL THEN u.email END AS customer_email
             FROM withdrawals w
             JOIN orders o ON o.id = w.order_id
             JOIN customers c ON c.id = o.customer_id
             JOIN users u ON u.id = c.user_id ",
            $($rest),+
        ))
    };
}

pub(super) const FIND: Sql = withdrawals!("WHERE w.id = $1");

/// The newest first, with each filter only where it is given.
pub(super) const LIST: Sql = withdrawals!(
    "WHERE (CAST($1 AS TEXT) IS NULL OR w.status = $1) AND (CAST($2 AS BIGINT) IS NULL OR o.customer_id = $2)
     ORDER BY w.id DESC LIMIT $3 OFFSET $4"
);

/// Those in state $1, only late ones if $2; where $5 is so, those whose id is $3, whose order is $4, or whose customer's address begins
/// between $6 and $7.
macro_rules! searched {
    () => {
        "WHERE (CAST($1 AS TEXT) IS NULL OR w.status = $1) AND (CAST($2 AS BOOLEAN) IS NULL OR NOT w.within_period)
           AND (CAST($5 AS BOOLEAN) IS NULL OR w.id = CAST($3 AS BIGINT) OR w.order_id = CAST($4 AS BIGINT)
                OR (u.anonymized_at IS NULL AND u.email >= $6 AND u.email < $7))
           AND w.id < $8"
    };
}

pub(super) const SEARCH: Sql = withdrawals!(searched!(), " ORDER BY w.id DESC LIMIT $9");

pub(super) const COUNT_SEARCHED: Sql = sql!(concat!(
    "SELECT COUNT(*) FROM (
         SELECT 1 FROM withdrawals w
         JOIN orders o ON o.id = w.order_id
         JOIN customers c ON c.id = o.customer_id
         JOIN users u ON u.id = c.user_id ",
    searched!(),
    " LIMIT $9) AS counted"
));

pub(super) const COUNT_DECLARED: Sql = sql!("SELECT COUNT(*) FROM withdrawals WHERE status = 'declared'");

pub(super) const COUNT_OF_CUSTOMER: Sql =
    sql!("SELECT COUNT(*) FROM withdrawals w JOIN orders o ON o.id = w.order_id WHERE o.customer_id = $1");

pub(super) const LINES: Sql = sql!(
    "SELECT n.withdrawal_id, n.order_line_id, n.quantity, i.label
     FROM withdrawal_items n JOIN order_lines i ON i.id = n.order_line_id
     WHERE n.withdrawal_id IN (SELECT CAST(value ->> 'id' AS BIGINT) FROM json_each($1))
     ORDER BY n.withdrawal_id, i.position"
);

pub(super) const ORDER_OF: Sql = sql!("SELECT order_id FROM withdrawals WHERE id = $1");

pub(super) const ACCEPT: Sql =
    sql!("UPDATE withdrawals SET status = 'accepted', decided_at = $2 WHERE id = $1 AND status = 'declared'");

pub(super) const REFUSE: Sql = sql!(
    "UPDATE withdrawals SET status = 'refused', decided_at = $2, refusal_reason = $3
     WHERE id = $1 AND status = 'declared'"
);

pub(super) const COMPLETE: Sql =
    sql!("UPDATE withdrawals SET status = 'completed', completed_at = $2 WHERE id = $1 AND status = 'accepted'");

/// What was refused may be declared again.
pub(super) const RELEASE_UNITS: Sql = sql!("DELETE FROM withdrawal_units WHERE withdrawal_id = $1");

/// One refund, or another after one that has failed.
pub(super) const KEEP_REFUND: Sql = sql!(
    "UPDATE withdrawals SET refund_id = $2
     WHERE id = $1 AND status = 'accepted'
       AND (refund_id IS NULL
            OR EXISTS (SELECT 1 FROM refunds r WHERE r.id = withdrawals.refund_id AND r.status = 'failed'))"
);

/// The units of a withdrawal whose money is neither back nor on its way back.
pub(super) const UNITS_TO_REFUND: Sql = sql!(
    "SELECT w.order_line_id, w.unit
     FROM withdrawal_units w
     WHERE w.withdrawal_id = $1
       AND NOT EXISTS (SELECT 1 FROM refund_units r WHERE r.order_line_id = w.order_line_id AND r.unit = w.unit)
     ORDER BY w.order_line_id, w.unit"
);

/// Those of them that cost nothing.
pub(super) const WORTHLESS_UNITS: Sql = sql!(
    "SELECT w.order_line_id, w.unit
     FROM withdrawal_units w JOIN order_lines i ON i.id = w.order_line_id
     WHERE w.withdrawal_id = $1 AND i.line_total_amount = i.discount_amount
       AND NOT EXISTS (SELECT 1 FROM refund_units r WHERE r.order_line_id = w.order_line_id AND r.unit = w.unit)
     ORDER BY w.order_line_id, w.unit"
);

/// What else goes back when a withdrawal leaves nothing of the order: how many units of products, and of those that are sent, stay with the
/// customer. What is only declared stays, unless `$2`: it may still be refused.
pub(super) const KEPT_UNITS: Sql = sql!(
    "SELECT CAST(COALESCE(SUM(k.kept), 0) AS BIGINT) AS products,
            CAST(COALESCE(SUM(CASE WHEN k.shippable THEN k.kept ELSE 0 END), 0) AS BIGINT) AS goods,
            CAST(COALESCE(SUM(CASE WHEN k.shippable THEN 1 ELSE 0 END), 0) AS BIGINT) AS items_of_goods
     FROM (SELECT i.shippable,
                  i.quantity - (SELECT COUNT(*) FROM (SELECT r.order_line_id, r.unit FROM refund_units r
                                                      UNION SELECT u.order_line_id, u.unit FROM withdrawal_units u
                                                            JOIN withdrawals w ON w.id = u.withdrawal_id
                                                            WHERE w.status <> 'declared' OR $2 = TRUE) t
                                WHERE t.order_line_id = i.id) AS kept
           FROM order_lines i WHERE i.order_id = $1 AND i.added_by IS NULL) k"
);

/// What modules have charged for beside the products, and what is left of the shipping costs.
pub(super) const FEES: Sql = sql!(
    "SELECT id FROM order_lines
     WHERE order_id = $1 AND added_by IS NOT NULL AND refunded_quantity = 0 AND line_total_amount > 0 ORDER BY position"
);

pub(super) const SHIPPING_LEFT: Sql = sql!(
    "SELECT o.shipping_amount + CASE WHEN o.prices_include_tax THEN 0 ELSE o.shipping_tax_amount END
            - CAST(COALESCE((SELECT SUM(r.shipping_amount) FROM refunds r
                                                WHERE r.order_id = o.id AND r.status IN ('pending', 'succeeded')), 0) AS BIGINT)
     FROM orders o WHERE o.id = $1"
);

pub(super) const LANGUAGE_OF_ORDER: Sql = sql!("SELECT language FROM orders WHERE id = $1");

/// Whether anything has come for an order that could go back.
pub(super) const IS_PAID_FOR: Sql =
    sql!("SELECT COUNT(*) FROM payments WHERE order_id = $1 AND status IN ('paid', 'partially_refunded', 'refunded')");

pub(super) const EMAIL_OF_ORDER: Sql = sql!(
    "SELECT u.email FROM orders o JOIN customers c ON c.id = o.customer_id JOIN users u ON u.id = c.user_id
     WHERE o.id = $1 AND u.anonymized_at IS NULL"
);

/// Name and e-mail address.
pub(super) const BUYER_OF_ORDER: Sql = sql!(
    "SELECT c.name, u.email FROM orders o JOIN customers c ON c.id = o.customer_id JOIN users u ON u.id = c.user_id
     WHERE o.id = $1"
);

/// Digital goods of an order that are held, and when it was placed.
pub(super) const HELD_ITEMS: Sql = sql!(
    "SELECT i.quantity, i.label, o.created_at FROM order_lines i JOIN orders o ON o.id = i.order_id
     WHERE i.order_id = $1 AND i.withdrawal_rule = 'later' ORDER BY i.position"
);

/// Digital goods that were held are delivered from now on.
pub(super) const LET_DELIVER: Sql =
    sql!("UPDATE order_lines SET withdrawal_rule = 'due' WHERE order_id = $1 AND withdrawal_rule = 'later'");

pub(super) const ERASE_STATEMENTS: Sql = sql!(
    "UPDATE withdrawals SET statement = NULL
     WHERE statement IS NOT NULL AND order_id IN (SELECT o.id FROM orders o WHERE o.customer_id = $1)"
);
