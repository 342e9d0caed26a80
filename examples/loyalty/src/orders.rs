//! Points and orders: redeemed while one is placed, given back when it is cancelled, earned when it is paid.

use stoa_core::orders::{OrderCancelling, OrderPaid, OrderPlacing};
use stoa_core::prelude::*;
use stoa_core::refunds::RefundRecorded;

use crate::config::Config;
use crate::model::Account;
use crate::points::{give_back, redeem, settle};
use crate::{NAME, queries};

/// Takes the points that a customer wants to redeem off the order, and takes them from the account with it.
pub(crate) struct Redeem(pub(crate) Config);

impl AddLines for Redeem {
    async fn lines(&self, cart: &CartToPrice<'_>, reader: &mut Reader<'_>) -> Result<Vec<AddedLine>, ListenerError> {
        let Some(customer_id) = cart.customer_id else { return Ok(Vec::new()) };
        let account = reader.read(queries::FIND_ACCOUNT).bind(customer_id).optional::<Account>().await?;
        let Account { points, wanted } = account.unwrap_or_default();
        // No more than the products cost.
        let points = wanted.min(points).min(self.0.points_for(cart.subtotal_amount));
        let line = || AddedLine {
            key: String::from("points"),
            label: text!("loyalty-line"),
            amount: -self.0.worth(points),
            tax_class: None,
        };
        Ok((points > 0).then(line).into_iter().collect())
    }
}

impl InTransaction<OrderPlacing> for Redeem {
    async fn in_transaction(&self, event: &OrderPlacing, tx: &mut Tx) -> Result<(), ListenerError> {
        let Some(order) = &event.order else { return Ok(()) };
        // What was taken off: a discount code may have left less than the points are worth.
        let points = self.0.points_for(event.added_by(NAME).map(|line| -line.amount).sum());
        if points > 0 && !redeem(tx, order.customer_id, order.id, points).await? {
            let message = text!("loyalty-changed");
            return Err(Veto { field: String::from("cart"), message, reason: Some("points_changed") }.into());
        }
        Ok(())
    }
}

/// Gives points back with a cancelled order, also while the module is off.
pub(crate) struct GiveBack;

impl InTransaction<OrderCancelling> for GiveBack {
    async fn in_transaction(&self, event: &OrderCancelling, tx: &mut Tx) -> Result<(), ListenerError> {
        Ok(give_back(tx, event.order_id).await?)
    }
}

/// Brings the points of an order to what was paid for it. Delivered at least once: a second time changes nothing.
pub(crate) struct Settle(pub(crate) Config);

impl AfterCommit<OrderPaid> for Settle {
    type Uses = Db;

    async fn after_commit(&self, event: &OrderPaid, db: &Db) -> Result<(), ListenerError> {
        Ok(db.write(async |tx| settle(tx, self.0, event.order_id).await).await?)
    }
}

impl AfterCommit<RefundRecorded> for Settle {
    type Uses = Db;

    async fn after_commit(&self, event: &RefundRecorded, db: &Db) -> Result<(), ListenerError> {
        Ok(db.write(async |tx| settle(tx, self.0, event.order_id).await).await?)
    }
}
