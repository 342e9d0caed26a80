//! Reading invoices: a fixed number of statements, whatever their number.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sqlx::types::Json;

use stoa_documents::pdf::Document;
use stoa_kernel::db::{Db, DbError};
use stoa_kernel::money::MoneyFormatter;
use stoa_kernel::order_link::Buyer;

use super::model::{InvoiceCreditNote, InvoiceRecord, InvoiceResource};
use super::queries;
use super::reference::DocumentReference;
use super::status::InvoiceStatus;

/// Which invoices to list.
#[derive(Debug, Clone, Default)]
pub struct InvoiceFilter {
    /// Only those in this state.
    pub status: Option<InvoiceStatus>,
    /// Only those of this customer.
    pub customer_id: Option<i64>,
    /// At most this many; all of them if none is said.
    pub limit: Option<u32>,
}

#[derive(sqlx::FromRow)]
struct InvoiceRow {
    id: i64,
    number: String,
    order_id: i64,
    customer_id: i64,
    #[sqlx(try_from = "String")]
    status: InvoiceStatus,
    currency: String,
    subtotal_amount: i64,
    discount_amount: i64,
    shipping_amount: i64,
    tax_amount: i64,
    total_amount: i64,
    credited_amount: i64,
    document: Json<Document>,
    issued_at: DateTime<Utc>,
    buyer_email: Option<String>,
    paid_at: Option<DateTime<Utc>>,
    cancelled_at: Option<DateTime<Utc>>,
}

#[derive(sqlx::FromRow)]
struct CreditNoteRow {
    id: i64,
    invoice_id: i64,
    number: String,
    total_amount: i64,
}

/// The invoice of this id or number.
pub async fn find_invoice(
    db: &Db,
    money: &MoneyFormatter,
    reference: &DocumentReference,
) -> Result<Option<InvoiceRecord>, DbError> {
    let Some(id) = id_of(db, reference).await? else { return Ok(None) };
    Ok(load(db, money, &[id]).await?.pop())
}

/// Invoices of all customers, the newest first.
pub async fn list_invoices(
    db: &Db,
    money: &MoneyFormatter,
    filter: &InvoiceFilter,
) -> Result<Vec<InvoiceRecord>, DbError> {
    let list = db.read(queries::LIST).bind(filter.status.map(InvoiceStatus::as_str)).bind(filter.customer_id);
    let ids = list.bind(filter.limit.map_or(i64::MAX, i64::from)).scalars::<i64>().await?;
    load(db, money, &ids).await
}

/// What is written on an invoice: as it was issued, with the day on which it was paid or cancelled since.
pub async fn invoice_document(db: &Db, invoice_id: i64) -> Result<Option<Document>, DbError> {
    let row = rows(db, &[invoice_id]).await?.pop();
    Ok(row.map(|row| {
        let mut document = row.document.0;
        document.buyer_email = row.buyer_email;
        match row.status {
            InvoiceStatus::Issued => {}
            InvoiceStatus::Paid => document.paid_at = row.paid_at,
            InvoiceStatus::Void => document.cancelled_at = row.cancelled_at,
        }
        document
    }))
}

/// A page of a customer's invoices, the newest first, and how many there are in all.
pub(super) async fn page_of_invoices(
    db: &Db,
    money: &MoneyFormatter,
    customer_id: i64,
    limit: i64,
    offset: i64,
) -> Result<(Vec<InvoiceResource>, i64), DbError> {
    let total = db.read(queries::COUNT_OF_CUSTOMER).bind(customer_id).scalar::<i64>().await?;
    let ids = db.read(queries::PAGE_OF_CUSTOMER).bind(customer_id).bind(limit).bind(offset).scalars::<i64>().await?;
    let records = load(db, money, &ids).await?;
    Ok((records.into_iter().map(|record| record.invoice).collect(), total))
}

/// An invoice of this customer; that of another is none.
pub(super) async fn find_own_invoice(
    db: &Db,
    money: &MoneyFormatter,
    buyer: Buyer,
    id: i64,
) -> Result<Option<InvoiceResource>, DbError> {
    let found = load(db, money, &[id]).await?.pop();
    let own = found.filter(|record| buyer.has_bought(record.customer_id, record.invoice.order_id));
    Ok(own.map(|record| record.invoice))
}

async fn id_of(db: &Db, reference: &DocumentReference) -> Result<Option<i64>, DbError> {
    match reference {
        DocumentReference::Id(id) => Ok(Some(*id)),
        DocumentReference::Number(number) => {
            db.read(queries::FIND_BY_NUMBER).bind(number.as_str()).optional_scalar().await
        }
    }
}

async fn rows(db: &Db, ids: &[i64]) -> Result<Vec<InvoiceRow>, DbError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    db.read(queries::LOAD).bind_ids(ids.iter().copied()).all().await
}

/// Loads invoices by their ids, the newest first; those that do not exist are left out.
async fn load(db: &Db, money: &MoneyFormatter, ids: &[i64]) -> Result<Vec<InvoiceRecord>, DbError> {
    let rows = rows(db, ids).await?;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let mut notes = HashMap::<i64, Vec<InvoiceCreditNote>>::new();
    for note in db.read(queries::LOAD_CREDIT_NOTES).bind_ids(ids.iter().copied()).all::<CreditNoteRow>().await? {
        let CreditNoteRow { id, invoice_id, number, total_amount } = note;
        notes.entry(invoice_id).or_default().push(InvoiceCreditNote { id, number, total_amount });
    }
    let records = rows.into_iter().map(|row| {
        let notes = notes.remove(&row.id).unwrap_or_default();
        row.shown(money, notes)
    });
    Ok(records.collect())
}

impl InvoiceRow {
    fn shown(self, money: &MoneyFormatter, credit_notes: Vec<InvoiceCreditNote>) -> InvoiceRecord {
        let invoice = InvoiceResource {
            id: self.id,
            number: self.number,
            status: self.status,
            issued_at: self.issued_at.date_naive(),
            order_id: self.order_id,
            total_formatted: money.format_in(self.total_amount, &self.currency),
            currency: self.currency,
            subtotal_amount: self.subtotal_amount,
            discount_amount: self.discount_amount,
            shipping_amount: self.shipping_amount,
            tax_amount: self.tax_amount,
            total_amount: self.total_amount,
            credited_amount: self.credited_amount,
            vat_id: self.document.0.buyer_vat_id,
            reverse_charge: self.document.0.reverse_charge,
            items: self.document.0.lines.into_iter().map(Into::into).collect(),
            credit_notes,
        };
        InvoiceRecord { invoice, customer_id: self.customer_id }
    }
}
