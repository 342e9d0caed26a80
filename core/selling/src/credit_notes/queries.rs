//! Statements about credit notes.

use stoa_kernel::db::Sql;
use stoa_kernel::{SearchSql, search_sql, sql};

pub(super) const INSERT: Sql = sql!(
    "INSERT INTO credit_notes (number, year, sequence, invoice_id, order_id, refund_id, customer_id, status, reason,
                               currency, subtotal_amount, tax_amount, total_amount, document, issued_at, series)
     VALUES ($1, $2, $3, $4, $5, $6, $7, 'issued', $8, $9, $10, $11, $12, $13, $14, $15)
     RETURNING id"
);

pub(super) const COUNT_OF_CUSTOMER: Sql = sql!("SELECT COUNT(*) FROM credit_notes WHERE customer_id = $1");

macro_rules! credit_notes {
    ($rest:literal) => {
        sql!(concat!(
            "SELECT id, number, status, reason, issued_at, invoice_id, order_id, refund_id, customer_id, currency,
                    subtotal_amount, tax_amount, total_amount, document
             FROM credit_notes ",
            $rest
        ))
    };
}

pub(super) const PAGE_OF_CUSTOMER: Sql = credit_notes!("WHERE customer_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3");

pub(super) const FIND: Sql = credit_notes!("WHERE id = $1");

pub(super) const FIND_BY_NUMBER: Sql = credit_notes!("WHERE number = $1");

pub(super) const FIND_OF_REFUND: Sql = credit_notes!("WHERE refund_id = $1");

/// The condition holds for all credit notes while its value is null.
pub(super) const LIST: Sql =
    credit_notes!("WHERE CAST($1 AS BIGINT) IS NULL OR customer_id = $1 ORDER BY id DESC LIMIT $2");

/// Those whose id is at least $1 and below $2.
macro_rules! search {
    ($from:literal, $found:literal, $id:literal) => {
        search_sql!(
            select: "d.id, d.number, d.order_id, d.customer_id, c.name AS customer_name, i.number AS invoice_number, d.reason,
                     d.currency, d.total_amount - d.tax_amount AS net_amount, d.tax_amount, d.total_amount, d.issued_at",
            from: concat!($from, " JOIN invoices i ON i.id = d.invoice_id JOIN customers c ON c.id = d.customer_id"),
            join: "",
            where: concat!($found, "(CAST($1 AS BIGINT) IS NULL OR d.id >= $1) AND (CAST($2 AS BIGINT) IS NULL OR d.id < $2)"),
            limit: "$3",
            order_by: $id,
        )
    };
}

pub(super) const SEARCH: SearchSql = search!("FROM credit_notes d", "", "d.id");

/// The same of the one of number $4, and of those of order $5 or of these customers ($6).
pub(super) const SEARCH_FOUND: SearchSql = search!(
    "FROM (SELECT n.id FROM credit_notes n WHERE n.number = $4
           UNION SELECT o.id FROM credit_notes o WHERE o.order_id = CAST($5 AS BIGINT)
           UNION SELECT b.id FROM json_each($6) named
                 CROSS JOIN credit_notes b WHERE b.customer_id = CAST(named.value ->> 'id' AS BIGINT)
           ORDER BY id DESC) f
     CROSS JOIN credit_notes d",
    "d.id = f.id AND ",
    "f.id"
);

/// The first credit note that was issued at a time or later.
pub(super) const FIRST_SINCE: Sql =
    sql!("SELECT id FROM credit_notes WHERE issued_at >= $1 ORDER BY issued_at, id LIMIT 1");

pub(super) const DOCUMENTS_OF_CUSTOMER: Sql =
    sql!("SELECT document FROM credit_notes WHERE customer_id = $1 ORDER BY id");

/// Hands the documents of a guest over.
pub(super) const CLAIM: Sql = sql!("UPDATE credit_notes SET customer_id = $2 WHERE customer_id = $1");
