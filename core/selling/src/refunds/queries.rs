//! Statements about refunds.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

pub(super) const PAYMENT_OF_ORDER: Sql = sql!(
    "SELECT p.id, p.status, p.amount, p.currency, p.refunded_amount, p.refunding_amount, p.gateway
     FROM payments p WHERE p.order_id = $1"
);

/// Keeps whoever uses units of the order waiting until the transaction ends.
pub(super) const LOCK_ITEMS: Sql = sql!(
    sqlite: "SELECT id FROM order_lines WHERE order_id = $1 ORDER BY id",
    postgres: "SELECT id FROM order_lines WHERE order_id = $1 ORDER BY id FOR NO KEY UPDATE",
);

/// What can be refunded of each item: discounts are taken off already, and taxes are in.
pub(super) const ITEMS: Sql = sql!(
    "SELECT i.id, i.quantity, i.refunded_quantity, i.refunded_amount, i.refunded_tax_amount, i.tax_amount,
            i.line_total_amount - i.discount_amount + CASE WHEN o.prices_include_tax THEN 0 ELSE i.tax_amount END
                AS total_amount
     FROM order_lines i JOIN orders o ON o.id = i.order_id
     WHERE i.order_id = $1 ORDER BY i.position"
);

/// Shipping as it was paid, and what refunds have taken of it.
pub(super) const SHIPPING: Sql = sql!(
    "SELECT o.shipping_amount + CASE WHEN o.prices_include_tax THEN 0 ELSE o.shipping_tax_amount END AS total_amount,
            o.shipping_tax_amount AS tax_amount,
            (SELECT CAST(COALESCE(SUM(r.shipping_amount), 0) AS BIGINT) FROM refunds r
             WHERE r.order_id = o.id AND r.status <> 'failed') AS refunded_amount,
            (SELECT CAST(COALESCE(SUM(r.shipping_tax_amount), 0) AS BIGINT) FROM refunds r
             WHERE r.order_id = o.id AND r.status <> 'failed') AS refunded_tax_amount
     FROM orders o WHERE o.id = $1"
);

/// No row when more would go back than was paid.
pub(super) const RESERVE: Sql = sql!(
    "UPDATE payments SET refunding_amount = refunding_amount + $2, updated_at = $3
     WHERE id = $1 AND status IN ('paid', 'partially_refunded')
       AND refunded_amount + refunding_amount + $2 <= amount"
);

/// No row when more units would go back than were sold.
pub(super) const RESERVE_ITEM: Sql = sql!(
    "UPDATE order_lines
     SET refunded_quantity = refunded_quantity + $2, refunded_amount = refunded_amount + $3,
         refunded_tax_amount = refunded_tax_amount + $4
     WHERE id = $1 AND refunded_quantity + $2 <= quantity"
);

pub(super) const INSERT: Sql = sql!(
    "INSERT INTO refunds (payment_id, order_id, status, amount, shipping_amount, shipping_tax_amount, currency, reason,
                          gateway, reference, created_at, updated_at)
     VALUES ($1, $2, 'pending', $3, $4, $5, $6, $7, $8, $9, $10, $10)
     RETURNING id"
);

pub(super) const INSERT_ITEM: Sql = sql!(
    "INSERT INTO refund_lines (refund_id, order_line_id, quantity, amount, tax_amount) VALUES ($1, $2, $3, $4, $5)"
);

pub(super) const FIND: Sql = sql!(
    "SELECT id, payment_id, order_id, status, amount, shipping_amount, shipping_tax_amount, currency, reason, gateway,
            reference, gateway_refund_id, checks, last_error, created_at,
            (SELECT CASE WHEN t.due_at < t.created_at THEN t.created_at ELSE t.due_at END FROM tasks t
             WHERE t.kind = 'refunds.resume' AND t.subject = refunds.id) AS next_check_at
     FROM refunds WHERE id = $1"
);

pub(super) const FIND_BY_GATEWAY_REFUND_ID: Sql =
    sql!("SELECT id FROM refunds WHERE gateway = $1 AND gateway_refund_id = $2 ORDER BY id LIMIT 1");

pub(super) const FIND_BY_REFERENCE: Sql = sql!("SELECT id FROM refunds WHERE gateway = $1 AND reference = $2");

pub(super) const LIST_ITEMS: Sql = sql!(
    "SELECT r.order_line_id, r.quantity, r.amount, r.tax_amount, i.label, i.options, i.tax_rate, i.sku, i.shippable
     FROM refund_lines r JOIN order_lines i ON i.id = r.order_line_id
     WHERE r.refund_id = $1 ORDER BY i.position"
);

