//! Statements about the books.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

pub(super) const BOOKED: Sql = sql!(
    sqlite: "SELECT substr(booked_at, 1, 10) AS day, substr(invoiced_at, 1, 7) AS invoiced_month, country, tax_rate,
                    reverse_charge, currency, CAST(SUM(base_amount) AS BIGINT) AS base_amount,
                    CAST(SUM(tax_amount) AS BIGINT) AS tax_amount, COUNT(CASE WHEN kind = 'invoice' THEN 1 END) AS invoices
             FROM tax_entries WHERE booked_at >= $1 AND booked_at < $2
             GROUP BY 1, 2, 3, 4, 5, 6",
    postgres: "SELECT to_char(booked_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day,
                      to_char(invoiced_at AT TIME ZONE 'UTC', 'YYYY-MM') AS invoiced_month, country, tax_rate,
                      reverse_charge, currency, CAST(SUM(base_amount) AS BIGINT) AS base_amount,
                      CAST(SUM(tax_amount) AS BIGINT) AS tax_amount, COUNT(CASE WHEN kind = 'invoice' THEN 1 END) AS invoices
               FROM tax_entries WHERE booked_at >= $1 AND booked_at < $2
               GROUP BY 1, 2, 3, 4, 5, 6",
);

/// What was booked on each day, and how many orders were invoiced, less those that were cancelled.
pub(super) const BOOKED_BY_DAY: Sql = sql!(
    sqlite: "SELECT substr(booked_at, 1, 10) AS day, currency,
                    COUNT(DISTINCT CASE WHEN kind = 'invoice' THEN order_id END)
                        - COUNT(DISTINCT CASE WHEN kind = 'cancellation' THEN order_id END) AS orders,
                    CAST(SUM(base_amount) AS BIGINT) AS base_amount, CAST(SUM(tax_amount) AS BIGINT) AS tax_amount
             FROM tax_entries WHERE booked_at >= $1 AND booked_at < $2
             GROUP BY 1, 2",
    postgres: "SELECT to_char(booked_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, currency,
                      COUNT(DISTINCT CASE WHEN kind = 'invoice' THEN order_id END)
                          - COUNT(DISTINCT CASE WHEN kind = 'cancellation' THEN order_id END) AS orders,
                      CAST(SUM(base_amount) AS BIGINT) AS base_amount, CAST(SUM(tax_amount) AS BIGINT) AS tax_amount
               FROM tax_entries WHERE booked_at >= $1 AND booked_at < $2
               GROUP BY 1, 2",
);

/// Orders of a time that are not paid yet.
pub(super) const UNPAID: Sql = sql!(
    "SELECT currency, COUNT(*) AS orders, CAST(SUM(total_amount) AS BIGINT) AS total_amount
     FROM orders WHERE status = 'pending' AND created_at >= $1 AND created_at < $2
     GROUP BY currency ORDER BY currency"
);

/// What was sold with the documents of a time: items and shipping of invoices, less those of cancellations and of refunds.
pub(super) const BOOKED_BY_PRODUCT: Sql = sql!(
    "WITH booked AS (
         SELECT DISTINCT order_id, refund_id, kind, country, currency FROM tax_entries
         WHERE booked_at >= $1 AND booked_at < $2
     ), sold AS (
         SELECT CASE WHEN i.added_by IS NULL THEN 'product' ELSE 'fee' END AS kind,
                CASE WHEN i.added_by IS NULL THEN i.slug END AS product, i.label, b.country, b.currency, i.tax_rate,
                CASE b.kind WHEN 'invoice' THEN 1 ELSE -1 END * i.quantity AS units,
                CASE b.kind WHEN 'invoice' THEN 1 ELSE -1 END
                    * (i.line_total_amount - i.discount_amount - CASE WHEN o.prices_include_tax THEN i.tax_amount ELSE 0 END)
                    AS base_amount,
                CASE b.kind WHEN 'invoice' THEN 1 ELSE -1 END * i.tax_amount AS tax_amount
         FROM booked b JOIN orders o ON o.id = b.order_id JOIN order_lines i ON i.order_id = o.id
         WHERE b.refund_id IS NULL
         UNION ALL
         SELECT 'shipping', NULL, NULL, b.country, b.currency, o.shipping_tax_rate,
                CASE b.kind WHEN 'invoice' THEN 1 ELSE -1 END,
                CASE b.kind WHEN 'invoice' THEN 1 ELSE -1 END
                    * (o.shipping_amount - CASE WHEN o.prices_include_tax THEN o.shipping_tax_amount ELSE 0 END),
                CASE b.kind WHEN 'invoice' THEN 1 ELSE -1 END * o.shipping_tax_amount
         FROM booked b JOIN orders o ON o.id = b.order_id
         WHERE b.refund_id IS NULL AND o.shipping_amount > 0
         UNION ALL
         SELECT CASE WHEN i.added_by IS NULL THEN 'product' ELSE 'fee' END,
                CASE WHEN i.added_by IS NULL THEN i.slug END, i.label, b.country, b.currency, i.tax_rate, -r.quantity,
                r.tax_amount - r.amount, -r.tax_amount
         FROM booked b JOIN refund_lines r ON r.refund_id = b.refund_id JOIN order_lines i ON i.id = r.order_line_id
         UNION ALL
         SELECT 'shipping', NULL, NULL, b.country, b.currency, o.shipping_tax_rate, 0,
                r.shipping_tax_amount - r.shipping_amount, -r.shipping_tax_amount
         FROM booked b JOIN refunds r ON r.id = b.refund_id JOIN orders o ON o.id = r.order_id
         WHERE r.shipping_amount > 0
     )
     SELECT kind, product, MAX(label) AS label, country, tax_rate AS rate_basis_points, currency,
            CAST(SUM(units) AS BIGINT) AS units, CAST(SUM(base_amount) AS BIGINT) AS base_amount,
            CAST(SUM(tax_amount) AS BIGINT) AS tax_amount, CAST(SUM(base_amount + tax_amount) AS BIGINT) AS total_amount
     FROM sold
     GROUP BY kind, product, CASE WHEN kind = 'fee' THEN label END, country, tax_rate, currency
     HAVING SUM(base_amount) <> 0 OR SUM(tax_amount) <> 0 OR SUM(units) <> 0
     ORDER BY total_amount DESC, kind, product, country, rate_basis_points DESC"
);
