//! An order is cancelled: what was set aside is given back. Units are refunded: what was delivered is taken back.

use stoa_core::orders::{OrderCancelled, OrderCancelling};
use stoa_core::prelude::*;
use stoa_core::refunds::RefundRecorded;

use crate::granting::{ensure_units, serve_waiting};
use crate::pools::lock_pools_of_order;
use crate::queries;
use crate::settings::CAPABILITY;

/// Gives back what was set aside for an order that is cancelled.
pub(crate) struct Release;

impl InTransaction<OrderCancelling> for Release {
    async fn in_transaction(&self, event: &OrderCancelling, tx: &mut Tx) -> Result<(), ListenerError> {
        release(tx, event.order_id).await?;
        Ok(())
    }
}

/// The same for orders that were cancelled while the module's tables were not there to be written.
impl AfterCommit<OrderCancelled> for Release {
    type Uses = Db;

    const WANTS: &'static [&'static str] = &[CAPABILITY];

    async fn after_commit(&self, event: &OrderCancelled, db: &Db) -> Result<(), ListenerError> {
        db.write(async |tx| release(tx, event.order_id).await).await?;
        Ok(())
    }
}

async fn release(tx: &mut Tx, order_id: i64) -> Result<(), DbError> {
    let pools = lock_pools_of_order(tx, order_id).await?;
    let released = tx.run(queries::RELEASE_VALUES).bind(order_id).execute().await?;
    if !pools.is_empty() {
        let now = tx.now();
        tx.run(queries::RELEASE_UNITS).bind(order_id).bind(now).execute().await?;
    }
    if released > 0 {
        for pool in pools {
            serve_waiting(tx, pool).await?;
        }
    }
    Ok(())
}

/// Takes back exactly the units that were refunded, also those that are not delivered yet: they never will be.
pub(crate) struct Revoke {
    pub(crate) backorder: bool,
}

impl AfterCommit<RefundRecorded> for Revoke {
    type Uses = Db;

    async fn after_commit(&self, event: &RefundRecorded, db: &Db) -> Result<(), ListenerError> {
        if event.units.is_empty() {
            return Ok(());
        }
        db.write(async |tx| self.revoke(tx, event).await).await
    }
}

impl Revoke {
    async fn revoke(&self, tx: &mut Tx, event: &RefundRecorded) -> Result<(), ListenerError> {
        if ensure_units(tx, event.order_id, self.backorder).await?.is_empty() {
            return Ok(());
        }
        let pools = lock_pools_of_order(tx, event.order_id).await?;
        let (now, mut released) = (tx.now(), 0);
        for units in &event.units {
            for ordinal in &units.ordinals {
                let revoke = tx.run(queries::REVOKE_UNIT).bind(units.order_line_id).bind(*ordinal).bind(now);
                let Some(unit_id) = revoke.optional_scalar::<i64>().await? else { continue };
                tx.run(queries::REVOKE_VALUE).bind(unit_id).execute().await?;
                released += tx.run(queries::RELEASE_VALUE).bind(unit_id).execute().await?;
            }
        }
        if released > 0 {
            for pool in pools {
                serve_waiting(tx, pool).await?;
            }
        }
        Ok(())
    }
}
