//! An address that is told what has changed.

use sha2::{Digest, Sha256};

use stoa_kernel::config::PurgeConfig;

/// An address, with what tells it from others in rows.
#[derive(Debug)]
pub(crate) struct PurgeTarget {
    pub(super) id: i64,
    pub(super) config: PurgeConfig,
}

impl PurgeTarget {
    pub(super) fn new(config: &PurgeConfig) -> Self {
        let hash = Sha256::digest(config.url.as_str());
        let id = hash.iter().take(8).fold(0_i64, |id, byte| (id << 8) | i64::from(*byte));
        Self { id, config: config.clone() }
    }

    /// What it is called in messages; secrets stand in headers alone.
    pub(super) fn name(&self) -> &str {
        self.config.url.as_str()
    }
}
