//! Attempts that count only if they fail.

use std::array;
use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::{Instant, sleep, timeout_at};

use super::key::Key;
use super::{Count, Counted, CounterStore, LimitClass, LimitReached, Limiter, Outcome, refusal};
use crate::config::RateLimit;
use crate::http::client_address::rate_limit_key;

/// How many lines there are for those who wait until others are decided.
const LINES: usize = 64;

/// How often whoever is first in a line looks again.
const LOOK: Duration = Duration::from_millis(20);

/// How long an attempt waits for others. They are undecided for longer only if an instance died over them.
const PATIENCE: Duration = Duration::from_secs(10);

/// Those for whose e-mail as many attempts are undecided as may still fail. In each line one looks again, so that a flood of
/// attempts costs no more looks than one; who waits for a different e-mail in the same line is under the same flood.
pub(super) struct Lines {
    lines: [Mutex<()>; LINES],
    hasher: RandomState,
}

impl Default for Lines {
    fn default() -> Self {
        Self { lines: array::from_fn(|_| Mutex::new(())), hasher: RandomState::new() }
    }
}

impl Lines {
    fn of(&self, key: &Key) -> &Mutex<()> {
        let number = usize::try_from(self.hasher.hash_one(key) % LINES as u64).unwrap_or(0);
        &self.lines[number]
    }
}

impl Limiter {
    /// Makes an attempt about a (lower-cased) e-mail, which counts if it comes to nothing: it failed. One that comes to
    /// something clears what failed before, and one that breaks off with an error changes nothing.
    ///
    /// No more attempts run at once than may still fail, so that they cannot share what is left of the limit; further ones
    /// wait until those are decided.
    pub async fn attempt<T, E: From<LimitReached>>(
        &self,
        class: LimitClass,
        email: &str,
        attempt: impl Future<Output = Result<Option<T>, E>>,
    ) -> Result<Option<T>, E> {
        let judge = |result: &Result<Option<T>, E>| match result {
            Ok(Some(_)) => Outcome::Succeeded,
            Ok(None) => Outcome::Failed,
            Err(_) => Outcome::Unknown,
        };
        self.attempt_of(Key::Email(class, email.to_owned()), attempt, judge).await
    }

    /// Makes an attempt of an address, which counts if it is judged to have failed. No more run at once than may still fail.
    pub async fn attempt_from<T, E: From<LimitReached>>(
        &self,
        class: LimitClass,
        address: IpAddr,
        attempt: impl Future<Output = Result<T, E>>,
        judge: impl FnOnce(&Result<T, E>) -> Outcome,
    ) -> Result<T, E> {
        self.attempt_of(Key::Address(class, rate_limit_key(address)), attempt, judge).await
    }

    async fn attempt_of<T, E: From<LimitReached>>(
        &self,
        key: Key,
        attempt: impl Future<Output = Result<T, E>>,
        judge: impl FnOnce(&Result<T, E>) -> Outcome,
    ) -> Result<T, E> {
        let limit = self.limit(key.class());
        if !limit.is_on() {
            return attempt.await;
        }
        let (store, ends_at_ms) = match self.reserve(&key, limit).await {
            (Count::Admitted { ends_at_ms, .. }, store) => (store, ends_at_ms),
            (Count::Refused { wait_ms } | Count::Undecided { wait_ms }, _) => {
                return Err(refusal(limit, wait_ms).into());
            }
        };
        let result = attempt.await;
        self.decide(&key, store, ends_at_ms, judge(&result)).await;
        result
    }

    /// Counts an attempt, where there is no room now after those that are undecided.
    async fn reserve(&self, key: &Key, limit: RateLimit) -> (Count, CounterStore<'_>) {
        let counted = self.count_somewhere(key, limit, Counted::Attempt).await;
        let (Count::Undecided { .. }, _) = counted else { return counted };
        let deadline = Instant::now() + PATIENCE;
        let Ok(_first_in_line) = timeout_at(deadline, self.lines.of(key).lock()).await else { return counted };
        loop {
            match self.count_somewhere(key, limit, Counted::Attempt).await {
                (Count::Undecided { .. }, _) if Instant::now() < deadline => sleep(LOOK).await,
                counted => return counted,
            }
        }
    }

    async fn decide(&self, key: &Key, store: CounterStore<'_>, ends_at_ms: i64, outcome: Outcome) {
        // What failed before may have been counted in the other store, as Redis comes and goes.
        match store {
            CounterStore::Memory => {
                self.memory.decide(key, ends_at_ms, outcome);
                if let (Outcome::Succeeded, Some(shared)) = (outcome, self.shared.get()) {
                    shared.forget(key).await;
                }
            }
            CounterStore::Shared(shared) => {
                shared.decide(key, ends_at_ms, outcome).await;
                if outcome == Outcome::Succeeded {
                    self.memory.forget(key);
                }
            }
        }
    }
}
