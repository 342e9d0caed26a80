//! What becomes of the pieces that are allocated to an order: released, sent, sold, or put back.
//!
//! Everything is worked out anew from what the order lines say, and only the difference is written. So it does not matter
//! which event comes first, how often it comes, or how many come at once.

use std::collections::BTreeMap;

use stoa_core::orders::{OrderCancelled, OrderCancelling, OrderPaid, OrderShipped};
use stoa_core::prelude::*;
use stoa_core::refunds::RefundRecorded;

use crate::config::Config;
use crate::ledger::{Actor, Kind, Movement, record};
use crate::queries;
use crate::stock::{InventoryLevelChanged, Stock};

/// Orders looked at together.
const BATCH: i64 = 500;

/// Keeps the allocations of an order up with it.
#[derive(Clone, Copy)]
pub(crate) struct Reconcile(pub(crate) Config);

impl InTransaction<OrderCancelling> for Reconcile {
    async fn in_transaction(&self, event: &OrderCancelling, tx: &mut Tx) -> Result<(), ListenerError> {
        Ok(reconcile_order(tx, self.0, event.order_id).await?)
    }
}

impl Reconcile {
    async fn later(&self, db: &Db, order_id: i64) -> Result<(), ListenerError> {
        Ok(db.write(async |tx| reconcile_order(tx, self.0, order_id).await).await?)
    }
}

impl AfterCommit<OrderCancelled> for Reconcile {
    type Uses = Db;

    async fn after_commit(&self, event: &OrderCancelled, db: &Db) -> Result<(), ListenerError> {
        self.later(db, event.order_id).await
    }
}

impl AfterCommit<OrderPaid> for Reconcile {
    type Uses = Db;

    async fn after_commit(&self, event: &OrderPaid, db: &Db) -> Result<(), ListenerError> {
        self.later(db, event.order_id).await
    }
}

impl AfterCommit<OrderShipped> for Reconcile {
    type Uses = Db;

    async fn after_commit(&self, event: &OrderShipped, db: &Db) -> Result<(), ListenerError> {
        self.later(db, event.order_id).await
    }
}

impl AfterCommit<RefundRecorded> for Reconcile {
    type Uses = Db;

    async fn after_commit(&self, event: &RefundRecorded, db: &Db) -> Result<(), ListenerError> {
        self.later(db, event.order_id).await
    }
}

/// An allocation beside what became of its item.
#[derive(Debug, Clone, sqlx::FromRow)]
struct Allocation {
    id: i64,
    sku: String,
    per_unit: i64,
    units: i64,
    gone_units: i64,
    freed_units: i64,
    returned_units: i64,
    refunded_units: i64,
    order_status: String,
    shippable: bool,
    shipped_quantity: i64,
    revoked_quantity: i64,
    /// Of the units that were refunded, those that somebody had used before.
    used_quantity: i64,
}

/// What has become of an allocation's units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Ends {
    gone: i64,
    freed: i64,
    returned: i64,
    refunded: i64,
}

impl Allocation {
    fn ends(&self) -> Ends {
        Ends {
            gone: self.gone_units,
            freed: self.freed_units,
            returned: self.returned_units,
            refunded: self.refunded_units,
        }
    }

    /// What should have become of the units by now.
    fn due(&self, restock: bool) -> Ends {
        let ends = self.ends();
        match self.order_status.as_str() {
            "cancelled" => Ends { freed: self.units - ends.gone, ..ends },
            "paid" if self.shippable => {
                let gone = self.shipped_quantity.clamp(ends.gone, self.units);
                // Refunded units that were not sent will never be; what was sent is not back for being refunded.
                let refunded = self.revoked_quantity.clamp(ends.refunded, self.units);
                Ends { gone, freed: refunded.min(self.units - gone), refunded, ..ends }
            }
            "paid" => {
                let refunded = self.revoked_quantity.clamp(ends.refunded, self.units);
                // What was used is used up, and not there to be sold again.
                let unused = (self.revoked_quantity - self.used_quantity - ends.returned).max(0);
                let back = if restock { (refunded - ends.refunded).min(unused) } else { 0 };
                Ends { gone: self.units - ends.freed, returned: ends.returned + back, refunded, ..ends }
            }
            _ => ends,
        }
    }
}

