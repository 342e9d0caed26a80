//! Which units were used. A refund takes those first that nobody has used, and what is refunded is not used any more.
//!
//! Using and refunding wait for one another at the order line: whoever uses a unit holds the line's row, shared, and a
//! refund locks it before it looks which units were used.

use std::collections::BTreeSet;

use stoa_kernel::db::{DbError, Tx};

use super::deliveries::as_json;
use super::queries;

/// A unit of an order line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, sqlx::FromRow)]
pub struct SoldUnit {
    /// The item.
    pub order_line_id: i64,
    /// Which unit of the item, from 1 to its quantity.
    pub unit: i64,
}

/// Notes that customers have used what `module` has granted for these units, and returns those that may not be used: their
/// money has gone back, or is on its way back. Of these nothing is noted; give nothing for them.
///
/// Call it in the transaction that makes the use, each time or only the first. Refunds of the same items wait until that
/// transaction ends.
pub async fn use_units(tx: &mut Tx, module: &str, units: &[SoldUnit]) -> Result<BTreeSet<SoldUnit>, DbError> {
    if units.is_empty() {
        return Ok(BTreeSet::new());
    }
    let asked = as_json(units);
    tx.run(queries::HOLD_ITEMS).bind(asked.as_str()).scalars::<i64>().await?;
    tx.run(queries::NOTE_USES).bind(asked.as_str()).bind(module).execute().await?;
    Ok(tx.run(queries::LIST_REFUNDED).bind(asked).all::<SoldUnit>().await?.into_iter().collect())
}

/// Takes back what `module` has told of a unit's use, because it did not happen after all.
pub async fn undo_use(tx: &mut Tx, module: &str, unit: SoldUnit) -> Result<(), DbError> {
    tx.run(queries::FORGET_USE).bind(unit.order_line_id).bind(unit.unit).bind(module).execute().await?;
    Ok(())
}
