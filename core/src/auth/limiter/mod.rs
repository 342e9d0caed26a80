//! Rate limits (S8): fixed windows that open with a key's first request.
//!
//! They are counted in memory, or in Redis for several instances together; while Redis is away, in memory again.

mod key;
mod link;
mod memory;
mod redis;
mod trouble;

use std::net::IpAddr;
use std::sync::OnceLock;
use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue};

use crate::clock::Clock;
use crate::config::{LimitStore, LimitsConfig, RateLimit};
use crate::encryption::Cipher;
use crate::http::client_address::rate_limit_key;
use crate::http::error::ApiError;
use crate::metrics::Metrics;

use self::key::Key;
use self::memory::MemoryWindows;
use self::redis::SharedWindows;

pub use self::key::LimitClass;
pub use self::redis::examine_limit_store;
pub use self::trouble::RedisTrouble;

/// How long a request waits for Redis at most.
pub const REDIS_PATIENCE: Duration = Duration::from_millis(100);

/// What nobody needs to configure: whoever lost a password asks once or twice.
const ACCOUNT_MAIL: RateLimit = RateLimit { requests: 5, per_seconds: 15 * 60 };

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

/// What counting a request came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Count {
    /// It is within the limit; so many more are.
    Admitted { remaining: u64 },
    /// The limit was used up before; its window ends after this time.
    Refused { wait_ms: i64 },
}

/// The counters of one instance, and its part in those that instances share.
pub struct Limiter {
    limits: LimitsConfig,
    clock: Clock,
    memory: MemoryWindows,
    /// Redis, once the shop is open, if the configuration says so.
    shared: OnceLock<SharedWindows>,
}

impl Limiter {
    /// Counters in memory for these limits.
    pub fn new(limits: LimitsConfig, clock: Clock) -> Self {
        Self { limits, clock, memory: MemoryWindows::default(), shared: OnceLock::new() }
    }

    /// Counts where the configuration says, from now on. Connects to nothing: the first request does.
    pub fn open(&self, cipher: &Cipher, metrics: Option<Metrics>, patience: Duration) {
        match &self.limits.store {
            LimitStore::Memory => {}
            LimitStore::Redis(url) => {
                self.shared.get_or_init(|| SharedWindows::new(url, cipher, self.clock.clone(), metrics, patience));
            }
        }
    }

    /// Counts a request of an address; `None` when the class is switched off.
    pub async fn count_address(&self, class: LimitClass, address: IpAddr) -> Result<Option<Standing>, ApiError> {
        self.count(class, Key::Address(class, rate_limit_key(address))).await
    }

    /// Counts a request of a user.
    pub async fn count_user(&self, class: LimitClass, user_id: i64) -> Result<Option<Standing>, ApiError> {
        self.count(class, Key::User(class, user_id)).await
    }

    /// Counts a request of an address about a (lower-cased) e-mail.
    pub async fn count_address_and_email(
        &self,
        class: LimitClass,
        address: IpAddr,
        email: &str,
    ) -> Result<Option<Standing>, ApiError> {
        self.count(class, Key::AddressAndEmail(class, rate_limit_key(address), email.to_owned())).await
    }

    /// Counts something about a (lower-cased) e-mail before it is tried; take it back with
    /// [`Limiter::forgive_email`] when it succeeded.
    pub async fn count_email(&self, class: LimitClass, email: &str) -> Result<Option<Standing>, ApiError> {
        self.count(class, Key::Email(class, email.to_owned())).await
    }

    /// Takes back what [`Limiter::count_email`] has counted in the running window.
    pub async fn forgive_email(&self, class: LimitClass, email: &str) {
        let key = Key::Email(class, email.to_owned());
        // It may have been counted here while Redis was away.
        self.memory.forget(&key);
        if let Some(shared) = self.shared.get() {
            shared.forget(&key).await;
        }
    }

    fn limit(&self, class: LimitClass) -> RateLimit {
        match class {
            LimitClass::Catalog => self.limits.catalog,
            LimitClass::Protected => self.limits.protected,
            LimitClass::Checkout => self.limits.checkout,
            LimitClass::TokenCreation => self.limits.token_creation,
            LimitClass::FailedLogins => self.limits.failed_logins,
            LimitClass::AccountMail => ACCOUNT_MAIL,
        }
    }

    async fn count(&self, class: LimitClass, key: Key) -> Result<Option<Standing>, ApiError> {
        let limit = self.limit(class);
        if !limit.is_on() {
            return Ok(None);
        }
        let count = match self.shared.get() {
            None => self.count_in_memory(key, limit),
            // Boxed, so that counting in memory, which never waits, does not carry the room that this needs.
            Some(shared) => match Box::pin(shared.count(&key, limit)).await {
                Some(count) => count,
                None => self.count_in_memory(key, limit),
            },
        };
        let allowed = u64::from(limit.requests);
        match count {
            Count::Admitted { remaining } => Ok(Some(Standing { limit: allowed, remaining })),
            Count::Refused { wait_ms } => {
                let seconds = u64::try_from(wait_ms).unwrap_or(0).div_ceil(1000);
                Err(ApiError::rate_limited(seconds).with_limit(allowed))
            }
        }
    }

    fn count_in_memory(&self, key: Key, limit: RateLimit) -> Count {
        self.memory.count(key, limit, self.clock.now().timestamp_millis())
    }
}
