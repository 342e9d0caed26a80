//! `[worker]`: jobs in the background.

use serde::Deserialize;

use super::check::Section;

/// Settings of the worker.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WorkerConfig {
    /// Whether `stoa serve` sends webhooks and runs jobs too.
    pub enabled: bool,
}

impl Default for WorkerConfig {
    fn default() -> Self {
        Self { enabled: true }
    }
}

impl Section for WorkerConfig {
    const KEY: &'static str = "worker";
}
