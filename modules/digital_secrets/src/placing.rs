//! An order is placed: values are set aside for it, or it is refused.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use stoa_core::orders::{OrderPlacing, OrderPreflight, PlacedOrder};
use stoa_core::prelude::*;

use crate::availability::levels;
use crate::pools::{lock_pool, pool_id};
use crate::queries;
use crate::settings::{WantedValues, by_pool, wanted};

/// Tells early what would be refused later.
pub(crate) struct CheckPools {
    pub(crate) backorder: bool,
}

impl Preflight<OrderPreflight> for CheckPools {
    async fn preflight(&self, event: &mut OrderPreflight, db: &Db) -> Result<(), ListenerError> {
        let wanted = wanted(&event.lines, self.backorder)?;
        let pools = by_pool(&wanted);
        let needed = pools.iter().filter(|(_, lines)| lines.iter().any(|line| line.must_be_there() > 0));
        let names = needed.map(|(name, _)| *name).collect::<Vec<_>>();
        if !names.is_empty() {
            let enough = wanted.iter().map(WantedValues::must_be_there).sum();
            let levels = levels(db, names.iter().copied(), enough).await?;
            for name in names {
                let left = levels.get(name).map_or(0, |level| level.available);
                event.checks.extend(first_without(&pools[name], left).map(|(line, left)| sold_out(line, left)));
            }
        }
        for (line, quantity) in limited(&wanted) {
            let count = db.read(queries::COUNT_OF_CUSTOMER).bind(event.customer_id).bind(line.product_id);
            if exceeds(line, quantity, count.scalar().await?) {
                event.checks.push(too_many(line));
            }
        }
        Ok(())
    }
}

/// Sets values aside.
pub(crate) struct Reserve {
    pub(crate) backorder: bool,
}

impl InTransaction<OrderPlacing> for Reserve {
    async fn in_transaction(&self, event: &OrderPlacing, tx: &mut Tx) -> Result<(), ListenerError> {
        let wanted = wanted(&event.lines, self.backorder)?;
        let Some(order) = &event.order else { return Ok(()) };
        if wanted.is_empty() {
            return Ok(());
        }
        let ids = find_pools(tx, &wanted).await?;
        for (line, quantity) in limited(&wanted) {
            let count = tx.run(queries::COUNT_OF_CUSTOMER).bind(order.customer_id).bind(line.product_id);
            if exceeds(line, quantity, count.scalar().await?) {
                return Err(too_many(line).into());
            }
        }
        insert_units(tx, order, &wanted, &ids).await?;
        for (name, lines) in by_pool(&wanted) {
            let units = lines.iter().filter(|line| line.pattern.is_none()).map(|line| line.quantity).sum::<i64>();
            if units == 0 {
                continue;
            }
            let reserve = tx.run(queries::RESERVE).bind(ids[name]).bind(order.id).bind(units);
            let reserved = i64::try_from(reserve.execute().await?).unwrap_or(i64::MAX);
            if let Some((line, left)) = first_without(&lines, reserved) {
                return Err(sold_out(line, left).into());
            }
        }
        Ok(())
    }
}

/// The ids of the pools, by name. Those that values are taken from, or whose customers are counted, are locked.
async fn find_pools(tx: &mut Tx, wanted: &[WantedValues]) -> Result<BTreeMap<String, i64>, DbError> {
    let mut ids = BTreeMap::new();
    for (name, lines) in by_pool(wanted) {
        let is_shared = lines.iter().any(|line| line.pattern.is_none() || line.max_per_customer.is_some());
        let id = if is_shared { lock_pool(tx, name).await?.id } else { pool_id(tx, name).await? };
        ids.insert(name.to_owned(), id);
    }
    Ok(ids)
}

/// Writes a row for each unit.
async fn insert_units(
    tx: &mut Tx,
    order: &PlacedOrder,
    wanted: &[WantedValues],
    pools: &BTreeMap<String, i64>,
) -> Result<(), DbError> {
    let units = units_json(wanted, pools);
    let now = tx.now();
    let insert = tx.run(queries::INSERT_UNITS).bind(order.id).bind(order.customer_id);
    insert.bind(units).bind(now).execute().await?;
    Ok(())
}

/// The units of lines, as a statement takes them.
pub(crate) fn units_json(wanted: &[WantedValues], pools: &BTreeMap<String, i64>) -> String {
    let units = wanted.iter().flat_map(|line| {
        (1..=line.quantity).map(|unit| {
            json!({"order_line_id": line.order_line_id, "unit": unit, "product_id": line.product_id,
                   "pool_id": pools[&line.pool], "pattern": line.pattern, "backorder": line.backorder})
        })
    });
    Value::Array(units.collect()).to_string()
}

/// The first line that does not get all it must have when a pool has so many values left, and how many it would get. Lines
/// that can wait take what the others leave.
fn first_without<'a>(lines: &[&'a WantedValues], mut left: i64) -> Option<(&'a WantedValues, i64)> {
    lines.iter().copied().find_map(|line| {
        let needed = line.must_be_there();
        if needed > left {
            return Some((line, left));
        }
        left -= needed;
        None
    })
}

/// Products that a customer can have only so many of, with what is ordered of each together.
fn limited(wanted: &[WantedValues]) -> impl Iterator<Item = (&WantedValues, i64)> {
    let mut products = BTreeMap::<i64, (&WantedValues, i64)>::new();
    for line in wanted.iter().filter(|line| line.max_per_customer.is_some()) {
        products.entry(line.product_id).or_insert((line, 0)).1 += line.quantity;
    }
    products.into_values()
}

fn exceeds(line: &WantedValues, quantity: i64, had: i64) -> bool {
    line.max_per_customer.is_some_and(|most| had.saturating_add(quantity) > most)
}

fn sold_out(line: &WantedValues, left: i64) -> Veto {
    let label = &line.label;
    Veto {
        field: String::from("cart"),
        message: text!("digital-secrets-sold-out", label = label, left = left),
        reason: Some("insufficient_stock"),
    }
}

fn too_many(line: &WantedValues) -> Veto {
    let (label, most) = (&line.label, line.max_per_customer.unwrap_or_default());
    Veto {
        field: String::from("cart"),
        message: text!("digital-secrets-too-many", label = label, most = most),
        reason: Some("max_per_customer"),
    }
}
