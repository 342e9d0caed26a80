//! Digital goods that are held until the customer cannot withdraw any more (C10.2), as tasks of the queue.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use stoa_kernel::db::{Db, DbError, Tx};
use stoa_kernel::queue::{BackOff, HandleTask, Lane, Task, TaskError};

use super::queries;
use super::rights::held_until;
use crate::entitlements::DeliveryDue;
use crate::orders::{LockedOrder, OrderStatus, lock_order};

/// Orders whose digital goods are delivered when the period is over.
pub(crate) const HELD_DELIVERIES: Lane = Lane::new("held_deliveries", 8, "delivery of what was held");

/// An order with digital goods that are held.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct DeliverHeld {
    order: i64,
}

impl Task for DeliverHeld {
    const KIND: &'static str = "withdrawals.deliver_held";
    const LANE: Lane = HELD_DELIVERIES;

    fn subject(&self) -> Option<i64> {
        Some(self.order)
    }
}

/// Has digital goods of an order that was placed at this time be delivered when its period is over.
pub(crate) async fn hold_until_period_ends(
    tx: &mut Tx,
    order_id: i64,
    placed_at: DateTime<Utc>,
) -> Result<(), DbError> {
    tx.enqueue_at(&DeliverHeld { order: order_id }, held_until(placed_at)).await
}

/// Has those who deliver look again, if the order is paid: one that is paid later is delivered then.
pub(super) async fn deliver_again(tx: &mut Tx, order: &LockedOrder) -> Result<(), DbError> {
    if order.status != OrderStatus::Paid {
        return Ok(());
    }
    tx.emit(&DeliveryDue { order_id: order.id, capabilities: order.capabilities.0.clone() }).await
}

/// Lets digital goods go whose period is over. What was withdrawn or refunded meanwhile stays where it is.
pub(super) struct Deliver;

impl HandleTask<DeliverHeld> for Deliver {
    type Uses = Db;

    const RETRY: BackOff = BackOff::minutes(&[1, 5, 15, 60]).endless();

    async fn handle(&self, task: &DeliverHeld, db: &Db) -> Result<(), TaskError> {
        let deliver = db.write(async |tx| -> Result<(), DbError> {
            let Some(order) = lock_order(tx, task.order).await? else { return Ok(()) };
            tx.run(queries::LOCK_ITEMS).bind(order.id).scalars::<i64>().await?;
            if tx.run(queries::LET_DELIVER).bind(order.id).execute().await? == 0 {
                return Ok(());
            }
            deliver_again(tx, &order).await
        });
        Ok(deliver.await?)
    }
}