/// A change of one SKU's stock, in pieces.
#[derive(Debug, Clone, Copy)]
struct Change {
    kind: Kind,
    on_hand: i64,
    reserved: i64,
}

/// The changes that follow from an allocation's ends becoming others.
fn changes(allocation: &Allocation, due: Ends) -> Vec<Change> {
    let before = allocation.ends();
    let pieces = |units: i64| units * allocation.per_unit;
    let (gone, freed) = (pieces(due.gone - before.gone), pieces(due.freed - before.freed));
    let leaving = if allocation.shippable { Kind::Ship } else { Kind::Sell };
    // What was sent although its allocation had been given back leaves without one.
    let leaves = Change { kind: leaving, on_hand: -gone, reserved: -gone - freed.min(0) };
    let released = Change { kind: Kind::Release, on_hand: 0, reserved: -freed.max(0) };
    let restocked = Change { kind: Kind::Restock, on_hand: pieces(due.returned - before.returned), reserved: 0 };
    [leaves, released, restocked].into_iter().filter(|change| change.on_hand != 0 || change.reserved != 0).collect()
}

/// Brings what an order holds up to date with the order.
pub(crate) async fn reconcile_order(tx: &mut Tx, config: Config, order_id: i64) -> Result<(), DbError> {
    let now = tx.now();
    // The SKUs of an order never change; whoever reconciles the same order waits at the first of them.
    for sku in tx.run(queries::SKUS_OF_ORDER).bind(order_id).scalars::<String>().await? {
        tx.run(queries::LOCK_STOCK).bind(sku).bind(now).execute().await?;
    }
    let mut by_sku = BTreeMap::<String, Vec<Change>>::new();
    for allocation in tx.run(queries::ALLOCATIONS_OF_ORDER).bind(order_id).all::<Allocation>().await? {
        let due = allocation.due(config.restock_refunded);
        if due == allocation.ends() {
            continue;
        }
        let write =
            tx.run(queries::UPDATE_ALLOCATION).bind(allocation.id).bind(due.gone).bind(due.freed).bind(due.returned);
        write.bind(due.refunded).bind(now).execute().await?;
        by_sku.entry(allocation.sku.clone()).or_default().extend(changes(&allocation, due));
    }
    let (mut movements, mut changed) = (Vec::new(), Vec::new());
    for (sku, changes) in by_sku {
        let mut more = 0;
        let mut after = None;
        for change in changes {
            let moved = tx.run(queries::MOVE_STOCK).bind(sku.as_str()).bind(change.on_hand).bind(change.reserved);
            let stock = moved.bind(now).one::<Stock>().await?;
            let movement = Movement::new(change.kind, Actor::System, &stock).of_order(order_id);
            movements.push(movement.changing(change.on_hand, change.reserved));
            more += change.on_hand - change.reserved;
            after = Some(stock);
        }
        let threshold = config.low_stock_threshold;
        if after.is_some_and(|stock| stock.tracked && stock.level(threshold) != stock.level_before(more, threshold)) {
            changed.push(sku);
        }
    }
    record(tx, &movements).await?;
    if changed.is_empty() { Ok(()) } else { tx.emit(&InventoryLevelChanged { skus: changed }).await }
}

