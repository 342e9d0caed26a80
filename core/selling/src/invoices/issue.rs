//! Issuing an invoice, and what becomes of it.

use sqlx::types::Json;

use stoa_kernel::db::{DbError, Tx};

use super::draft::InvoiceDraft;
use super::queries;
use super::series::take_number;
use super::status::InvoiceStatus;
use crate::orders::OrderInvoice;
use crate::tax_entries::{book_cancellation, book_invoice};

/// Issues the invoice of an order that was placed in this transaction; one that costs nothing is paid.
///
/// Call it last: from here to the commit, nobody else can issue an invoice.
pub(crate) async fn issue(tx: &mut Tx, draft: InvoiceDraft) -> Result<OrderInvoice, DbError> {
    let InvoiceDraft { order_id, customer_id, series, country, mut document } = draft;
    // Before the number, for which others wait.
    book_invoice(tx, order_id, &country, &document).await?;
    let now = tx.now();
    let taken = take_number(tx, &series).await?;
    document.number = taken.text;
    document.issued_at = now.date_naive();
    let status = if document.total_amount == 0 { InvoiceStatus::Paid } else { InvoiceStatus::Issued };
    let insert = tx.run(queries::INSERT).bind(document.number.as_str()).bind(taken.year).bind(taken.sequence);
    let insert = insert.bind(order_id).bind(customer_id).bind(status.as_str()).bind(document.currency.code());
    let insert = insert.bind(document.subtotal_amount).bind(document.discount_amount).bind(document.shipping_amount);
    let insert = insert.bind(document.tax_amount).bind(document.total_amount).bind(Json(&document));
    let id = insert.bind(now).bind(series.instance).scalar::<i64>().await?;
    Ok(OrderInvoice { id, number: document.number, status })
}

/// Marks the invoice of an order that was paid. One that is void stays so, whatever comes later.
pub(crate) async fn mark_paid(tx: &mut Tx, order_id: i64) -> Result<(), DbError> {
    leave_issued(tx, order_id, InvoiceStatus::Paid).await?;
    Ok(())
}

/// Marks the invoice of an order that was cancelled: nothing is owed for it any more.
pub(crate) async fn mark_void(tx: &mut Tx, order_id: i64) -> Result<(), DbError> {
    if leave_issued(tx, order_id, InvoiceStatus::Void).await? > 0 {
        book_cancellation(tx, order_id).await?;
    }
    Ok(())
}

async fn leave_issued(tx: &mut Tx, order_id: i64, status: InvoiceStatus) -> Result<u64, DbError> {
    let now = tx.now();
    tx.run(queries::LEAVE_ISSUED).bind(order_id).bind(status.as_str()).bind(now).execute().await
}
