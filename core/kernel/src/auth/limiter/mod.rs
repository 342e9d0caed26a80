//! Rate limits (S8): fixed windows that open with a key's first request.
//!
//! They are counted in memory, or in Redis for several instances together; while Redis is away, in memory again.

mod attempt;
mod key;
mod link;
mod memory;
mod redis;
mod trouble;

use std::net::IpAddr;
use std::sync::OnceLock;
use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue};

use self::attempt::Lines;
use self::key::Key;
use self::memory::MemoryWindows;
use self::redis::SharedWindows;
use crate::clock::Clock;
use crate::config::{LimitStore, LimitsConfig, RateLimit};
use crate::encryption::Cipher;
use crate::http::client_address::rate_limit_key;
use crate::http::error::ApiError;
use crate::metrics::Metrics;

pub use self::key::LimitClass;
pub use self::redis::examine_limit_store;
pub use self::trouble::RedisTrouble;

/// How long a request waits for Redis at most.
pub const REDIS_PATIENCE: Duration = Duration::from_millis(100);

/// What nobody needs to configure: whoever lost a password asks once or twice.
const ACCOUNT_MAIL: RateLimit = RateLimit { requests: 5, per_seconds: 15 * 60 };

/// Whoever registers may have forgotten an account, and mistype. Nobody finds out whose addresses are known.
const TAKEN_EMAILS: RateLimit = RateLimit { requests: 10, per_seconds: 10 * 60 };

/// Whoever buys for a company has one number, and mistypes; who shares an address with colleagues needs more. Nobody has the shop
/// ask VIES for a list of numbers.
const VAT_IDS: RateLimit = RateLimit { requests: 30, per_seconds: 10 * 60 };

/// How a key stands after a request was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LimitState {
    /// Requests allowed in one window.
    pub limit: u64,
    /// Requests left in this window.
    pub remaining: u64,
}

/// A limit is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the limit of {limit} requests is used up for {seconds} seconds")]
pub struct LimitReached {
    limit: u64,
    seconds: u64,
}

impl From<LimitReached> for ApiError {
    fn from(LimitReached { limit, seconds }: LimitReached) -> Self {
        Self::rate_limited(seconds).with_limit(limit)
    }
}

impl LimitState {
    /// Tells the client (contract 2).
    pub(crate) fn write_headers(self, headers: &mut HeaderMap) {
        headers.insert(HeaderName::from_static("x-ratelimit-limit"), HeaderValue::from(self.limit));
        headers.insert(HeaderName::from_static("x-ratelimit-remaining"), HeaderValue::from(self.remaining));
    }
}

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Counted {
    /// A request, once and for all.
    Request,
    /// An attempt that counts until its outcome is known, and then only if it failed.
    Attempt,
}

/// What counting came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Count {
    /// It is within the limit, and so many more are. When its window ends also tells this window from later ones.
    Admitted { remaining: u64, ends_at_ms: i64 },
    /// The limit was used up before; its window ends after this time.
    Refused { wait_ms: i64 },
    /// An attempt for which there is no room now, though there may be once others are decided.
    Undecided { wait_ms: i64 },
}

/// What became of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It goes on counting.
    Failed,
    /// It never counted, and what failed before it no longer does.
    Succeeded,
    /// Nobody learned, so it never counted.
    Unknown,
}

/// The counters of one instance, and its part in those that instances share.
pub struct Limiter {
    limits: LimitsConfig,
    clock: Clock,
    memory: MemoryWindows,
    lines: Lines,
    /// Redis, once the shop is open, if the configuration says so.
    shared: OnceLock<SharedWindows>,
}

impl Limiter {
    /// Counters in memory for these limits.
    pub fn new(limits: LimitsConfig, clock: Clock) -> Self {
        Self { limits, clock, memory: MemoryWindows::default(), lines: Lines::default(), shared: OnceLock::new() }
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
    pub async fn count_address(&self, class: LimitClass, address: IpAddr) -> Result<Option<LimitState>, LimitReached> {
        self.count(class, Key::Address(class, rate_limit_key(address))).await
    }

    /// Counts a request of a user.
    pub async fn count_user(&self, class: LimitClass, user_id: i64) -> Result<Option<LimitState>, LimitReached> {
        self.count(class, Key::User(class, user_id)).await
    }

    /// Counts a request of an address about a (lower-cased) e-mail.
    pub async fn count_address_and_email(
        &self,
        class: LimitClass,
        address: IpAddr,
        email: &str,
    ) -> Result<Option<LimitState>, LimitReached> {
        self.count(class, Key::AddressAndEmail(class, rate_limit_key(address), email.to_owned())).await
    }

    /// Counts a request about a (lower-cased) e-mail, whoever makes it.
    pub async fn count_email(&self, class: LimitClass, email: &str) -> Result<Option<LimitState>, LimitReached> {
        self.count(class, Key::Email(class, email.to_owned())).await
    }

    /// Takes back what was counted of an e-mail in the running window.
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
            // What opens a shop to a guest is a token or a session like others.
            LimitClass::TokenCreation | LimitClass::Guests => self.limits.token_creation,
            LimitClass::FailedLogins => self.limits.failed_logins,
            LimitClass::Callbacks => self.limits.callbacks,
            LimitClass::TakenEmails => TAKEN_EMAILS,
            LimitClass::VatIds => VAT_IDS,
            LimitClass::AccountMail => ACCOUNT_MAIL,
        }
    }

    async fn count(&self, class: LimitClass, key: Key) -> Result<Option<LimitState>, LimitReached> {
        let limit = self.limit(class);
        if !limit.is_on() {
            return Ok(None);
        }
        let (count, _) = self.count_somewhere(&key, limit, Counted::Request).await;
        let allowed = u64::from(limit.requests);
        match count {
            Count::Admitted { remaining, .. } => Ok(Some(LimitState { limit: allowed, remaining })),
            Count::Refused { wait_ms } | Count::Undecided { wait_ms } => Err(refusal(limit, wait_ms)),
        }
    }

    /// Counts in Redis, if it is used and there; otherwise in memory.
    async fn count_somewhere(&self, key: &Key, limit: RateLimit, counted: Counted) -> (Count, CounterStore<'_>) {
        if let Some(shared) = self.shared.get()
            // Boxed, so that counting in memory, which never waits, does not carry the room that this needs.
            && let Some(count) = Box::pin(shared.count(key, limit, counted)).await
        {
            return (count, CounterStore::Shared(shared));
        }
        (self.memory.count(key, limit, counted, self.clock.now().timestamp_millis()), CounterStore::Memory)
    }
}

/// Where something was counted.
#[derive(Clone, Copy)]
enum CounterStore<'a> {
    Memory,
    Shared(&'a SharedWindows),
}

fn refusal(limit: RateLimit, wait_ms: i64) -> LimitReached {
    LimitReached { limit: u64::from(limit.requests), seconds: u64::try_from(wait_ms).unwrap_or(0).div_ceil(1000) }
}
