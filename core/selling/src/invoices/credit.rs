//! What credit notes take back of an invoice.

use sqlx::types::Json;

use stoa_documents::pdf::Document;
use stoa_kernel::db::{DbError, Tx};

use super::queries;
use super::status::InvoiceStatus;

/// An invoice that something can be credited of.
#[derive(Debug, Clone)]
pub(crate) struct OpenInvoice {
    pub(crate) id: i64,
    pub(crate) customer_id: i64,
    /// As it was issued.
    pub(crate) document: Document,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: i64,
    customer_id: i64,
    #[sqlx(try_from = "String")]
    status: InvoiceStatus,
    document: Json<Document>,
    buyer_email: Option<String>,
}

/// The invoice of an order; none when it is void, because then there is nothing to correct.
pub(crate) async fn find_open_invoice(tx: &mut Tx, order_id: i64) -> Result<Option<OpenInvoice>, DbError> {
    let row = tx.run(queries::FIND_OF_ORDER).bind(order_id).optional::<Row>().await?;
    let open = row.filter(|row| row.status != InvoiceStatus::Void);
    Ok(open.map(|row| {
        let document = Document { buyer_email: row.buyer_email, ..row.document.0 };
        OpenInvoice { id: row.id, customer_id: row.customer_id, document }
    }))
}

/// Whether an amount was credited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Credited {
    /// It is.
    Done,
    /// It is more than is left of the invoice.
    TooMuch,
}

/// Takes an amount back of an invoice: never more than its total, whoever does so at the same time.
pub(crate) async fn credit(tx: &mut Tx, invoice_id: i64, amount: i64) -> Result<Credited, DbError> {
    let now = tx.now();
    let changed = tx.run(queries::CREDIT).bind(invoice_id).bind(amount).bind(now).execute().await?;
    Ok(if changed == 1 { Credited::Done } else { Credited::TooMuch })
}
