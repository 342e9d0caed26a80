//! Statements about invoices.

use stoa_kernel::db::Sql;
use stoa_kernel::{SearchSql, search_sql, sql};

/// The row stays locked until the end of the transaction, so a number that is rolled back is taken by the next.
pub(super) const TAKE_NUMBER: Sql = sql!(
    "INSERT INTO number_series (series, year, last) VALUES ($1, $2, 1)
     ON CONFLICT (series, year) DO UPDATE SET last = number_series.last + 1
     RETURNING last"
);

pub(super) const INSERT: Sql = sql!(
    "INSERT INTO invoices (number, year, sequence, order_id, customer_id, status, currency, subtotal_amount,
                           discount_amount, shipping_amount, tax_amount, total_amount, document, issued_at, updated_at,
                           buyer_email, series)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14,
             (SELECT u.email FROM customers c JOIN users u ON u.id = c.user_id
              WHERE c.id = $5 AND u.anonymized_at IS NULL), $15)
     RETURNING id"
);

pub(super) const LEAVE_ISSUED: Sql =
    sql!("UPDATE invoices SET status = $2, updated_at = $3 WHERE order_id = $1 AND status = 'issued'");

pub(super) const FIND_OF_ORDER: Sql =
    sql!("SELECT id, customer_id, status, document, buyer_email FROM invoices WHERE order_id = $1");

/// No row when more would be credited than was invoiced, or nothing is owed any more.
pub(super) const CREDIT: Sql = sql!(
    "UPDATE invoices SET credited_amount = credited_amount + $2, updated_at = $3
     WHERE id = $1 AND status <> 'void' AND credited_amount + $2 <= total_amount"
);

pub(super) const COUNT_OF_CUSTOMER: Sql = sql!("SELECT COUNT(*) FROM invoices WHERE customer_id = $1");

pub(super) const PAGE_OF_CUSTOMER: Sql =
    sql!("SELECT id FROM invoices WHERE customer_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3");

pub(super) const FIND_BY_NUMBER: Sql = sql!("SELECT id FROM invoices WHERE number = $1");

/// Each condition holds for all invoices while its value is null.
pub(super) const LIST: Sql = sql!(
    "SELECT id FROM invoices
     WHERE (CAST($1 AS TEXT) IS NULL OR status = $1) AND (CAST($2 AS BIGINT) IS NULL OR customer_id = $2)
     ORDER BY id DESC LIMIT $3"
);

pub(super) const LOAD: Sql = sql!(
    "SELECT i.id, i.number, i.order_id, i.customer_id, i.status, i.currency, i.subtotal_amount, i.discount_amount,
            i.shipping_amount, i.tax_amount, i.total_amount, i.credited_amount, i.document, i.issued_at,
            i.buyer_email, o.paid_at, o.cancelled_at
     FROM invoices i JOIN orders o ON o.id = i.order_id
     WHERE i.id IN (SELECT CAST(value ->> 'id' AS BIGINT) FROM json_each($1))
     ORDER BY i.id DESC"
);

pub(super) const LOAD_CREDIT_NOTES: Sql = sql!(
    "SELECT id, invoice_id, number, total_amount FROM credit_notes
     WHERE invoice_id IN (SELECT CAST(value ->> 'id' AS BIGINT) FROM json_each($1))
     ORDER BY id"
);

/// Those in state $1 whose id is at least $2 and below $3.
macro_rules! search {
    ($from:literal, $found:literal, $id:literal) => {
        search_sql!(
            select: "i.id, i.number, i.status, i.order_id, i.customer_id, c.name AS customer_name, i.currency,
                     i.total_amount - i.tax_amount AS net_amount, i.tax_amount, i.total_amount, i.credited_amount, i.issued_at",
            from: $from,
            join: " JOIN customers c ON c.id = i.customer_id",
            where: concat!(
                $found,
                "(CAST($1 AS TEXT) IS NULL OR i.status = $1) AND (CAST($2 AS BIGINT) IS NULL OR i.id >= $2)
                 AND (CAST($3 AS BIGINT) IS NULL OR i.id < $3)"
            ),
            limit: "$4",
            order_by: $id,
        )
    };
}

pub(super) const SEARCH: SearchSql = search!("FROM invoices i", "", "i.id");

/// The same of the one of number $5 or order $6, and of those of these customers ($7).
pub(super) const SEARCH_FOUND: SearchSql = search!(
    "FROM (SELECT n.id FROM invoices n WHERE n.number = $5
           UNION SELECT o.id FROM invoices o WHERE o.order_id = CAST($6 AS BIGINT)
           UNION SELECT b.id FROM json_each($7) named
                 CROSS JOIN invoices b WHERE b.customer_id = CAST(named.value ->> 'id' AS BIGINT)
           ORDER BY id DESC) f
     CROSS JOIN invoices i",
    "i.id = f.id AND ",
    "f.id"
);

/// The first invoice that was issued at a time or later.
pub(super) const FIRST_SINCE: Sql =
    sql!("SELECT id FROM invoices WHERE issued_at >= $1 ORDER BY issued_at, id LIMIT 1");

