//! `[limits]`: how many requests are answered in which time (S8).

use serde::Deserialize;
use serde::Deserializer;
use url::Url;

use super::check::Section;
use super::value::{self, Malformed, within};
use crate::secret::Secret;

/// Settings of the rate limits.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LimitsConfig {
    /// Where requests are counted.
    pub store: LimitStore,
    /// Public catalog, per address.
    pub catalog: RateLimit,
    /// Protected routes and the cart, per user or address.
    pub protected: RateLimit,
    /// Checkout, payment and downloads.
    pub checkout: RateLimit,
    /// New tokens, per address and e-mail.
    pub token_creation: RateLimit,
    /// Wrong passwords, per e-mail.
    pub failed_logins: RateLimit,
}

impl Default for LimitsConfig {
    fn default() -> Self {
        Self {
            store: LimitStore::Memory,
            catalog: RateLimit { requests: 120, per_seconds: 60 },
            protected: RateLimit { requests: 60, per_seconds: 60 },
            checkout: RateLimit { requests: 10, per_seconds: 60 },
            token_creation: RateLimit { requests: 5, per_seconds: 60 },
            failed_logins: RateLimit { requests: 10, per_seconds: 600 },
        }
    }
}

impl Section for LimitsConfig {
    const KEY: &'static str = "limits";
}

/// So many requests in a window of so many seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table such as { requests = 120, per_seconds = 60 }")]
pub struct RateLimit {
    /// Requests that are answered; 0 means any number.
    #[serde(deserialize_with = "within::<_, _, 0, 1_000_000_000>")]
    pub requests: u32,
    /// Length of the window in seconds.
    #[serde(deserialize_with = "within::<_, _, 1, 31_536_000>")]
    pub per_seconds: u32,
}

impl RateLimit {
    /// Whether requests are limited at all.
    pub fn is_on(self) -> bool {
        self.requests > 0
    }
}

/// Where requests are counted.
#[derive(Debug, Clone, PartialEq)]
pub enum LimitStore {
    /// In this process.
    Memory,
    /// In Redis at this address, for several instances together.
    Redis(Secret),
}

impl<'de> Deserialize<'de> for LimitStore {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        value::text(deserializer, "\"memory\" or an address such as \"redis://127.0.0.1:6379\"", |text| {
            let is_redis = || {
                let is_scheme = text.starts_with("redis://") || text.starts_with("rediss://");
                is_scheme && Url::parse(text).is_ok_and(|url| url.host().is_some())
            };
            match text {
                "memory" => Ok(Self::Memory),
                _ if is_redis() => Ok(Self::Redis(Secret::new(text))),
                _ => Err(Malformed::Unexpected),
            }
        })
    }
}
