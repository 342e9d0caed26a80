//! What follows for downloads when an order is paid or refunded, and when a unit of it may not be used any longer.
//!
//! All events are delivered at least once, in any order, and maybe to two workers at the same time. A row for each unit
//! decides: it is made once, and one that was refunded before it was granted is never granted.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use stoa_core::entitlements::{
    DeliveryDue, EntitlementEnded, EntitlementResumed, EntitlementSuspended, SoldUnit, held_units, note_delivered,
};
use stoa_core::orders::{OrderLine, OrderPaid, customer_of_order, sold_lines_in};
use stoa_core::prelude::*;
use stoa_core::random::Random;
use stoa_core::refunds::RefundRecorded;

use crate::grants::{Scope, grant_batch, grant_missing};
use crate::model::{CAPABILITY, ProductDownloads};
use crate::queries;
use crate::routes::DownloadsState;

/// Gives the buyer of a paid order its files.
pub(crate) struct GrantFiles {
    pub(crate) state: DownloadsState,
}

impl AfterCommit<OrderPaid> for GrantFiles {
    type Uses = (Db, Random);

    const WANTS: &'static [&'static str] = &[CAPABILITY];

    async fn after_commit(&self, event: &OrderPaid, (db, random): &Self::Uses) -> Result<(), ListenerError> {
        self.grant(event.order_id, db, random).await
    }
}

/// The same for what was held until its buyer could withdraw no more.
impl AfterCommit<DeliveryDue> for GrantFiles {
    type Uses = (Db, Random);

    const WANTS: &'static [&'static str] = &[CAPABILITY];

    async fn after_commit(&self, event: &DeliveryDue, (db, random): &Self::Uses) -> Result<(), ListenerError> {
        self.grant(event.order_id, db, random).await
    }
}

impl GrantFiles {
    async fn grant(&self, order_id: i64, db: &Db, random: &Random) -> Result<(), ListenerError> {
        let config = &self.state.config;
        let sold = db
            .write(async |tx| -> Result<bool, DbError> {
                let lines = digital_lines(tx, order_id).await?;
                let Some(order) = Order::find(tx, order_id).await?.filter(|_| !lines.is_empty()) else {
                    return Ok(false);
                };
                let units = units_of(&lines);
                let held = held_units(tx, &units).await?;
                lock_products(tx, &lines).await?;
                for line in &lines {
                    add_units(tx, &order, line, &held).await?;
                }
                let delivered = units.into_iter().filter(|unit| !held.contains(unit)).collect::<Vec<_>>();
                note_delivered(tx, &delivered).await?;
                // Most orders are done with this; what is more comes in transactions of its own.
                grant_batch(tx, random, config, Scope::Order(order_id)).await?;
                Ok(true)
            })
            .await?;
        if sold {
            grant_missing(db, random, config, Scope::Order(order_id)).await?;
        }
        Ok(())
    }
}

fn units_of(lines: &[OrderLine]) -> Vec<SoldUnit> {
    let units = lines.iter().filter_map(|line| Some((line.order_line_id?, line.quantity)));
    units
        .flat_map(|(order_line_id, quantity)| (1..=quantity).map(move |unit| SoldUnit { order_line_id, unit }))
        .collect()
}

async fn digital_lines(tx: &mut Tx, order_id: i64) -> Result<Vec<OrderLine>, DbError> {
    let lines = sold_lines_in(tx, order_id).await?;
    Ok(lines.into_iter().filter(|line| line.has(CAPABILITY)).collect())
}

/// In the order of their ids, so that two orders do not wait for one another.
async fn lock_products(tx: &mut Tx, lines: &[OrderLine]) -> Result<(), DbError> {
    for product_id in lines.iter().map(|line| line.product_id).collect::<BTreeSet<_>>() {
        tx.run(queries::LOCK_PRODUCT).bind(product_id).execute().await?;
    }
    Ok(())
}

/// Adds the units of a line, but not those that must not be delivered.
async fn add_units(tx: &mut Tx, order: &Order, line: &OrderLine, held: &BTreeSet<SoldUnit>) -> Result<(), DbError> {
    let now = tx.now();
    // The settings are those of the moment of ordering.
    let kept = ProductDownloads::kept(line.settings("downloads"));
    let is_held =
        |unit: i64| line.order_line_id.is_some_and(|order_line_id| held.contains(&SoldUnit { order_line_id, unit }));
    for unit in (1..=line.quantity).filter(|unit| !is_held(*unit)) {
        let add = tx.run(queries::ADD_UNIT).bind(line.order_line_id).bind(unit).bind(order.customer_id);
        let add = add.bind(order.order_id).bind(line.product_id).bind(kept.limit).bind(kept.days);
        add.bind(now).execute().await?;
    }
    Ok(())
}

