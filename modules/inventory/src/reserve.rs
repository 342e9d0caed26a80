//! Promising pieces while an order is placed, in its transaction.

use std::collections::BTreeMap;

use serde::Serialize;
use stoa_core::orders::{OrderLine, OrderPlacing};
use stoa_core::prelude::*;

use crate::config::Config;
use crate::demand::{Demand, Demands};
use crate::ledger::{Actor, Kind, Movement, as_text, record};
use crate::products::insert_new;
use crate::queries;
use crate::stock::{InventoryLevelChanged, Stock, as_json};

/// Allocates the pieces of an order, all of them or none.
pub(crate) struct Reserve(pub(crate) Config);

#[derive(Serialize)]
struct NewAllocation<'a> {
    order_line_id: i64,
    sku: &'a str,
    per_unit: i64,
    units: i64,
}

/// Tells the customer of what there is too little, and how many units so many pieces are enough for.
pub(crate) fn refuse(demand: &Demand, pieces: i64) -> Veto {
    let per_unit = demand.lines.iter().map(|line| line.per_unit).max().unwrap_or(1).max(1);
    let left = pieces.max(0) / per_unit;
    let message = Message::InsufficientStock { product: demand.label.clone().into(), left };
    Veto { field: String::from("cart"), message, reason: Some("insufficient_stock") }
}

impl InTransaction<OrderPlacing> for Reserve {
    async fn in_transaction(&self, event: &OrderPlacing, tx: &mut Tx) -> Result<(), ListenerError> {
        let demands = Demands::of(&event.lines);
        let stored = tx.run(queries::FIND_STOCK).bind(demands.skus()).all::<Stock>().await?;
        let is_stored = stored.iter().filter(|stock| stock.tracked).map(|stock| stock.sku.clone());
        let is_stored = is_stored.collect::<Vec<_>>();
        let counted = demands.counted(stored);
        let Some(order) = &event.order else { return try_out(&demands, &counted) };
        let (mut allocations, mut movements, mut changed) = (Vec::new(), Vec::new(), Vec::new());
        // Sorted by SKU, so that of two orders with the same SKUs neither waits for the other for ever.
        for (sku, demand) in demands.iter().filter(|(sku, _)| counted.contains_key(*sku)) {
            if !is_stored.contains(sku) {
                begin_to_count(tx, sku, demand).await?;
            }
            let now = tx.now();
            let reserve = tx.run(queries::RESERVE).bind(sku.as_str()).bind(demand.quantity).bind(now);
            let Some(after) = reserve.optional::<Stock>().await? else {
                // Somebody may have been faster than the look at it before.
                let left = tx.run(queries::FIND_STOCK).bind(as_json([sku])).optional::<Stock>().await?;
                return Err(refuse(demand, left.map_or(0, |stock| stock.available())).into());
            };
            let threshold = self.0.low_stock_threshold;
            if after.level(threshold) != after.level_before(-demand.quantity, threshold) {
                changed.push(sku.clone());
            }
            allocations.extend(new_allocations(sku, demand, &event.lines));
            let movement = Movement::new(Kind::Reserve, Actor::Customer, &after).changing(0, demand.quantity);
            movements.push(movement);
        }
        if allocations.is_empty() {
            return Ok(());
        }
        let now = tx.now();
        tx.run(queries::INSERT_ALLOCATIONS).bind(order.id).bind(as_text(&allocations)).bind(now).execute().await?;
        let movements = movements.into_iter().map(|movement| movement.of_order(order.id)).collect::<Vec<_>>();
        record(tx, &movements).await?;
        if !changed.is_empty() {
            tx.emit(&InventoryLevelChanged { skus: changed }).await?;
        }
        Ok(())
    }
}

/// An order that is only tried out is allocated nothing.
fn try_out(demands: &Demands, counted: &BTreeMap<String, Stock>) -> Result<(), ListenerError> {
    let short = demands.iter().find_map(|(sku, demand)| {
        let stock = counted.get(sku).filter(|stock| !stock.has(demand.quantity))?;
        Some(refuse(demand, stock.available()))
    });
    short.map_or(Ok(()), |veto| Err(veto.into()))
}

fn new_allocations<'a>(
    sku: &'a str,
    demand: &'a Demand,
    lines: &'a [OrderLine],
) -> impl Iterator<Item = NewAllocation<'a>> + use<'a> {
    demand.lines.iter().filter_map(move |taken| {
        let order_line_id = lines.get(taken.line)?.order_line_id?;
        Some(NewAllocation { order_line_id, sku, per_unit: taken.per_unit, units: taken.units })
    })
}

/// Makes the row of a SKU that its product has counted, but that nobody has looked at yet: the product was imported while
/// this module was off.
async fn begin_to_count(tx: &mut Tx, sku: &str, demand: &Demand) -> Result<(), DbError> {
    let Some(declared) = demand.declared else { return Ok(()) };
    insert_new(tx, &[(sku, declared)], Actor::System).await?;
    let now = tx.now();
    let locked = tx.run(queries::LOCK_STOCK).bind(sku).bind(now).one::<Stock>().await?;
    if locked.tracked {
        return Ok(());
    }
    let after = tx.run(queries::SET_TRACKED).bind(sku).bind(true).bind(now).one::<Stock>().await?;
    record(tx, &[Movement::new(Kind::Track, Actor::System, &after).because(Some("on"))]).await
}
