//! `[modules.reviews]`: the operator's settings.

use stoa_core::prelude::*;

/// When the operator looks at reviews.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Moderation {
    /// Before they are published.
    Before,
    /// After that: what is written is published at once, until somebody refuses it.
    After,
}

/// The settings besides `enabled`, which every module has.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// When the operator looks at reviews.
    pub moderation: Moderation,
}

impl Default for Config {
    fn default() -> Self {
        Self { moderation: Moderation::Before }
    }
}

impl ModuleConfig for Config {}
