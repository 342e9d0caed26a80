//! What the operator does about an order beyond selling it: looks through orders, writes notes, takes flags off.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::{Value, json};

use stoa_kernel::audit::Subject;
use stoa_kernel::db::{Db, DbError};
use stoa_kernel::money::MoneyFormatter;
use stoa_kernel::record_number::OrderNumber;

use super::change::lock_order;
use super::history::{Actor, HistoryEntry, history_of, record};
use super::queries;
use super::read::{OrderRecord, load_orders};
use super::search::{OrderSearch, search_orders};
use super::status::OrderStatus;

/// Longest note, in characters.
pub const MAX_NOTE: usize = 1000;

/// Which orders to list.
#[derive(Debug, Clone, Default)]
pub struct OrderFilter {
    /// Only those that are found by this, as [`search_orders`] does.
    pub text: Option<String>,
    /// Only those in this state.
    pub status: Option<OrderStatus>,
    /// Only those of this customer.
    pub customer_id: Option<i64>,
    /// Only those that are flagged.
    pub needs_review: bool,
    /// Only those that are paid, and of which something is still to be sent.
    pub to_pack: bool,
    /// Only those that were placed before this one.
    pub after: Option<OrderNumber>,
    /// At most this many; all of them if none is said.
    pub limit: Option<u32>,
}

/// Orders of all customers, the newest first.
pub async fn list_orders(db: &Db, money: &MoneyFormatter, filter: &OrderFilter) -> Result<Vec<OrderRecord>, DbError> {
    let limit = filter.limit.map_or(i64::MAX, i64::from);
    if filter.text.is_some() {
        let search = OrderSearch {
            text: filter.text.clone(),
            status: filter.status,
            to_pack: filter.to_pack,
            needs_review: filter.needs_review,
            customer_id: filter.customer_id,
            after: filter.after.map(OrderNumber::id),
            limit,
            ..OrderSearch::default()
        };
        let ids = search_orders(db, &search).await?.into_iter().map(|listed| listed.id).collect::<Vec<_>>();
        return load_orders(db, money, &ids).await;
    }
    let list = db.read(queries::LIST).bind(filter.status.map(OrderStatus::as_str)).bind(filter.customer_id);
    let list = list.bind_flag(filter.needs_review).bind(filter.after.map(OrderNumber::id)).bind_flag(filter.to_pack);
    let ids = list.bind(limit).scalars::<i64>().await?;
    load_orders(db, money, &ids).await
}

/// An attempt to pay, as the operator sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, sqlx::FromRow)]
pub struct OrderAttempt {
    /// The attempt's id.
    pub id: i64,
    /// The gateway.
    pub gateway: String,
    /// How far it has come.
    pub status: String,
    /// What is asked for, in minor units.
    pub amount: i64,
    /// ISO 4217 code.
    pub currency: String,
    /// What the provider calls it.
    #[serde(rename = "provider_id")]
    pub gateway_attempt_id: Option<String>,
    /// What the provider calls the money.
    #[serde(rename = "provider_payment_id")]
    pub gateway_payment_id: Option<String>,
    /// When the provider is asked again.
    pub next_check_at: Option<DateTime<Utc>>,
    /// How often it was asked without an answer.
    pub checks: i64,
    /// What went wrong last.
    pub last_error: Option<String>,
    /// When it was begun.
    pub created_at: DateTime<Utc>,
}

/// Money that goes or went back, as the operator sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, sqlx::FromRow)]
pub struct OrderRefund {
    /// The refund's id.
    pub id: i64,
    /// `pending`, `succeeded` or `failed`.
    pub status: String,
    /// What goes back, in minor units.
    pub amount: i64,
    /// ISO 4217 code.
    pub currency: String,
    /// The operator's reason.
    pub reason: String,
    /// The gateway that it goes through.
    pub gateway: String,
    /// What the provider calls it.
    #[serde(rename = "provider_id")]
    pub gateway_refund_id: Option<String>,
    /// What went wrong last.
    pub last_error: Option<String>,
    /// When it was asked for.
    pub created_at: DateTime<Utc>,
}

