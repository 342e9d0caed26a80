//! Which units of digital goods may be delivered, and which were (C10.2).
//!
//! Whoever delivers and whoever withdraws wait for one another at the order line, as those do who use and refund.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use stoa_kernel::db::{DbError, Tx};
use stoa_kernel::events::{CommittedEvent, Event};

use super::queries;
use super::uses::SoldUnit;
use crate::orders::subject_of;

/// Units of a paid order may be delivered now that were held: the period in which the customer could have withdrawn is over, or what
/// the customer has declared was refused. Deliver what you have not delivered yet and what [`held_units`] does not name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeliveryDue {
    /// The order's id.
    pub order_id: i64,
    /// The capabilities of all that was ordered, sorted.
    pub capabilities: Vec<String>,
}

impl Event for DeliveryDue {
    const NAME: &'static str = "DeliveryDue";
}

impl CommittedEvent for DeliveryDue {
    fn order_key(&self) -> Option<String> {
        Some(subject_of(self.order_id))
    }

    fn capabilities(&self) -> Option<&[String]> {
        Some(&self.capabilities)
    }
}

/// Which of these units must not be delivered now: their customer has not given up the right to withdraw, whose period is not over, or has
/// withdrawn. Nobody withdraws from these items until the transaction ends, so call it first.
pub async fn held_units(tx: &mut Tx, units: &[SoldUnit]) -> Result<BTreeSet<SoldUnit>, DbError> {
    if units.is_empty() {
        return Ok(BTreeSet::new());
    }
    let asked = as_json(units);
    tx.run(queries::HOLD_ITEMS).bind(asked.as_str()).scalars::<i64>().await?;
    Ok(tx.run(queries::LIST_HELD).bind(asked).all::<SoldUnit>().await?.into_iter().collect())
}

/// Notes that these units were delivered, in the transaction that does it, each time or only the first. With a waiver the right to withdraw
/// ends with it.
pub async fn note_delivered(tx: &mut Tx, units: &[SoldUnit]) -> Result<(), DbError> {
    if units.is_empty() {
        return Ok(());
    }
    let now = tx.now();
    tx.run(queries::NOTE_DELIVERIES).bind(as_json(units)).bind(now).execute().await?;
    Ok(())
}

pub(super) fn as_json(units: &[SoldUnit]) -> String {
    let units = units.iter().map(|sold| json!({"order_line_id": sold.order_line_id, "unit": sold.unit}));
    units.collect::<Value>().to_string()
}
