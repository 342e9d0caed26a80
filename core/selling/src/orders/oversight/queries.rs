//! Statements that find what is wrong with orders: what it is about, and what is wrong.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

pub(super) const ORDER_TOTALS: Sql = sql!(
    "SELECT 'order ' || CAST(o.id AS TEXT), 'its amounts do not come to its total'
     FROM orders o
     JOIN (SELECT order_id, CAST(SUM(line_total_amount) AS BIGINT) AS lines,
                  CAST(SUM(discount_amount) AS BIGINT) AS discounts, CAST(SUM(tax_amount) AS BIGINT) AS taxes
           FROM order_lines GROUP BY order_id) i ON i.order_id = o.id
     WHERE o.subtotal_amount <> i.lines
        OR o.discount_amount <> i.discounts
        OR o.tax_amount <> i.taxes + o.shipping_tax_amount
        OR o.total_amount <> o.subtotal_amount - o.discount_amount + o.shipping_amount
                             + CASE WHEN o.prices_include_tax THEN 0 ELSE o.tax_amount END
     ORDER BY o.id LIMIT 100"
);

/// Where prices lose their tax, that of a unit is that of the line, rounded.
pub(super) const ORDER_LINES: Sql = sql!(
    "SELECT 'order ' || CAST(id AS TEXT), 'it has no items'
     FROM orders o WHERE NOT EXISTS (SELECT 1 FROM order_lines i WHERE i.order_id = o.id)
     UNION ALL
     SELECT 'order ' || CAST(i.order_id AS TEXT), 'item ' || CAST(i.id AS TEXT) || ' does not come to units times price'
     FROM order_lines i JOIN orders o ON o.id = i.order_id
     WHERE ABS(i.line_total_amount - i.unit_amount * i.quantity) * 2 > CASE WHEN o.reverse_charge THEN i.quantity ELSE 0 END
     LIMIT 100"
);

pub(super) const SHIPPED_UNITS: Sql = sql!(
    "SELECT 'order ' || CAST(i.order_id AS TEXT), 'item ' || CAST(i.id AS TEXT) || ' has other units shipped than its shipments say'
     FROM order_lines i
     LEFT JOIN (SELECT order_line_id, CAST(SUM(quantity) AS BIGINT) AS units FROM shipment_lines GROUP BY order_line_id) s
            ON s.order_line_id = i.id
     WHERE i.shipped_quantity <> COALESCE(s.units, 0) OR (i.shipped_quantity > 0 AND NOT i.shippable)
     ORDER BY i.id LIMIT 100"
);

pub(super) const BOUGHT: Sql = sql!(
    "SELECT 'customer ' || CAST(c.id AS TEXT), 'it says to have bought ' || c.bought || ', and has other orders'
     FROM customers c LEFT JOIN (SELECT customer_id, COUNT(*) AS orders FROM orders GROUP BY customer_id) o ON o.customer_id = c.id
     WHERE c.bought <> CASE COALESCE(o.orders, 0) WHEN 0 THEN 'never' WHEN 1 THEN 'once' ELSE 'often' END
     ORDER BY c.id LIMIT 100"
);

pub(super) const HISTORY: Sql = sql!(
    "SELECT 'order ' || CAST(o.id AS TEXT), 'its history does not tell that it is ' || o.status
     FROM orders o
     WHERE NOT EXISTS (SELECT 1 FROM order_history h WHERE h.order_id = o.id AND h.action = 'placed')
        OR (o.status <> 'pending'
            AND (SELECT COUNT(*) FROM order_history h WHERE h.order_id = o.id AND h.action = o.status) <> 1)
     ORDER BY o.id LIMIT 100"
);
