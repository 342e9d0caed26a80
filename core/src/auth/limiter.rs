//! Rate limits (S8): fixed windows that open with a key's first request, in memory.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, RandomState};
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use chrono::TimeDelta;
use http::{HeaderMap, HeaderName, HeaderValue};

use crate::clock::Clock;
use crate::config::{LimitsConfig, RateLimit};
use crate::http::client_address::rate_limit_key;
use crate::http::error::ApiError;

/// Keys are spread over this many locks.
const SHARDS: usize = 32;

/// A shard with more keys than this is cleared of windows that are over.
const SHARD_SWEEP: usize = 4096;

/// The classes of limits, each with its own counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LimitClass {
    /// Public catalog requests, per address.
    Catalog,
    /// Ordinary protected requests, per user or address.
    Protected,
    /// Checkout, payment initiation and download files.
    Checkout,
    /// Token creation, per address and e-mail.
    TokenCreation,
    /// Failed credential attempts, per e-mail.
    FailedLogins,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Key {
    Address(LimitClass, IpAddr),
    User(LimitClass, i64),
    AddressAndEmail(LimitClass, IpAddr, String),
    Email(LimitClass, String),
}

#[derive(Debug, Clone, Copy)]
struct Window {
    ends_at_ms: i64,
    count: u64,
}

/// How a key stands after a request was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Requests allowed in one window.
    pub limit: u64,
    /// Requests left in this window.
    pub remaining: u64,
}

impl Standing {
    /// Tells the client (contract 2).
    pub(crate) fn write_headers(self, headers: &mut HeaderMap) {
        headers.insert(HeaderName::from_static("x-ratelimit-limit"), HeaderValue::from(self.limit));
        headers.insert(HeaderName::from_static("x-ratelimit-remaining"), HeaderValue::from(self.remaining));
    }
}

/// The counters of one instance.
pub struct Limiter {
    limits: LimitsConfig,
    clock: Clock,
    shards: Vec<Mutex<HashMap<Key, Window>>>,
    hasher: RandomState,
}

impl Limiter {
    /// Counters for these limits.
    pub fn new(limits: LimitsConfig, clock: Clock) -> Self {
        let shards = (0..SHARDS).map(|_| Mutex::default()).collect();
        Self { limits, clock, shards, hasher: RandomState::new() }
    }

    /// Counts a request of an address; `None` when the class is switched off.
    pub fn count_address(&self, class: LimitClass, address: IpAddr) -> Result<Option<Standing>, ApiError> {
        if self.limit(class).requests == 0 {
            return Ok(None);
        }
        self.count(class, Key::Address(class, rate_limit_key(address)))
    }

    /// Counts a request of a user.
    pub fn count_user(&self, class: LimitClass, user_id: i64) -> Result<Option<Standing>, ApiError> {
        self.count(class, Key::User(class, user_id))
    }

    /// Counts a request of an address about a (lower-cased) e-mail.
    pub fn count_address_and_email(
        &self,
        class: LimitClass,
        address: IpAddr,
        email: &str,
    ) -> Result<Option<Standing>, ApiError> {
        self.count(class, Key::AddressAndEmail(class, rate_limit_key(address), email.to_owned()))
    }

    /// Counts something about a (lower-cased) e-mail before it is tried; take it back with
    /// [`Limiter::forgive_email`] when it succeeded.
    pub fn count_email(&self, class: LimitClass, email: &str) -> Result<Option<Standing>, ApiError> {
        self.count(class, Key::Email(class, email.to_owned()))
    }

    /// Takes back what [`Limiter::count_email`] has counted in the running window.
    pub fn forgive_email(&self, class: LimitClass, email: &str) {
        let key = Key::Email(class, email.to_owned());
        self.shard(&key).lock().unwrap_or_else(PoisonError::into_inner).remove(&key);
    }

    fn limit(&self, class: LimitClass) -> RateLimit {
        match class {
            LimitClass::Catalog => self.limits.catalog,
            LimitClass::Protected => self.limits.protected,
            LimitClass::Checkout => self.limits.checkout,
            LimitClass::TokenCreation => self.limits.token_creation,
            LimitClass::FailedLogins => self.limits.failed_logins,
        }
    }

    fn count(&self, class: LimitClass, key: Key) -> Result<Option<Standing>, ApiError> {
        let limit = self.limit(class);
        if limit.requests == 0 {
            return Ok(None);
        }
        let now = self.clock.now().timestamp_millis();
        let length = TimeDelta::seconds(i64::from(limit.per_seconds));
        let mut shard = self.shard(&key).lock().unwrap_or_else(PoisonError::into_inner);
        if shard.len() >= SHARD_SWEEP {
            shard.retain(|_, window| window.ends_at_ms > now);
        }
        let fresh = Window { ends_at_ms: now.saturating_add(length.num_milliseconds()), count: 0 };
        let window = shard.entry(key).or_insert(fresh);
        if window.ends_at_ms <= now {
            *window = fresh;
        }
        if window.count >= u64::from(limit.requests) {
            let wait = u64::try_from(window.ends_at_ms - now).unwrap_or(0).div_ceil(1000);
            return Err(ApiError::rate_limited(wait).with_limit(u64::from(limit.requests)));
        }
        window.count += 1;
        Ok(Some(Standing { limit: u64::from(limit.requests), remaining: u64::from(limit.requests) - window.count }))
    }

    fn shard(&self, key: &Key) -> &Mutex<HashMap<Key, Window>> {
        let hash = usize::try_from(self.hasher.hash_one(key) % SHARDS as u64).unwrap_or(0);
        &self.shards[hash]
    }
}