/// What has happened around an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OrderDetails {
    /// The attempts to pay it, oldest first.
    pub attempts: Vec<OrderAttempt>,
    /// The refunds, oldest first.
    pub refunds: Vec<OrderRefund>,
    /// Who did what, oldest first.
    pub history: Vec<HistoryEntry>,
}

/// What has happened around an order.
pub async fn details_of(db: &Db, order_id: i64) -> Result<OrderDetails, DbError> {
    Ok(OrderDetails {
        attempts: db.read(queries::LIST_ATTEMPTS).bind(order_id).all().await?,
        refunds: db.read(queries::LIST_REFUNDS).bind(order_id).all().await?,
        history: history_of(db, order_id).await?,
    })
}

impl OrderRecord {
    /// The order as the API shows it, with what else the operator may know.
    pub fn to_json(&self) -> Result<Value, serde_json::Error> {
        let mut shown = serde_json::to_value(&self.order)?;
        shown["needs_review"] = self.review_reason.is_some().into();
        shown["review_reason"] = self.review_reason.as_deref().into();
        shown["customer_id"] = self.customer_id.into();
        shown["customer_email"] = self.customer_email.as_deref().into();
        shown["cancel_reason"] = self.cancel_reason.as_deref().into();
        shown["expires_at"] = serde_json::to_value(self.expires_at)?;
        Ok(shown)
    }
}

/// Writes a note of the operator into an order's history; false when there is no such order. See [`stored_note`].
pub async fn note_on_order(db: &Db, number: OrderNumber, note: &str) -> Result<bool, DbError> {
    db.write(async |tx| {
        let Some(order) = lock_order(tx, number.id()).await? else { return Ok(false) };
        record(tx, order.id, "note", Actor::Operator, Some(note)).await?;
        // What it says stands in the history, where it is erased with the customer.
        tx.audit("orders.note", Subject::order(order.id), Value::Null, Value::Null).await?;
        Ok(true)
    })
    .await
}

/// A note as it is stored, without blanks around; none for one that is empty, longer than [`MAX_NOTE`], or holds control
/// characters other than line breaks and tabs.
pub fn stored_note(text: &str) -> Option<String> {
    let text = text.trim();
    let is_forbidden = |letter: char| letter.is_control() && !matches!(letter, '\n' | '\r' | '\t');
    let fits = (1..=MAX_NOTE).contains(&text.chars().count());
    (fits && !text.contains(is_forbidden)).then(|| text.to_owned())
}

/// What became of a flag that the operator has looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reviewed {
    /// It is off; this was the reason.
    TakenOff(String),
    /// There was none.
    NotFlagged,
    /// There is no such order.
    NotFound,
}

/// Takes the flag off an order that the operator has looked at.
pub async fn review_order(db: &Db, number: OrderNumber) -> Result<Reviewed, DbError> {
    db.write(async |tx| {
        let Some(order) = lock_order(tx, number.id()).await? else { return Ok(Reviewed::NotFound) };
        let reason = tx.run(queries::REVIEW_REASON).bind(order.id).scalar::<Option<String>>().await?;
        let Some(reason) = reason else { return Ok(Reviewed::NotFlagged) };
        let now = tx.now();
        tx.run(queries::UNFLAG).bind(order.id).bind(now).execute().await?;
        record(tx, order.id, "reviewed", Actor::Operator, Some(&reason)).await?;
        let (before, after) = (json!({"review_reason": reason}), json!({"review_reason": null}));
        tx.audit("orders.review", Subject::order(order.id), before, after).await?;
        Ok(Reviewed::TakenOff(reason))
    })
    .await
}

/// How many orders the operator shall look at.
pub async fn count_orders_to_review(db: &Db) -> Result<i64, DbError> {
    db.read(queries::COUNT_TO_REVIEW).scalar().await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_has_up_to_1000_characters() {
        let longest = "\u{e4}".repeat(MAX_NOTE);
        assert_eq!(stored_note(" called\nback ").as_deref(), Some("called\nback"));
        assert_eq!(stored_note(&longest), Some(longest.clone()));
        for text in ["", " \n", "nul\0", "\u{1b}[2J", &format!("{longest}x")] {
            assert_eq!(stored_note(text), None, "{text:?}");
        }
    }
}
