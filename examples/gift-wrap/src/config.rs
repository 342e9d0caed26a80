//! `[modules.gift_wrap]`: the operator's settings.

use stoa_core::prelude::*;

/// The longest message that the rule table of a wish lets through, in characters.
pub(crate) const LONGEST_MESSAGE: usize = 500;

/// The settings besides `enabled`, which every module has.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Characters that fit on the card.
    pub max_message_length: usize,
    /// Days after which a wish is forgotten.
    pub keep_days: u32,
}

impl Default for Config {
    fn default() -> Self {
        Self { max_message_length: 200, keep_days: 90 }
    }
}

impl ModuleConfig for Config {
    fn validate(&self) -> Result<(), (&'static str, String)> {
        if !(1..=LONGEST_MESSAGE).contains(&self.max_message_length) {
            return Err(("max_message_length", format!("must be a number from 1 to {LONGEST_MESSAGE}")));
        }
        if self.keep_days == 0 {
            return Err(("keep_days", String::from("must be at least 1")));
        }
        Ok(())
    }
}
