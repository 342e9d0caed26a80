//! `[webhooks]`: how deliveries are sent.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::check::{Check, Section};
use super::network::DnsServer;
use super::value::{self, within};

/// Settings of outbound webhooks.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WebhooksConfig {
    /// Whether `http://` and addresses that are not public are permitted; for tests.
    pub allow_private_destinations: bool,
    /// Seconds between two looks for deliveries that are due (S6.5.5).
    #[serde(deserialize_with = "within::<_, _, 1, 3600>")]
    pub scheduler_interval_seconds: u64,
    /// Seconds for which a claimed delivery is held (S6.5.1).
    #[serde(deserialize_with = "within::<_, _, 1, 3600>")]
    pub lease_seconds: u64,
    /// Resolvers for the names of destinations; those of the system when empty.
    pub dns_servers: Vec<DnsServer>,
    /// File with one more certificate authority (PEM).
    #[serde(deserialize_with = "value::optional_path")]
    pub extra_ca_file: Option<PathBuf>,
}

impl Default for WebhooksConfig {
    fn default() -> Self {
        Self {
            allow_private_destinations: false,
            scheduler_interval_seconds: 60,
            lease_seconds: 60,
            dns_servers: Vec::new(),
            extra_ca_file: None,
        }
    }
}

impl Section for WebhooksConfig {
    const KEY: &'static str = "webhooks";

    fn resolve_paths(&mut self, folder: &Path) {
        self.extra_ca_file = self.extra_ca_file.as_ref().map(|file| folder.join(file));
    }

    fn check(&self, check: &mut Check<'_>) {
        if let Some(file) = &self.extra_ca_file
            && !file.is_file()
        {
            check.refuse("extra_ca_file", &format!("there is no file {}", file.display()));
        }
    }
}
