//! Telling customers early what there is too little of: in the cart, and before an order is written.

use stoa_core::cart::CartShowing;
use stoa_core::orders::OrderPreflight;
use stoa_core::prelude::*;

use crate::config::Config;
use crate::demand::Demands;
use crate::reserve::refuse;

/// Refuses an order before its transaction when there is too little already.
pub(crate) struct Check;

impl Preflight<OrderPreflight> for Check {
    async fn preflight(&self, event: &mut OrderPreflight, db: &Db) -> Result<(), ListenerError> {
        let demands = Demands::of(&event.lines);
        let stock = demands.read(db).await?;
        for (sku, demand) in demands.iter() {
            if let Some(stock) = stock.get(sku).filter(|stock| !stock.has(demand.quantity)) {
                event.checks.push(refuse(demand, stock.available()));
            }
        }
        Ok(())
    }
}

/// Says of each line whether it can be had, and how much of it where there is too little for all lines together: what stands first gets it first.
pub(crate) struct MarkLines(pub(crate) Config);

impl Preflight<CartShowing> for MarkLines {
    async fn preflight(&self, event: &mut CartShowing, db: &Db) -> Result<(), ListenerError> {
        let demands = Demands::of(event.lines.iter().map(|shown| &shown.line));
        let stock = demands.read(db).await?;
        for (sku, demand) in demands.iter() {
            let Some(stock) = stock.get(sku) else { continue };
            let is_short = !stock.has(demand.quantity);
            let mut pieces = stock.available().max(0);
            for taken in &demand.lines {
                let Some(shown) = event.lines.get_mut(taken.line) else { continue };
                shown.mark(stock.level(self.0.low_stock_threshold));
                let left = taken.units.min(pieces / taken.per_unit.max(1));
                pieces -= left * taken.per_unit;
                if is_short && left < taken.units {
                    shown.limit(left);
                }
            }
        }
        Ok(())
    }
}
