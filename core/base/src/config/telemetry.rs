//! `[telemetry]`: where traces and metrics are sent.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::ServiceUrl;
use super::catalog::check_headers;
use super::check::Check;
use crate::secret::Secret;

/// Settings of what is told to a collector.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TelemetryConfig {
    /// The collector, which takes OTLP over HTTP. Without it nothing is sent.
    pub otlp: Option<ServiceUrl>,
    /// Headers of what is sent, such as a key.
    #[serde(default)]
    pub headers: BTreeMap<String, Secret>,
    /// How many of a hundred traces are sent. One that a client has begun is sent if the client says so.
    pub sample_percent: u8,
    /// Seconds from one sending of metrics to the next.
    pub metrics_seconds: u64,
}

impl TelemetryConfig {
    /// Whether anything is sent.
    pub fn is_on(&self) -> bool {
        self.otlp.is_some()
    }

    pub(super) fn check(&self, check: &mut Check<'_>) {
        if self.sample_percent > 100 {
            check.refuse("sample_percent", "expected a number from 0 to 100");
        }
        if self.metrics_seconds == 0 {
            check.refuse("metrics_seconds", "expected at least 1");
        }
        check_headers(&self.headers, &mut check.table("headers"));
    }
}
