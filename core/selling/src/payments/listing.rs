//! Payments as the operator sees them.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;

use stoa_kernel::db::{Db, DbError};

use super::queries;
use super::records::Payment;
use super::status::PaymentStatus;
use crate::orders::OrderNumber;

/// Which payments to list.
#[derive(Debug, Clone, Default)]
pub struct PaymentFilter {
    /// Only those in this state.
    pub status: Option<PaymentStatus>,
    /// Only those that came through this gateway, or were tried through it.
    pub gateway: Option<String>,
    /// At most this many; all of them if none is said.
    pub limit: Option<u32>,
}

/// A payment with the newest attempt to make it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, sqlx::FromRow)]
pub struct PaymentRecord {
    /// The payment.
    #[serde(flatten)]
    #[sqlx(flatten)]
    pub payment: Payment,
    /// When the order was placed.
    pub created_at: DateTime<Utc>,
    /// The gateway of the newest attempt.
    pub attempt_gateway: Option<String>,
    /// How far the newest attempt has come.
    pub attempt_status: Option<String>,
}

impl PaymentRecord {
    /// The order's number.
    pub fn order_number(&self) -> OrderNumber {
        OrderNumber::of(self.payment.order_id)
    }

    /// The payment with the order's number.
    pub fn to_json(&self) -> Result<Value, serde_json::Error> {
        let mut shown = serde_json::to_value(self)?;
        shown["order_number"] = self.order_number().to_string().into();
        Ok(shown)
    }
}

/// Payments, the newest first.
pub async fn list_payments(db: &Db, filter: &PaymentFilter) -> Result<Vec<PaymentRecord>, DbError> {
    let list = db.read(queries::LIST).bind(filter.status.map(PaymentStatus::as_str)).bind(filter.gateway.as_deref());
    list.bind(filter.limit.map_or(i64::MAX, i64::from)).all().await
}

/// A payment.
pub async fn find_payment_record(db: &Db, id: i64) -> Result<Option<PaymentRecord>, DbError> {
    db.read(queries::FIND_RECORD).bind(id).optional().await
}
