//! Statements about credit notes.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

pub(super) const INSERT: Sql = sql!(
    "INSERT INTO credit_notes (number, year, sequence, invoice_id, order_id, refund_id, customer_id, status, reason,
                               currency, subtotal_amount, tax_amount, total_amount, document, issued_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, 'issued', $8, $9, $10, $11, $12, $13, $14)
     RETURNING id"
);

pub(super) const COUNT_OF_CUSTOMER: Sql = sql!("SELECT COUNT(*) FROM credit_notes WHERE customer_id = $1");

pub(super) const PAGE_OF_CUSTOMER: Sql = sql!(
    "SELECT id, number, status, reason, issued_at, invoice_id, order_id, refund_id, customer_id, currency,
            subtotal_amount, tax_amount, total_amount, document
     FROM credit_notes WHERE customer_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3"
);

pub(super) const FIND: Sql = sql!(
    "SELECT id, number, status, reason, issued_at, invoice_id, order_id, refund_id, customer_id, currency,
            subtotal_amount, tax_amount, total_amount, document
     FROM credit_notes WHERE id = $1"
);

pub(super) const FIND_BY_NUMBER: Sql = sql!(
    "SELECT id, number, status, reason, issued_at, invoice_id, order_id, refund_id, customer_id, currency,
            subtotal_amount, tax_amount, total_amount, document
     FROM credit_notes WHERE number = $1"
);

pub(super) const FIND_OF_REFUND: Sql = sql!(
    "SELECT id, number, status, reason, issued_at, invoice_id, order_id, refund_id, customer_id, currency,
            subtotal_amount, tax_amount, total_amount, document
     FROM credit_notes WHERE refund_id = $1"
);

/// The condition holds for all credit notes while its value is null.
pub(super) const LIST: Sql = sql!(
    "SELECT id, number, status, reason, issued_at, invoice_id, order_id, refund_id, customer_id, currency,
            subtotal_amount, tax_amount, total_amount, document
     FROM credit_notes WHERE CAST($1 AS BIGINT) IS NULL OR customer_id = $1 ORDER BY id DESC LIMIT $2"
);

pub(super) const DOCUMENTS_OF_CUSTOMER: Sql =
    sql!("SELECT document FROM credit_notes WHERE customer_id = $1 ORDER BY id");

/// Hands the documents of a guest over.
pub(super) const CLAIM: Sql = sql!("UPDATE credit_notes SET customer_id = $2 WHERE customer_id = $1");
