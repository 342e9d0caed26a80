//! Statements that find what breaks an invariant: what it is about, and what is wrong.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

pub(super) const ORDER_TOTALS: Sql = sql!(
    "SELECT 'order ' || CAST(o.id AS TEXT), 'its amounts do not come to its total'
     FROM orders o
     JOIN (SELECT order_id, CAST(SUM(line_total_amount) AS BIGINT) AS lines,
                  CAST(SUM(discount_amount) AS BIGINT) AS discounts, CAST(SUM(tax_amount) AS BIGINT) AS taxes
           FROM order_items GROUP BY order_id) i ON i.order_id = o.id
     WHERE o.subtotal_amount <> i.lines
        OR o.discount_amount <> i.discounts
        OR o.tax_amount <> i.taxes + o.shipping_tax_amount
        OR o.total_amount <> o.subtotal_amount - o.discount_amount + o.shipping_amount
                             + CASE WHEN o.prices_include_tax THEN 0 ELSE o.tax_amount END
     ORDER BY o.id LIMIT 100"
);

pub(super) const ORDER_LINES: Sql = sql!(
    "SELECT 'order ' || CAST(id AS TEXT), 'it has no items'
     FROM orders o WHERE NOT EXISTS (SELECT 1 FROM order_items i WHERE i.order_id = o.id)
     UNION ALL
     SELECT 'order ' || CAST(order_id AS TEXT), 'item ' || CAST(id AS TEXT) || ' does not come to units times price'
     FROM order_items WHERE line_total_amount <> unit_amount * quantity
     LIMIT 100"
);

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
        OR (o.status = 'cancelled' AND p.status IN ('pending', 'failed'))
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
     FROM order_items i
     LEFT JOIN (SELECT n.order_item_id, CAST(SUM(n.quantity) AS BIGINT) AS units,
                       CAST(SUM(n.amount) AS BIGINT) AS amount, CAST(SUM(n.tax_amount) AS BIGINT) AS tax
                FROM refund_items n JOIN refunds r ON r.id = n.refund_id
                WHERE r.status IN ('pending', 'succeeded') GROUP BY n.order_item_id) s ON s.order_item_id = i.id
     WHERE i.refunded_quantity <> COALESCE(s.units, 0)
        OR i.refunded_amount <> COALESCE(s.amount, 0)
        OR i.refunded_tax_amount <> COALESCE(s.tax, 0)
     ORDER BY i.id LIMIT 100"
);

/// A refund that an earlier version has begun takes its units when it succeeds.
pub(super) const REVOKED_UNITS: Sql = sql!(
    "SELECT 'order ' || CAST(i.order_id AS TEXT), 'item ' || CAST(i.id AS TEXT) || ' has other goods taken back than its refunded units say'
     FROM order_items i
     LEFT JOIN (SELECT order_item_id, COUNT(*) AS units, MAX(unit) AS highest
                FROM refund_units WHERE revoked_at IS NOT NULL GROUP BY order_item_id) s ON s.order_item_id = i.id
     WHERE i.revoked_quantity <> COALESCE(s.units, 0) OR COALESCE(s.highest, 0) > i.quantity
     UNION ALL
     SELECT 'refund ' || CAST(n.refund_id AS TEXT), 'it has taken fewer units of item ' || CAST(n.order_item_id AS TEXT) || ' than it is about'
     FROM refund_items n JOIN refunds r ON r.id = n.refund_id JOIN orders o ON o.id = r.order_id
     WHERE r.status = 'succeeded' AND o.status = 'paid'
       AND n.quantity > (SELECT COUNT(*) FROM refund_units u
                         WHERE u.refund_id = n.refund_id AND u.order_item_id = n.order_item_id
                           AND u.revoked_at IS NOT NULL)
     UNION ALL
     SELECT 'refund ' || CAST(r.id AS TEXT), 'it has failed and keeps units'
     FROM refunds r
     WHERE r.status = 'failed' AND EXISTS (SELECT 1 FROM refund_units u WHERE u.refund_id = r.id)
     LIMIT 100"
);

