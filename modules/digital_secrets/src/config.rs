//! `[modules.digital_secrets]`: the operator's settings.

use stoa_core::prelude::*;

/// The settings besides `enabled`, which every module has.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The operator is warned of a pool that has fewer values left than this; 0 is never.
    pub low_water: u32,
    /// Whether products that do not say otherwise are sold although their pool is empty.
    pub backorder: bool,
    /// Days for which it is kept who has read which value; 0 is for ever.
    pub keep_reveals_days: u32,
}

impl Default for Config {
    fn default() -> Self {
        Self { low_water: 5, backorder: false, keep_reveals_days: 730 }
    }
}

/// The most days that anything is kept: a hundred years, so that times stay times.
const MOST_DAYS: u32 = 36_500;

impl ModuleConfig for Config {
    fn validate(&self) -> Result<(), (&'static str, String)> {
        if self.keep_reveals_days > MOST_DAYS {
            return Err(("keep_reveals_days", format!("must be a number of days up to {MOST_DAYS}, or 0 for ever")));
        }
        Ok(())
    }
}
