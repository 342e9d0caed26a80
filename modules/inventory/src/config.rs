//! `[modules.inventory]`: the operator's settings.

use stoa_core::prelude::*;

/// The settings besides `enabled`, which every module has.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Pieces up to which stock is low.
    pub low_stock_threshold: i64,
    /// Whether refunded units of what is not sent by parcel are put back into stock.
    pub restock_refunded: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self { low_stock_threshold: 5, restock_refunded: true }
    }
}

impl ModuleConfig for Config {
    fn validate(&self) -> Result<(), (&'static str, String)> {
        if !(0..=1_000_000).contains(&self.low_stock_threshold) {
            return Err(("low_stock_threshold", String::from("must be a number of pieces from 0 to 1000000")));
        }
        Ok(())
    }
}