pub(super) const SHIPPED_UNITS: Sql = sql!(
    "SELECT 'order ' || CAST(i.order_id AS TEXT), 'item ' || CAST(i.id AS TEXT) || ' has other units shipped than its shipments say'
     FROM order_items i
     LEFT JOIN (SELECT order_item_id, CAST(SUM(quantity) AS BIGINT) AS units FROM shipment_items GROUP BY order_item_id) s
            ON s.order_item_id = i.id
     WHERE i.shipped_quantity <> COALESCE(s.units, 0) OR (i.shipped_quantity > 0 AND NOT i.shippable)
     ORDER BY i.id LIMIT 100"
);

pub(super) const DISCOUNT_USES: Sql = sql!(
    "SELECT 'discount ' || d.code, 'it counts ' || CAST(d.uses AS TEXT) || ' uses, and orders redeem it otherwise'
     FROM discounts d
     LEFT JOIN (SELECT discount_id, COUNT(*) AS uses FROM discount_redemptions
                WHERE released_at IS NULL GROUP BY discount_id) r ON r.discount_id = d.id
     WHERE d.uses <> COALESCE(r.uses, 0) OR d.uses > COALESCE(d.max_uses, d.uses)
     ORDER BY d.id LIMIT 100"
);

pub(super) const DISCOUNT_RELEASED: Sql = sql!(
    "SELECT 'order ' || CAST(o.id AS TEXT), 'its discount code is not redeemed or given back as it should be'
     FROM orders o LEFT JOIN discount_redemptions r ON r.order_id = o.id
     WHERE (o.discount_code IS NULL) <> (r.id IS NULL)
        OR (r.id IS NOT NULL AND r.amount <> o.discount_amount)
        OR (r.id IS NOT NULL AND (o.status = 'cancelled') <> (r.released_at IS NOT NULL))
     ORDER BY o.id LIMIT 100"
);

pub(super) const HISTORY: Sql = sql!(
    "SELECT 'order ' || CAST(o.id AS TEXT), 'its history does not tell that it is ' || o.status
     FROM orders o
     WHERE NOT EXISTS (SELECT 1 FROM order_history h WHERE h.order_id = o.id AND h.action = 'placed')
        OR (o.status <> 'pending'
            AND (SELECT COUNT(*) FROM order_history h WHERE h.order_id = o.id AND h.action = o.status) <> 1)
     ORDER BY o.id LIMIT 100"
);

pub(super) const CALLBACKS: Sql = sql!(
    "SELECT 'callback ' || CAST(c.id AS TEXT), 'it is processed, and names no attempt of its gateway'
     FROM payment_callbacks c LEFT JOIN payment_attempts a ON a.id = c.attempt_id
     WHERE c.attempt_id IS NOT NULL AND (a.id IS NULL OR a.gateway <> c.gateway OR a.order_id <> c.order_id)
     ORDER BY c.id LIMIT 100"
);

pub(super) const IDEMPOTENCY: Sql = sql!(
    "SELECT 'idempotency key of customer ' || CAST(k.customer_id AS TEXT), 'it has made nothing of this customer'
     FROM idempotency_keys k LEFT JOIN orders o ON o.id = k.order_id
     WHERE o.id IS NULL OR o.customer_id <> k.customer_id
     ORDER BY k.customer_id, k.route, k.key LIMIT 100"
);

pub(super) const DELIVERIES: Sql = sql!(
    "SELECT 'delivery ' || delivery_id, 'it is ' || state || ' after ' || CAST(attempts AS TEXT) || ' attempts, and has no such end'
     FROM webhook_deliveries
     WHERE attempts > 5 OR (state = 'pending') <> (finished_at IS NULL) OR (state = 'delivered' AND attempts = 0)
     ORDER BY id LIMIT 100"
);
