//! The one place where an order leaves `pending`.

use chrono::{DateTime, Utc};

use super::events::{CancelledItem, OrderCancelled, OrderCancelling, OrderPaid, failed};
use super::history::{Actor, record};
use super::number::OrderNumber;
use super::queries;
use super::status::{FulfillmentStatus, OrderStatus};
use crate::db::{DbError, Tx};
use crate::events::ListenerError;

/// An order whose row this transaction holds: nobody else changes it until the transaction ends.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub(crate) struct LockedOrder {
    pub(crate) id: i64,
    pub(crate) customer_id: i64,
    #[sqlx(try_from = "String")]
    pub(crate) status: OrderStatus,
    pub(crate) currency: String,
    pub(crate) total_amount: i64,
    #[sqlx(try_from = "String")]
    pub(crate) fulfillment_status: FulfillmentStatus,
    pub(crate) payment_method: String,
    pub(crate) expires_at: Option<DateTime<Utc>>,
}

impl LockedOrder {
    pub(crate) fn number(&self) -> OrderNumber {
        OrderNumber::of(self.id)
    }
}

/// Locks an order. Whoever changes anything of an order locks it first, before its payments, attempts and documents.
pub(crate) async fn lock_order(tx: &mut Tx, order_id: i64) -> Result<Option<LockedOrder>, DbError> {
    tx.run(queries::LOCK).bind(order_id).optional().await
}

/// Makes a pending order paid, tells everybody, and returns false if it is not pending any more.
pub(crate) async fn mark_paid(tx: &mut Tx, order: &LockedOrder, actor: Actor) -> Result<bool, DbError> {
    let now = tx.now();
    if tx.run(queries::MARK_PAID).bind(order.id).bind(now).execute().await? == 0 {
        return Ok(false);
    }
    record(tx, order.id, "paid", actor, None).await?;
    tx.emit(&OrderPaid {
        order_id: order.id,
        order_number: order.number().to_string(),
        customer_id: order.customer_id,
        status: OrderStatus::Paid,
        total_amount: order.total_amount,
        currency: order.currency.clone(),
    })
    .await?;
    Ok(true)
}

/// Cancels a pending order, has everybody release what was reserved, and returns false if it is not pending any more.
pub(crate) async fn mark_cancelled(
    tx: &mut Tx,
    order: &LockedOrder,
    reason: &str,
    actor: Actor,
) -> Result<bool, ListenerError> {
    let now = tx.now();
    if tx.run(queries::MARK_CANCELLED).bind(order.id).bind(now).bind(reason).execute().await? == 0 {
        return Ok(false);
    }
    let items = tx.run(queries::CANCELLED_ITEMS).bind(order.id).all::<CancelledItem>().await?;
    let event = OrderCancelling { order_id: order.id, customer_id: order.customer_id, items };
    tx.announce(&event).await.map_err(failed)?;
    record(tx, order.id, "cancelled", actor, Some(reason)).await?;
    tx.emit(&OrderCancelled {
        order_id: order.id,
        order_number: order.number().to_string(),
        customer_id: order.customer_id,
        status: OrderStatus::Cancelled,
        total_amount: order.total_amount,
        currency: order.currency.clone(),
    })
    .await?;
    Ok(true)
}

/// Flags an order for the operator; the first reason stays until he has looked.
pub(crate) async fn flag_order(tx: &mut Tx, order_id: i64, reason: &str, actor: Actor) -> Result<(), DbError> {
    let now = tx.now();
    tx.run(queries::FLAG).bind(order_id).bind(reason).bind(now).execute().await?;
    record(tx, order_id, "needs_review", actor, Some(reason)).await
}