/// Settles orders whose events are still on their way, so that whoever looks at the stock sees what is.
pub(crate) async fn reconcile_missed(db: &Db, config: Config) -> Result<(), DbError> {
    let mut after = 0;
    loop {
        let behind = db.read(queries::BEHIND).bind(after).bind(BATCH).scalars::<i64>().await?;
        let Some(last) = behind.last() else { return Ok(()) };
        after = *last;
        for order_id in behind {
            db.write(async |tx| reconcile_order(tx, config, order_id).await).await?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allocation(order_status: &str, shippable: bool, shipped: i64, revoked: i64) -> Allocation {
        Allocation {
            id: 1,
            sku: String::from("MUG"),
            per_unit: 2,
            units: 3,
            gone_units: 0,
            freed_units: 0,
            returned_units: 0,
            refunded_units: 0,
            order_status: order_status.to_owned(),
            shippable,
            shipped_quantity: shipped,
            revoked_quantity: revoked,
            used_quantity: 0,
        }
    }

    fn at(allocation: &Allocation, ends: Ends) -> Allocation {
        Allocation {
            gone_units: ends.gone,
            freed_units: ends.freed,
            returned_units: ends.returned,
            refunded_units: ends.refunded,
            ..allocation.clone()
        }
    }

    /// On hand, reserved, each by so many pieces.
    fn moved(allocation: &Allocation, due: Ends) -> (i64, i64) {
        let all = changes(allocation, due);
        (all.iter().map(|change| change.on_hand).sum(), all.iter().map(|change| change.reserved).sum())
    }

    #[test]
    fn whatever_is_reconciled_is_reconciled_once() {
        let states = ["pending", "paid", "cancelled"];
        for (state, shippable, shipped, revoked, restock) in states.iter().flat_map(|state| {
            let numbers = (0..=3).flat_map(|shipped| (0..=3).map(move |revoked| (shipped, revoked)));
            numbers.flat_map(move |(shipped, revoked)| {
                [(true, true), (true, false), (false, true), (false, false)]
                    .map(|(shippable, restock)| (*state, shippable, shipped, revoked, restock))
            })
        }) {
            let shipped = if shippable { shipped } else { 0 };
            let allocation = allocation(state, shippable, shipped, revoked);
            let due = allocation.due(restock);
            assert!(due.gone + due.freed <= allocation.units && due.returned <= due.gone, "{allocation:?} {due:?}");
            let reconciled = at(&allocation, due);
            assert_eq!(reconciled.due(restock), due, "{allocation:?}");
            let (on_hand, reserved) = moved(&allocation, due);
            assert_eq!(on_hand, 2 * (due.returned - due.gone), "{allocation:?}");
            assert_eq!(reserved, -2 * (due.gone + due.freed), "{allocation:?}");
        }
    }

    #[test]
    fn units_that_were_refunded_before_they_were_sent_are_free_again() {
        assert_eq!(moved(&allocation("paid", true, 0, 1), allocation("paid", true, 0, 1).due(true)), (0, -2));
        let sent = allocation("paid", true, 2, 3);
        assert_eq!(sent.due(true), Ends { gone: 2, freed: 1, returned: 0, refunded: 3 });
        // Refunded as an amount, and sent all the same.
        let freed = at(&allocation("paid", true, 3, 3), Ends { gone: 0, freed: 3, returned: 0, refunded: 3 });
        let due = freed.due(true);
        assert_eq!((due.gone, due.freed), (3, 0));
        assert_eq!(moved(&freed, due), (-6, 0));
    }

    #[test]
    fn what_is_not_sent_is_sold_when_it_is_paid_and_put_back_when_it_is_refunded() {
        assert_eq!(moved(&allocation("paid", false, 0, 0), allocation("paid", false, 0, 0).due(true)), (-6, -6));
        assert_eq!(moved(&allocation("paid", false, 0, 1), allocation("paid", false, 0, 1).due(true)), (-4, -6));
        assert_eq!(moved(&allocation("paid", false, 0, 1), allocation("paid", false, 0, 1).due(false)), (-6, -6));
        let used = Allocation { used_quantity: 1, ..allocation("paid", false, 0, 2) };
        assert_eq!(moved(&used, used.due(true)), (-4, -6), "what was used is not there any more");
        assert_eq!(
            moved(&allocation("cancelled", false, 0, 0), allocation("cancelled", false, 0, 0).due(true)),
            (0, -6)
        );
    }
}
