//! `[worker]`: jobs in the background.

use serde::Deserialize;

/// Settings of the worker.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkerConfig {
    /// Whether `stoa serve` sends webhooks and runs jobs too.
    pub enabled: bool,
}