/// What the provider knows the money by: the attempt that brought it, if there was one.
pub(super) const SOURCE: Sql = sql!(
    "SELECT a.gateway_attempt_id, a.gateway_payment_id
     FROM payments p JOIN payment_attempts a ON a.id = p.attempt_id WHERE p.id = $1"
);

/// Nobody knows more than before.
pub(super) const COUNT_CHECK: Sql = sql!(
    "UPDATE refunds
     SET checks = checks + 1, gateway_refund_id = COALESCE($2, gateway_refund_id), last_error = $3, updated_at = $4
     WHERE id = $1 AND status = 'pending'"
);

pub(super) const END: Sql = sql!(
    "UPDATE refunds
     SET status = $2, gateway_refund_id = COALESCE($3, gateway_refund_id), last_error = $4, updated_at = $5
     WHERE id = $1 AND status = 'pending'"
);

pub(super) const SETTLE_PAYMENT: Sql = sql!(
    "UPDATE payments
     SET refunding_amount = refunding_amount - $2, refunded_amount = refunded_amount + $2, updated_at = $3,
         status = CASE WHEN refunded_amount + $2 = amount THEN 'refunded' ELSE 'partially_refunded' END
     WHERE id = $1
     RETURNING status"
);

pub(super) const RELEASE_PAYMENT: Sql =
    sql!("UPDATE payments SET refunding_amount = refunding_amount - $2, updated_at = $3 WHERE id = $1");

pub(super) const RELEASE_ITEM: Sql = sql!(
    "UPDATE order_lines
     SET refunded_quantity = refunded_quantity - $2, refunded_amount = refunded_amount - $3,
         refunded_tax_amount = refunded_tax_amount - $4
     WHERE id = $1"
);

/// Units of an order's items that were used, or taken by a refund.
pub(super) const TOUCHED_UNITS: Sql = sql!(
    "SELECT u.order_line_id, u.unit, TRUE AS used, FALSE AS taken
     FROM unit_uses u JOIN order_lines i ON i.id = u.order_line_id WHERE i.order_id = $1
     UNION ALL
     SELECT r.order_line_id, r.unit, r.used, TRUE
     FROM refund_units r JOIN order_lines i ON i.id = r.order_line_id WHERE i.order_id = $1"
);

/// The key keeps a unit from being refunded twice, whatever was read before.
pub(super) const TAKE_UNIT: Sql =
    sql!("INSERT INTO refund_units (order_line_id, unit, refund_id, used) VALUES ($1, $2, $3, $4)");

pub(super) const RELEASE_UNITS: Sql = sql!("DELETE FROM refund_units WHERE refund_id = $1 AND revoked_at IS NULL");

/// Units of a refund's lines that it has not taken, as an earlier version has left them.
pub(super) const UNITS_NOT_TAKEN: Sql = sql!(
    "SELECT n.order_line_id, n.quantity - (SELECT COUNT(*) FROM refund_units u
                                           WHERE u.refund_id = n.refund_id AND u.order_line_id = n.order_line_id) AS missing
     FROM refund_lines n JOIN order_lines i ON i.id = n.order_line_id
     WHERE n.refund_id = $1 ORDER BY i.position"
);

pub(super) const QUANTITIES: Sql = sql!("SELECT id, quantity FROM order_lines WHERE order_id = $1 ORDER BY position");

/// Each unit's goods are taken back once.
pub(super) const REVOKE_UNITS: Sql = sql!(
    "UPDATE refund_units SET revoked_at = $2 WHERE refund_id = $1 AND revoked_at IS NULL
     RETURNING order_line_id, unit, used"
);

/// The product is none of what a module has charged beside the products: no goods go back with it.
pub(super) const COUNT_REVOKED: Sql = sql!(
    "UPDATE order_lines SET revoked_quantity = revoked_quantity + $2 WHERE id = $1
     RETURNING CASE WHEN added_by IS NULL THEN product_id END"
);

pub(super) const LIST_UNITS: Sql =
    sql!("SELECT order_line_id, unit, used FROM refund_units WHERE refund_id = $1 ORDER BY order_line_id, unit DESC");

pub(super) const SHIPPING_RATE: Sql =
    sql!("SELECT shipping_tax_rate, shipping_method_label, language FROM orders WHERE id = $1");