/// Takes back what was granted for refunded units, and for no others.
pub(crate) struct RevokeUnits;

impl AfterCommit<RefundRecorded> for RevokeUnits {
    type Uses = Db;

    async fn after_commit(&self, event: &RefundRecorded, db: &Db) -> Result<(), ListenerError> {
        db.write(async |tx| -> Result<(), DbError> {
            let lines = digital_lines(tx, event.order_id).await?;
            let Some(order) = Order::find(tx, event.order_id).await? else { return Ok(()) };
            // As granting does, so that a unit is not granted while it is being taken back.
            lock_products(tx, &lines).await?;
            for units in &event.units {
                let Some(line) = line_of(&lines, units.order_line_id) else { continue };
                for unit in &units.ordinals {
                    revoke(tx, &order, line, *unit, "refunded").await?;
                }
            }
            Ok(())
        })
        .await?;
        Ok(())
    }
}

/// Follows those who say whether a unit may be used: suspended, resumed, ended.
pub(crate) struct FollowUnits;

impl AfterCommit<EntitlementSuspended> for FollowUnits {
    type Uses = Db;

    async fn after_commit(&self, event: &EntitlementSuspended, db: &Db) -> Result<(), ListenerError> {
        change_unit(db, event.order_id, event.order_line_id, event.unit, Change::Suspend).await
    }
}

impl AfterCommit<EntitlementResumed> for FollowUnits {
    type Uses = Db;

    async fn after_commit(&self, event: &EntitlementResumed, db: &Db) -> Result<(), ListenerError> {
        change_unit(db, event.order_id, event.order_line_id, event.unit, Change::Resume).await
    }
}

impl AfterCommit<EntitlementEnded> for FollowUnits {
    type Uses = Db;

    async fn after_commit(&self, event: &EntitlementEnded, db: &Db) -> Result<(), ListenerError> {
        change_unit(db, event.order_id, event.order_line_id, event.unit, Change::End).await
    }
}

/// Whose unit it is.
struct Order {
    order_id: i64,
    customer_id: i64,
}

impl Order {
    async fn find(tx: &mut Tx, order_id: i64) -> Result<Option<Self>, DbError> {
        let customer_id = customer_of_order(tx, order_id).await?;
        Ok(customer_id.map(|customer_id| Self { order_id, customer_id }))
    }
}

/// What becomes of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    Suspend,
    Resume,
    End,
}

fn line_of(lines: &[OrderLine], item: i64) -> Option<&OrderLine> {
    lines.iter().find(|line| line.order_line_id == Some(item))
}

async fn change_unit(db: &Db, order_id: i64, item: i64, unit: i64, change: Change) -> Result<(), ListenerError> {
    db.write(async |tx| -> Result<(), DbError> {
        let lines = digital_lines(tx, order_id).await?;
        let Some(line) = line_of(&lines, item) else { return Ok(()) };
        let Some(order) = Order::find(tx, order_id).await? else { return Ok(()) };
        lock_products(tx, std::slice::from_ref(line)).await?;
        match change {
            Change::Suspend => suspend(tx, &order, line, unit, Some(tx.now())).await,
            Change::Resume => suspend(tx, &order, line, unit, None).await,
            Change::End => revoke(tx, &order, line, unit, "ended").await,
        }
    })
    .await?;
    Ok(())
}

async fn suspend(
    tx: &mut Tx,
    order: &Order,
    line: &OrderLine,
    unit: i64,
    since: Option<DateTime<Utc>>,
) -> Result<(), DbError> {
    let now = tx.now();
    let row = tx.run(queries::SUSPEND_UNIT).bind(line.order_line_id).bind(unit).bind(order.customer_id);
    row.bind(order.order_id).bind(line.product_id).bind(since).bind(now).execute().await?;
    tx.run(queries::SUSPEND_GRANTS_OF_UNIT).bind(line.order_line_id).bind(unit).bind(since).execute().await?;
    Ok(())
}

async fn revoke(tx: &mut Tx, order: &Order, line: &OrderLine, unit: i64, why: &str) -> Result<(), DbError> {
    let now = tx.now();
    let row = tx.run(queries::REVOKE_UNIT).bind(line.order_line_id).bind(unit).bind(order.customer_id);
    row.bind(order.order_id).bind(line.product_id).bind(now).execute().await?;
    let grants = tx.run(queries::REVOKE_GRANTS_OF_UNIT).bind(line.order_line_id).bind(unit).bind(now);
    grants.bind(why).execute().await?;
    Ok(())
}