/// Each counter beside the documents that carry its numbers, in one statement, so that nothing comes in between.
pub(super) const SERIES: Sql = sql!(
    "SELECT series, year, CAST(SUM(last) AS BIGINT) AS last, CAST(SUM(documents) AS BIGINT) AS documents,
            CAST(MAX(highest) AS BIGINT) AS highest
     FROM (SELECT series, year, last, 0 AS documents, 0 AS highest FROM number_series
           UNION ALL
           SELECT CASE series WHEN '' THEN 'invoices' ELSE 'invoices:' || series END, year, 0, COUNT(*), MAX(sequence)
           FROM invoices GROUP BY series, year
           UNION ALL
           SELECT CASE series WHEN '' THEN 'credit_notes' ELSE 'credit_notes:' || series END, year, 0, COUNT(*), MAX(sequence)
           FROM credit_notes GROUP BY series, year) AS counted
     GROUP BY series, year ORDER BY series DESC, year"
);

pub(super) const SEQUENCES_OF_INVOICES: Sql =
    sql!("SELECT sequence FROM invoices WHERE series = $1 AND year = $2 ORDER BY sequence");

pub(super) const SEQUENCES_OF_CREDIT_NOTES: Sql =
    sql!("SELECT sequence FROM credit_notes WHERE series = $1 AND year = $2 ORDER BY sequence");

pub(super) const NEWEST_INVOICE: Sql =
    sql!("SELECT number FROM invoices WHERE series = $1 AND year = $2 ORDER BY sequence DESC LIMIT 1");

pub(super) const NEWEST_CREDIT_NOTE: Sql =
    sql!("SELECT number FROM credit_notes WHERE series = $1 AND year = $2 ORDER BY sequence DESC LIMIT 1");

pub(super) const REPEATED_NUMBERS: Sql = sql!(
    "SELECT number, COUNT(*) FROM
        (SELECT number FROM invoices UNION ALL SELECT number FROM credit_notes) AS numbers
     GROUP BY number HAVING COUNT(*) > 1 ORDER BY number"
);

/// Orders of which nobody can say what they cost.
pub(super) const ORDERS_WITHOUT_INVOICE: Sql = sql!(
    "SELECT o.id FROM orders o LEFT JOIN invoices i ON i.order_id = o.id WHERE i.id IS NULL ORDER BY o.id LIMIT 1000"
);

/// Invoices that do not say what their orders do.
pub(super) const UNLIKE_THEIR_ORDERS: Sql = sql!(
    "SELECT i.number FROM invoices i JOIN orders o ON o.id = i.order_id
     WHERE i.total_amount <> o.total_amount OR i.tax_amount <> o.tax_amount OR i.subtotal_amount <> o.subtotal_amount
        OR i.discount_amount <> o.discount_amount OR i.shipping_amount <> o.shipping_amount
        OR i.currency <> o.currency OR i.customer_id <> o.customer_id
        OR i.status <> CASE o.status WHEN 'paid' THEN 'paid' WHEN 'cancelled' THEN 'void' ELSE 'issued' END
     ORDER BY i.id LIMIT 1000"
);

/// What is credited, beside what the credit notes come to.
pub(super) const CREDITED_OTHERWISE: Sql = sql!(
    "SELECT i.number, i.credited_amount, CAST(COALESCE(SUM(n.total_amount), 0) AS BIGINT) AS credited
     FROM invoices i LEFT JOIN credit_notes n ON n.invoice_id = i.id
     GROUP BY i.id, i.number, i.credited_amount, i.total_amount
     HAVING i.credited_amount <> COALESCE(SUM(n.total_amount), 0) OR i.credited_amount > i.total_amount
     ORDER BY i.id LIMIT 1000"
);

/// Money that went back for an invoice that holds, without a credit note of the same amount.
pub(super) const REFUNDS_WITHOUT_CREDIT_NOTE: Sql = sql!(
    "SELECT r.id FROM refunds r
     JOIN invoices i ON i.order_id = r.order_id AND i.status <> 'void'
     LEFT JOIN credit_notes n ON n.refund_id = r.id AND n.total_amount = r.amount
     WHERE r.status = 'succeeded' AND n.id IS NULL
     ORDER BY r.id LIMIT 1000"
);

/// A page of invoices to be added up.
pub(super) const INVOICES_TO_ADD_UP: Sql = sql!(
    "SELECT id, number, subtotal_amount, tax_amount, total_amount, document FROM invoices WHERE id > $1
     ORDER BY id LIMIT $2"
);

/// A page of credit notes to be added up.
pub(super) const CREDIT_NOTES_TO_ADD_UP: Sql = sql!(
    "SELECT id, number, subtotal_amount, tax_amount, total_amount, document FROM credit_notes WHERE id > $1
     ORDER BY id LIMIT $2"
);

pub(super) const DOCUMENTS_OF_CUSTOMER: Sql = sql!("SELECT document FROM invoices WHERE customer_id = $1 ORDER BY id");

/// Hands the documents of a guest over.
pub(super) const CLAIM: Sql = sql!("UPDATE invoices SET customer_id = $2 WHERE customer_id = $1");
