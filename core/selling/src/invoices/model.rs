//! An invoice as the API shows it (contract 2.3).

use chrono::NaiveDate;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use stoa_documents::pdf::DocumentLine;

use super::status::InvoiceStatus;

/// A line of an invoice or a credit note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DocumentItem {
    /// What it is.
    pub label: String,
    /// How many.
    pub quantity: i64,
    /// Price of one in minor units.
    pub unit_amount: i64,
    /// Price of all in minor units, before a discount on an invoice.
    pub line_total_amount: i64,
}

impl From<DocumentLine> for DocumentItem {
    fn from(line: DocumentLine) -> Self {
        Self {
            label: line.label,
            quantity: line.quantity,
            unit_amount: line.unit_amount,
            line_total_amount: line.line_total_amount,
        }
    }
}

/// A credit note of an invoice, in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct InvoiceCreditNote {
    /// The credit note's id.
    pub id: i64,
    /// The credit note's number.
    pub number: String,
    /// What it credits, in minor units.
    pub total_amount: i64,
}

/// An invoice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Invoice")]
pub struct InvoiceResource {
    /// The invoice's id.
    pub id: i64,
    /// The invoice's number, which has no gap before it.
    pub number: String,
    /// What has become of it.
    pub status: InvoiceStatus,
    /// The day it was issued, in UTC.
    pub issued_at: NaiveDate,
    /// The order that it is about.
    pub order_id: i64,
    /// ISO 4217 code of all amounts.
    pub currency: String,
    /// The items before the discount, in minor units.
    pub subtotal_amount: i64,
    /// What a code took off, in minor units.
    pub discount_amount: i64,
    /// Shipping in minor units.
    pub shipping_amount: i64,
    /// Tax in minor units, within the total.
    pub tax_amount: i64,
    /// What is or was to be paid, in minor units.
    pub total_amount: i64,
    /// The same for people.
    pub total_formatted: String,
    /// What credit notes have taken back of it, in minor units.
    pub credited_amount: i64,
    /// The customer's VAT identification number.
    pub vat_id: Option<String>,
    /// Whether the customer owes the tax instead of the shop (reverse charge).
    pub reverse_charge: bool,
    /// What was sold.
    pub items: Vec<DocumentItem>,
    /// The credit notes, oldest first.
    pub credit_notes: Vec<InvoiceCreditNote>,
}

/// An invoice with what only the operator sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvoiceRecord {
    /// What the customer sees.
    pub invoice: InvoiceResource,
    /// Whose it is.
    pub customer_id: i64,
}

impl InvoiceRecord {
    /// The invoice as the API shows it, with what else the operator may know.
    pub fn to_json(&self) -> Result<Value, serde_json::Error> {
        let mut shown = serde_json::to_value(&self.invoice)?;
        shown["customer_id"] = self.customer_id.into();
        Ok(shown)
    }
}
