//! What there is of one SKU.

use serde_json::{Value, json};
use stoa_core::catalog::Availability;
use stoa_core::prelude::*;

/// A row of `inventory_stock`.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub(crate) struct Stock {
    pub(crate) sku: String,
    pub(crate) on_hand: i64,
    pub(crate) reserved: i64,
    pub(crate) backorder: bool,
    pub(crate) tracked: bool,
}

impl Stock {
    /// What can still be promised; below zero when more is promised than there is.
    pub(crate) const fn available(&self) -> i64 {
        self.on_hand - self.reserved
    }

    /// Whether so many pieces can be promised.
    pub(crate) const fn has(&self, quantity: i64) -> bool {
        self.backorder || self.available() >= quantity
    }

    /// What customers are told.
    pub(crate) const fn level(&self, threshold: i64) -> Availability {
        level(self.available(), self.backorder, threshold)
    }

    /// What customers were told before the pieces that can be promised became `change` more.
    pub(crate) const fn level_before(&self, change: i64, threshold: i64) -> Availability {
        level(self.available() - change, self.backorder, threshold)
    }
}

/// What so many pieces are to customers.
pub(crate) const fn level(available: i64, backorder: bool, threshold: i64) -> Availability {
    if available <= 0 {
        return if backorder { Availability::Backorder } else { Availability::OutOfStock };
    }
    if available <= threshold { Availability::LowStock } else { Availability::InStock }
}

/// SKUs as the statements take them.
pub(crate) fn as_json<'a>(skus: impl IntoIterator<Item = &'a String>) -> String {
    Value::Array(skus.into_iter().map(|sku| json!({"sku": sku})).collect()).to_string()
}

/// What customers are told about some SKU is another thing from now on. Of this module alone: it brings what the catalog
/// says up to date after the commit, so that no order waits for the catalog.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct InventoryLevelChanged {
    pub(crate) skus: Vec<String>,
}

impl Event for InventoryLevelChanged {
    const NAME: &'static str = "InventoryLevelChanged";
}

impl CommittedEvent for InventoryLevelChanged {}

/// Stock of a SKU has become low. For whoever wants to order more of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct InventoryLow {
    /// The stock keeping unit.
    pub sku: String,
    /// Pieces that can still be sold; below zero when more is promised than there is.
    pub available: i64,
}

impl Event for InventoryLow {
    const NAME: &'static str = "InventoryLow";
}

impl CommittedEvent for InventoryLow {}
