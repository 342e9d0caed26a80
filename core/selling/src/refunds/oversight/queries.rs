//! Statements that find what is wrong with refunds: what it is about, and what is wrong.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

pub(super) const REFUND_SUMS: Sql = sql!(
    "SELECT 'order ' || CAST(p.order_id AS TEXT), 'what went back is not what its refunds say'
     FROM payments p
     LEFT JOIN (SELECT payment_id,
                       CAST(SUM(CASE WHEN status = 'succeeded' THEN amount ELSE 0 END) AS BIGINT) AS done,
                       CAST(SUM(CASE WHEN status = 'pending' THEN amount ELSE 0 END) AS BIGINT) AS open
                FROM refunds GROUP BY payment_id) r ON r.payment_id = p.id
     WHERE p.refunded_amount <> COALESCE(r.done, 0)
        OR p.refunding_amount <> COALESCE(r.open, 0)
        OR p.refunded_amount + p.refunding_amount > p.amount
        OR (p.status = 'refunded' AND p.refunded_amount <> p.amount)
        OR (p.status = 'partially_refunded' AND (p.refunded_amount = 0 OR p.refunded_amount = p.amount))
        OR (p.status NOT IN ('refunded', 'partially_refunded') AND p.refunded_amount <> 0)
     ORDER BY p.id LIMIT 100"
);

pub(super) const REFUND_UNITS: Sql = sql!(
    "SELECT 'order ' || CAST(i.order_id AS TEXT), 'item ' || CAST(i.id AS TEXT) || ' has other units refunded than its refunds say'
     FROM order_lines i
     LEFT JOIN (SELECT n.order_line_id, CAST(SUM(n.quantity) AS BIGINT) AS units,
                       CAST(SUM(n.amount) AS BIGINT) AS amount, CAST(SUM(n.tax_amount) AS BIGINT) AS tax
                FROM refund_lines n JOIN refunds r ON r.id = n.refund_id
                WHERE r.status IN ('pending', 'succeeded') GROUP BY n.order_line_id) s ON s.order_line_id = i.id
     WHERE i.refunded_quantity <> COALESCE(s.units, 0)
        OR i.refunded_amount <> COALESCE(s.amount, 0)
        OR i.refunded_tax_amount <> COALESCE(s.tax, 0)
     ORDER BY i.id LIMIT 100"
);

/// A refund that an earlier version has begun takes its units when it succeeds.
pub(super) const REVOKED_UNITS: Sql = sql!(
    "SELECT 'order ' || CAST(i.order_id AS TEXT), 'item ' || CAST(i.id AS TEXT) || ' has other goods taken back than its refunded units say'
     FROM order_lines i
     LEFT JOIN (SELECT order_line_id, COUNT(*) AS units, MAX(unit) AS highest
                FROM refund_units WHERE revoked_at IS NOT NULL GROUP BY order_line_id) s ON s.order_line_id = i.id
     WHERE i.revoked_quantity <> COALESCE(s.units, 0) OR COALESCE(s.highest, 0) > i.quantity
     UNION ALL
     SELECT 'refund ' || CAST(n.refund_id AS TEXT), 'it has taken fewer units of item ' || CAST(n.order_line_id AS TEXT) || ' than it is about'
     FROM refund_lines n JOIN refunds r ON r.id = n.refund_id JOIN orders o ON o.id = r.order_id
     WHERE r.status = 'succeeded' AND o.status = 'paid'
       AND n.quantity > (SELECT COUNT(*) FROM refund_units u
                         WHERE u.refund_id = n.refund_id AND u.order_line_id = n.order_line_id
                           AND u.revoked_at IS NOT NULL)
     UNION ALL
     SELECT 'refund ' || CAST(r.id AS TEXT), 'it has failed and keeps units'
     FROM refunds r
     WHERE r.status = 'failed' AND EXISTS (SELECT 1 FROM refund_units u WHERE u.refund_id = r.id)
     LIMIT 100"
);
