//! The movements: what happened to the stock, why, and by whom. They are written together with what they tell of.

use serde::Serialize;
use serde_json::Value;
use stoa_core::prelude::*;

use crate::queries;
use crate::stock::Stock;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// Somebody has counted.
    Count,
    /// Pieces came, or went otherwise.
    Adjust,
    /// An import of the product has told another number.
    Import,
    /// An order was placed.
    Reserve,
    /// An order was cancelled, or units of it were refunded before they were sent.
    Release,
    /// Units of an order were sent.
    Ship,
    /// Units that are not sent were paid.
    Sell,
    /// Units that are not sent were refunded.
    Restock,
    /// More can be ordered than there is from now on, or no longer.
    Backorder,
    /// It is counted from now on, or no longer.
    Track,
}

/// Who did it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Actor {
    /// Whoever placed an order.
    Customer,
    /// Somebody at the command line.
    Operator,
    /// An import of products.
    Import,
    /// The shop itself.
    System,
}

/// One movement.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Movement {
    sku: String,
    kind: Kind,
    on_hand_change: i64,
    reserved_change: i64,
    on_hand: i64,
    reserved: i64,
    backorder: bool,
    reason: Option<String>,
    actor: Actor,
    order_id: Option<i64>,
}

impl Movement {
    /// A movement that has left the stock like this.
    pub(crate) fn new(kind: Kind, actor: Actor, after: &Stock) -> Self {
        Self {
            sku: after.sku.clone(),
            kind,
            on_hand_change: 0,
            reserved_change: 0,
            on_hand: after.on_hand,
            reserved: after.reserved,
            backorder: after.backorder,
            reason: None,
            actor,
            order_id: None,
        }
    }

    pub(crate) fn changing(self, on_hand: i64, reserved: i64) -> Self {
        Self { on_hand_change: on_hand, reserved_change: reserved, ..self }
    }

    pub(crate) fn because(self, reason: Option<&str>) -> Self {
        Self { reason: reason.map(str::to_owned), ..self }
    }

    pub(crate) fn of_order(self, order_id: i64) -> Self {
        Self { order_id: Some(order_id), ..self }
    }
}

/// Writes movements, in their order.
pub(crate) async fn record(tx: &mut Tx, movements: &[Movement]) -> Result<(), DbError> {
    if movements.is_empty() {
        return Ok(());
    }
    let now = tx.now();
    tx.run(queries::INSERT_MOVEMENTS).bind(as_text(movements)).bind(now).execute().await.map(drop)
}

/// Rows as the statements take them.
pub(crate) fn as_text(rows: &[impl Serialize]) -> String {
    let rows = rows.iter().map(|row| serde_json::to_value(row).expect("rows are plain")).collect();
    Value::Array(rows).to_string()
}
