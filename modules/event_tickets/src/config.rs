//! `[modules.event_tickets]`.

use stoa_core::prelude::*;

/// The most days that a revocation list may go back.
const MOST_DAYS: u32 = 3650;

/// Settings of the module, besides `enabled`, which every module has.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Tickets of one product that an order may have; 0 for as many as there are.
    pub max_per_order: u32,
    /// Days after an event for which its void tickets stay on the revocation list.
    pub revocation_days: u32,
}

impl Default for Config {
    fn default() -> Self {
        Self { max_per_order: 0, revocation_days: 30 }
    }
}

impl ModuleConfig for Config {
    fn validate(&self) -> Result<(), (&'static str, String)> {
        if !(1..=MOST_DAYS).contains(&self.revocation_days) {
            return Err(("revocation_days", format!("must be a number from 1 to {MOST_DAYS}")));
        }
        Ok(())
    }
}
