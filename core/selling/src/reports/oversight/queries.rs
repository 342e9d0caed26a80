//! Statements that find what is wrong with the books: what it is about, and what is wrong.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

/// Documents, with what they add to the books or take off, beside what is booked of them.
pub(super) const UNLIKE_THEIR_DOCUMENTS: Sql = sql!(
    "SELECT number, 'reports count ' || CAST(booked_total AS TEXT) || ' with ' || CAST(booked_tax AS TEXT) || ' tax of it'
     FROM (SELECT i.number, i.total_amount, i.tax_amount,
                  CAST(COALESCE(SUM(e.base_amount + e.tax_amount), 0) AS BIGINT) AS booked_total,
                  CAST(COALESCE(SUM(e.tax_amount), 0) AS BIGINT) AS booked_tax
           FROM invoices i LEFT JOIN tax_entries e ON e.order_id = i.order_id AND e.kind = 'invoice'
           GROUP BY i.id, i.number, i.total_amount, i.tax_amount
           UNION ALL
           SELECT i.number, CASE WHEN i.status = 'void' THEN -i.total_amount ELSE 0 END,
                  CASE WHEN i.status = 'void' THEN -i.tax_amount ELSE 0 END,
                  CAST(COALESCE(SUM(e.base_amount + e.tax_amount), 0) AS BIGINT),
                  CAST(COALESCE(SUM(e.tax_amount), 0) AS BIGINT)
           FROM invoices i LEFT JOIN tax_entries e ON e.order_id = i.order_id AND e.kind = 'cancellation'
           GROUP BY i.id, i.number, i.status, i.total_amount, i.tax_amount
           UNION ALL
           SELECT n.number, -n.total_amount, -n.tax_amount,
                  CAST(COALESCE(SUM(e.base_amount + e.tax_amount), 0) AS BIGINT),
                  CAST(COALESCE(SUM(e.tax_amount), 0) AS BIGINT)
           FROM credit_notes n LEFT JOIN tax_entries e ON e.refund_id = n.refund_id
           GROUP BY n.id, n.number, n.total_amount, n.tax_amount
           UNION ALL
           SELECT 'refund ' || CAST(e.refund_id AS TEXT), 0, 0, CAST(SUM(e.base_amount + e.tax_amount) AS BIGINT),
                  CAST(SUM(e.tax_amount) AS BIGINT)
           FROM tax_entries e
           WHERE e.refund_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM credit_notes n WHERE n.refund_id = e.refund_id)
           GROUP BY e.refund_id) AS told
     WHERE total_amount <> booked_total OR tax_amount <> booked_tax
     ORDER BY number LIMIT 100"
);

/// Invoices and refunds whose lines and shipping do not come to what is booked of a rate.
pub(super) const UNLIKE_THEIR_LINES: Sql = sql!(
    "SELECT 'order ' || CAST(order_id AS TEXT),
            'its lines with the rate ' || CAST(tax_rate AS TEXT) || ' do not come to what reports count'
     FROM (SELECT e.order_id, COALESCE(e.refund_id, 0) AS refund_id, e.tax_rate, e.base_amount, e.tax_amount
           FROM tax_entries e WHERE e.kind <> 'cancellation'
           UNION ALL
           SELECT i.order_id, 0, i.tax_rate,
                  -(i.line_total_amount - i.discount_amount - CASE WHEN o.prices_include_tax THEN i.tax_amount ELSE 0 END),
                  -i.tax_amount
           FROM order_lines i JOIN orders o ON o.id = i.order_id
           UNION ALL
           SELECT o.id, 0, o.shipping_tax_rate,
                  -(o.shipping_amount - CASE WHEN o.prices_include_tax THEN o.shipping_tax_amount ELSE 0 END),
                  -o.shipping_tax_amount
           FROM orders o WHERE o.shipping_amount > 0
           UNION ALL
           SELECT i.order_id, r.refund_id, i.tax_rate, r.amount - r.tax_amount, r.tax_amount
           FROM refund_lines r JOIN order_lines i ON i.id = r.order_line_id
           WHERE r.refund_id IN (SELECT n.refund_id FROM credit_notes n)
           UNION ALL
           SELECT r.order_id, r.id, o.shipping_tax_rate, r.shipping_amount - r.shipping_tax_amount, r.shipping_tax_amount
           FROM refunds r JOIN orders o ON o.id = r.order_id
           WHERE r.shipping_amount > 0 AND r.id IN (SELECT n.refund_id FROM credit_notes n)) AS told
     GROUP BY order_id, refund_id, tax_rate
     HAVING SUM(base_amount) <> 0 OR SUM(tax_amount) <> 0
     ORDER BY order_id LIMIT 100"
);
