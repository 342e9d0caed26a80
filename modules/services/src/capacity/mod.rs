//! How much of a plan can be sold: reserved while an order is placed, given back when nothing is there any longer.

mod listeners;
pub(crate) mod queries;

use std::collections::BTreeMap;

use stoa_core::orders::OrderLine;
use stoa_core::prelude::*;

use crate::model::SoldPlan;

pub(crate) use listeners::{CheckCapacity, ReleaseCapacity, ReserveCapacity};

/// Units by plan, in the order in which the plans' rows are changed: two orders never wait for one another.
pub(crate) type Units = BTreeMap<SoldPlan, i64>;

/// What the lines ask for, summed over all of them.
pub(crate) fn units_of(lines: &[OrderLine]) -> Units {
    let mut units = Units::new();
    for line in lines {
        if let Some(plan) = SoldPlan::of(line) {
            let sum = units.entry(plan).or_default();
            *sum = sum.saturating_add(line.quantity);
        }
    }
    units
}

/// What is known about the room for a plan.
#[derive(Debug, Clone, sqlx::FromRow)]
pub(crate) struct PlanRow {
    pub(crate) provider: String,
    pub(crate) plan: String,
    /// Reserved, or taken up by services.
    pub(crate) used: i64,
    /// What the provider has said.
    pub(crate) provider_capacity: Option<i64>,
}

impl PlanRow {
    /// The smaller of both limits; none without one.
    pub(crate) fn limit(&self, configured: Option<i64>) -> Option<i64> {
        [self.provider_capacity, configured].into_iter().flatten().min()
    }

    /// For how many units there is room; none without a limit.
    pub(crate) fn left(&self, configured: Option<i64>) -> Option<i64> {
        self.limit(configured).map(|limit| (limit - self.used).max(0))
    }
}

/// What came of taking room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Room {
    /// It is taken.
    Taken,
    /// There is room for fewer units only.
    TooLittle {
        /// For how many.
        left: i64,
    },
}

/// Takes room for so many units, if there is enough.
pub(crate) async fn reserve_room(
    tx: &mut Tx,
    plan: &SoldPlan,
    units: i64,
    configured: Option<i64>,
) -> Result<Room, DbError> {
    ensure(tx, plan).await?;
    let (provider, name) = (plan.provider.as_str(), plan.plan.as_str());
    let taken = tx.run(queries::TAKE).bind(provider).bind(name).bind(units).bind(configured).execute().await?;
    if taken == 1 {
        return Ok(Room::Taken);
    }
    let row = tx.run(queries::FIND_PLAN).bind(provider).bind(name).one::<PlanRow>().await?;
    Ok(Room::TooLittle { left: row.left(configured).unwrap_or(0) })
}

/// Takes more or less room, whatever the limit: what is paid for is provided.
pub(crate) async fn change(tx: &mut Tx, changes: &Units) -> Result<(), DbError> {
    for (plan, units) in changes.iter().filter(|(_, units)| **units != 0) {
        ensure(tx, plan).await?;
        let changed = tx.run(queries::CHANGE).bind(plan.provider.as_str()).bind(plan.plan.as_str()).bind(*units);
        changed.execute().await?;
    }
    Ok(())
}

/// Ends what an order has reserved, and says how much that was. The room itself is still taken.
pub(crate) async fn end_reservations(tx: &mut Tx, order_id: i64) -> Result<Units, DbError> {
    let ended = tx.run(queries::END_RESERVATIONS).bind(order_id).all::<(String, String, i64)>().await?;
    let mut units = Units::new();
    for (provider, plan, quantity) in ended {
        *units.entry(SoldPlan { provider, plan }).or_default() += quantity;
    }
    Ok(units)
}

async fn ensure(tx: &mut Tx, plan: &SoldPlan) -> Result<(), DbError> {
    tx.run(queries::ENSURE_PLAN).bind(plan.provider.as_str()).bind(plan.plan.as_str()).execute().await?;
    Ok(())
}
