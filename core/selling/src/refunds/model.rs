//! What is stored about a refund, and how operators see it.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use sqlx::types::Json;
use uuid::Uuid;

use stoa_kernel::gateways::RefundStatus;

use crate::credit_notes::CreditNoteRecord;
use crate::orders::SelectedOption;

/// A refund as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Refund {
    /// The refund's id.
    pub id: i64,
    /// The payment that it is of.
    pub payment_id: i64,
    /// The order that it is of.
    pub order_id: i64,
    /// How far it has come.
    #[sqlx(try_from = "String")]
    pub status: RefundStatus,
    /// What goes back, in minor units.
    pub amount: i64,
    /// How much of it is for shipping.
    pub shipping_amount: i64,
    /// The tax in that.
    pub shipping_tax_amount: i64,
    /// ISO 4217 code.
    pub currency: String,
    /// Why.
    pub reason: String,
    /// The gateway that it goes through.
    pub gateway: String,
    /// What we call it towards the provider, the same whenever it is asked for.
    pub reference: Uuid,
    /// What the provider calls it; none until it has answered.
    pub gateway_refund_id: Option<String>,
    /// When the provider is asked again; none when it is over.
    pub next_check_at: Option<DateTime<Utc>>,
    /// How often it was asked without an end.
    pub checks: i64,
    /// What went wrong last.
    pub last_error: Option<String>,
    /// When it was begun.
    pub created_at: DateTime<Utc>,
}

/// What of a refund is for an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, sqlx::FromRow)]
pub struct RefundLineResource {
    /// The item's id.
    #[serde(rename = "order_item_id")]
    pub order_line_id: i64,
    /// Units; 0 when an amount is refunded, which is spread over everything.
    pub quantity: i64,
    /// What goes back for it, in minor units.
    pub amount: i64,
    /// The tax in that.
    pub tax_amount: i64,
    /// Which of the item's units, from 1 on, the highest first. Where all that was left has gone back these are more than
    /// `quantity`; of a refund that failed there are none.
    #[sqlx(skip)]
    pub units: Vec<i64>,
    /// Those of them that somebody had used.
    #[sqlx(skip)]
    pub used_units: Vec<i64>,
    /// What the item was called.
    pub label: String,
    /// What was selected for it.
    #[serde(skip)]
    pub options: Json<Vec<SelectedOption>>,
    /// Its rate of tax in basis points.
    #[serde(skip)]
    pub tax_rate: i64,
    /// Its stock keeping unit.
    #[serde(skip)]
    pub sku: Option<String>,
    /// Whether it is sent as goods.
    #[serde(skip)]
    pub shippable: bool,
}

/// A refund with everything that belongs to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefundRecord {
    /// The refund.
    pub refund: Refund,
    /// What of it is for which item.
    pub items: Vec<RefundLineResource>,
    /// Its credit note; none while it has not succeeded, and where none was needed.
    pub credit_note: Option<CreditNoteRecord>,
}

impl RefundRecord {
    /// The refund for `--json`.
    pub fn to_json(&self) -> Result<Value, serde_json::Error> {
        let refund = &self.refund;
        let credit_note = self.credit_note.as_ref().map(CreditNoteRecord::to_json).transpose()?;
        Ok(serde_json::json!({
            "id": refund.id,
            "order_id": refund.order_id,
            "payment_id": refund.payment_id,
            "status": refund.status.as_str(),
            "amount": refund.amount,
            "currency": refund.currency,
            "reason": refund.reason,
            "gateway": refund.gateway,
            "provider_id": refund.gateway_refund_id,
            "items": self.items,
            "shipping_amount": refund.shipping_amount,
            "last_error": refund.last_error,
            "next_check_at": refund.next_check_at,
            "created_at": refund.created_at,
            "credit_note": credit_note,
        }))
    }
}
