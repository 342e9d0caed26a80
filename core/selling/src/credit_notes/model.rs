//! A credit note as the API shows it (contract 2.3).

use chrono::{DateTime, NaiveDate, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use sqlx::types::Json;

use stoa_documents::pdf::Document;
use stoa_kernel::money::MoneyFormatter;

use super::status::CreditNoteStatus;
use crate::invoices::DocumentItem;

/// A credit note: what of an invoice is taken back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "CreditNote")]
pub struct CreditNoteResource {
    /// The credit note's id.
    pub id: i64,
    /// The credit note's number, which has no gap before it.
    pub number: String,
    /// What has become of it.
    pub status: CreditNoteStatus,
    /// Why money went back.
    pub reason: String,
    /// The day it was issued, in UTC.
    pub issued_at: NaiveDate,
    /// The invoice that it corrects.
    pub invoice_id: i64,
    /// ISO 4217 code of all amounts.
    pub currency: String,
    /// The items, in minor units: with tax where the invoice has prices with tax.
    pub subtotal_amount: i64,
    /// Tax in minor units, within the total.
    pub tax_amount: i64,
    /// What went back, in minor units.
    pub total_amount: i64,
    /// The same for people.
    pub total_formatted: String,
    /// The customer's VAT identification number.
    pub vat_id: Option<String>,
    /// Whether the customer owes the tax instead of the shop (reverse charge).
    pub reverse_charge: bool,
    /// What is credited: products, shipping, or an amount for each rate of tax.
    pub items: Vec<DocumentItem>,
}

/// A credit note with what only the operator sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreditNoteRecord {
    /// What the customer sees.
    pub credit_note: CreditNoteResource,
    /// Whose it is.
    pub customer_id: i64,
    /// The order that it is about.
    pub order_id: i64,
    /// The refund that it is for.
    pub refund_id: i64,
    /// What is written on it.
    pub document: Document,
}

impl CreditNoteRecord {
    /// The credit note as the API shows it, with what else the operator may know.
    pub fn to_json(&self) -> Result<Value, serde_json::Error> {
        let mut shown = serde_json::to_value(&self.credit_note)?;
        shown["customer_id"] = self.customer_id.into();
        shown["order_id"] = self.order_id.into();
        shown["refund_id"] = self.refund_id.into();
        Ok(shown)
    }
}

/// A credit note as it is stored.
#[derive(sqlx::FromRow)]
pub(super) struct CreditNoteRow {
    id: i64,
    number: String,
    #[sqlx(try_from = "String")]
    status: CreditNoteStatus,
    reason: String,
    issued_at: DateTime<Utc>,
    invoice_id: i64,
    order_id: i64,
    refund_id: i64,
    customer_id: i64,
    currency: String,
    subtotal_amount: i64,
    tax_amount: i64,
    total_amount: i64,
    document: Json<Document>,
}

impl CreditNoteRow {
    pub(super) fn shown(self, money: &MoneyFormatter) -> CreditNoteRecord {
        let document = self.document.0;
        let credit_note = CreditNoteResource {
            id: self.id,
            number: self.number,
            status: self.status,
            reason: self.reason,
            issued_at: self.issued_at.date_naive(),
            invoice_id: self.invoice_id,
            total_formatted: money.format_in(self.total_amount, &self.currency),
            currency: self.currency,
            subtotal_amount: self.subtotal_amount,
            tax_amount: self.tax_amount,
            total_amount: self.total_amount,
            vat_id: document.buyer_vat_id.clone(),
            reverse_charge: document.reverse_charge,
            items: document.lines.iter().cloned().map(Into::into).collect(),
        };
        let (customer_id, order_id, refund_id) = (self.customer_id, self.order_id, self.refund_id);
        CreditNoteRecord { credit_note, customer_id, order_id, refund_id, document }
    }
}
