//! `[limits]`: how many requests are answered in which time (S8).

use std::fmt;

use redis::IntoConnectionInfo;
use serde::Deserialize;
use url::Url;

use super::Config;
use super::value::{Malformed, read_from_text, within};
use crate::secret::Secret;

/// Settings of the rate limits.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
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
    /// Callbacks of payment providers that are not verified, per address.
    pub callbacks: RateLimit,
}

impl Default for LimitsConfig {
    fn default() -> Self {
        Config::default().limits
    }
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

    /// Length of the window in milliseconds.
    #[doc(hidden)]
    pub fn window_ms(self) -> i64 {
        i64::from(self.per_seconds) * 1000
    }
}

/// Where requests are counted.
#[derive(Debug, Clone, PartialEq)]
pub enum LimitStore {
    /// In this process.
    Memory,
    /// In Redis at this address, for several instances together.
    Redis(RedisUrl),
}

impl LimitStore {
    fn read(text: &str) -> Result<Self, Malformed> {
        match text {
            "memory" => Ok(Self::Memory),
            _ => RedisUrl::read(text).map(Self::Redis),
        }
    }
}

read_from_text!(LimitStore, "\"memory\" or an address such as \"redis://127.0.0.1:6379\"", Self::read);

/// The address of a Redis server, with its password. Neither `Debug` nor `Display` shows that.
#[derive(Clone, PartialEq)]
pub struct RedisUrl {
    url: Secret,
    shown: String,
}

const MALFORMED_REDIS: &str = "this cannot be read as redis://USER:PASSWORD@HOST:PORT/NUMBER; special characters of a password are written as %40";

impl RedisUrl {
    /// The server that a text names, or none.
    pub fn parse(text: &str) -> Option<Self> {
        Self::read(text).ok()
    }

    fn read(text: &str) -> Result<Self, Malformed> {
        if !text.starts_with("redis://") && !text.starts_with("rediss://") {
            return Err(Malformed::Unexpected);
        }
        let because = |reason: &str| Malformed::Because(reason.to_owned());
        let mut url = Url::parse(text).map_err(|_| because(MALFORMED_REDIS))?;
        if url.host_str().is_none_or(str::is_empty) {
            return Err(Malformed::Unexpected);
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(because("the address of a Redis server takes no options after `?` or `#`"));
        }
        let database = url.path().trim_matches('/');
        if !database.is_empty() && database.parse::<u32>().is_err() {
            return Err(because("a database of Redis is a number, as in \"redis://127.0.0.1:6379/2\""));
        }
        // What the client itself refuses: the address of no server in particular, a password that is no text.
        text.into_connection_info().map_err(|_| because(MALFORMED_REDIS))?;
        if url.password().is_some() {
            url.set_password(Some("***")).expect("an address with a host can have a password");
        }
        Ok(Self { url: Secret::new(text), shown: url.into() })
    }

    /// The whole address, to connect with.
    pub fn expose(&self) -> &str {
        self.url.expose()
    }
}

impl fmt::Display for RedisUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl fmt::Debug for RedisUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_password_of_redis_is_never_shown() {
        let url = RedisUrl::parse("rediss://stoa:hunter2%40@cache.example:6380/2").expect("an address");
        assert_eq!(url.to_string(), "rediss://stoa:***@cache.example:6380/2");
        assert_eq!(format!("{url:?}"), url.to_string());
        assert!(url.expose().contains("hunter2%40"));
    }

    #[test]
    fn what_no_connection_can_be_made_with_is_no_address() {
        for text in [
            "redis://",
            "redis://:6379",
            "redis://0.0.0.0:6379",
            "redis://cache/two",
            "redis://cache/-1",
            "redis://cache?protocol=resp9",
            "rediss://cache#insecure",
            "redis://:%ff@cache",
            "redis+unix:///run/redis.sock",
        ] {
            assert_eq!(RedisUrl::parse(text), None, "{text}");
        }
        for text in ["redis://cache", "redis://[::1]:6379/", "rediss://:secret@cache:6380/15"] {
            assert!(RedisUrl::parse(text).is_some(), "{text}");
        }
    }
}
