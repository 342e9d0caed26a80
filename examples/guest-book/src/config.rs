//! `[modules.guest_book]`: the operator's settings.

use stoa_core::prelude::*;

/// The settings besides `enabled`, which every module has.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Days after which an entry is forgotten.
    pub keep_days: u32,
}

impl Default for Config {
    fn default() -> Self {
        Self { keep_days: 365 }
    }
}

impl ModuleConfig for Config {
    fn validate(&self) -> Result<(), (&'static str, String)> {
        if self.keep_days == 0 {
            return Err(("keep_days", String::from("must be at least 1")));
        }
        Ok(())
    }
}
