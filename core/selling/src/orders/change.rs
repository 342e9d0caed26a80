//! The one place where an order leaves `pending`.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::types::Json;

use stoa_kernel::db::{DbError, Tx};
use stoa_kernel::events::ListenerError;
use stoa_kernel::record_number::OrderNumber;
use stoa_notices::webhooks::{self, OrderData, WebhookEvent};

use super::events::{CancelledLine, OrderCancelled, OrderCancelling, OrderPaid, failed};
use super::history::{Actor, record};
use super::queries;
use super::status::{FulfillmentStatus, OrderStatus};
use crate::{discounts, invoices};

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
    /// Those of all that was ordered.
    pub(crate) capabilities: Json<Vec<String>>,
}

impl LockedOrder {
    pub(crate) fn number(&self) -> OrderNumber {
        OrderNumber::of(self.id)
    }

    /// What the outside is told about it (S6.2).
    fn webhook_data(&self, status: OrderStatus, payment_status: Option<&'static str>) -> OrderData {
        OrderData {
            order_id: self.id,
            order_number: self.number().to_string(),
            status: status.as_str(),
            payment_status,
            total: self.total_amount,
            currency: self.currency.clone(),
        }
    }
}

/// Locks an order. Whoever changes anything of an order locks it first, before its payments, attempts and documents.
pub(crate) async fn lock_order(tx: &mut Tx, order_id: i64) -> Result<Option<LockedOrder>, DbError> {
    tx.run(queries::LOCK).bind(order_id).optional().await
}

/// Makes a pending order paid, and returns false if it is not pending any more. Whoever does so writes it into the history, and tells
/// everybody with [`emit_paid`].
pub(crate) async fn mark_paid(tx: &mut Tx, order: &LockedOrder) -> Result<bool, DbError> {
    let now = tx.now();
    if tx.run(queries::MARK_PAID).bind(order.id).bind(now).execute().await? == 0 {
        return Ok(false);
    }
    invoices::mark_paid(tx, order.id).await?;
    Ok(true)
}

/// Tells modules that an order was paid, and returns what webhooks are to say of it. `payment_status` is that of its payment; none when
/// nothing was to be paid.
pub(crate) async fn emit_paid(
    tx: &mut Tx,
    order: &LockedOrder,
    payment_status: Option<&'static str>,
) -> Result<WebhookEvent, DbError> {
    tx.emit(&OrderPaid {
        order_id: order.id,
        order_number: order.number().to_string(),
        customer_id: order.customer_id,
        status: OrderStatus::Paid,
        total_amount: order.total_amount,
        currency: order.currency.clone(),
        capabilities: Some(order.capabilities.0.clone()),
    })
    .await?;
    Ok(WebhookEvent::OrderPaid(order.webhook_data(OrderStatus::Paid, payment_status)))
}

/// Cancels a pending order, has everybody release what was reserved, and returns false if it is not pending any more.
pub(crate) async fn mark_cancelled(
    tx: &mut Tx,
    order: &LockedOrder,
    reason: &str,
    payment_status: Option<&'static str>,
    actor: Actor,
) -> Result<bool, ListenerError> {
    let now = tx.now();
    if tx.run(queries::MARK_CANCELLED).bind(order.id).bind(now).bind(reason).execute().await? == 0 {
        return Ok(false);
    }
    let lines = tx.run(queries::CANCELLED_ITEMS).bind(order.id).all::<CancelledLine>().await?;
    let event = OrderCancelling { order_id: order.id, customer_id: order.customer_id, lines };
    tx.announce(&event).await.map_err(failed)?;
    discounts::release(tx, order.id).await?;
    invoices::mark_void(tx, order.id).await?;
    record(tx, order.id, "cancelled", actor, Some(reason)).await?;
    tx.emit(&OrderCancelled {
        order_id: order.id,
        order_number: order.number().to_string(),
        customer_id: order.customer_id,
        status: OrderStatus::Cancelled,
        total_amount: order.total_amount,
        currency: order.currency.clone(),
        capabilities: Some(order.capabilities.0.clone()),
    })
    .await?;
    webhooks::queue(tx, &WebhookEvent::OrderCancelled(order.webhook_data(OrderStatus::Cancelled, payment_status)))
        .await?;
    Ok(true)
}

/// Gives an order at least these minutes from now on to be paid; 0 is for ever.
pub(crate) async fn give_time(tx: &mut Tx, order: &LockedOrder, minutes: u32) -> Result<(), DbError> {
    let Some(ends) = order.expires_at else { return Ok(()) };
    let (now, asked) = (tx.now(), (minutes > 0).then(|| tx.now() + TimeDelta::minutes(i64::from(minutes))));
    if asked.is_some_and(|asked| asked <= ends) {
        return Ok(());
    }
    tx.run(queries::SET_EXPIRY).bind(order.id).bind(asked).bind(now).execute().await?;
    Ok(())
}

/// Flags an order for the operator; the first reason stays until somebody has looked.
pub(crate) async fn flag_order(tx: &mut Tx, order_id: i64, reason: &str, actor: Actor) -> Result<(), DbError> {
    let now = tx.now();
    tx.run(queries::FLAG).bind(order_id).bind(reason).bind(now).execute().await?;
    record(tx, order_id, "needs_review", actor, Some(reason)).await
}
