//! Hashing and checking passwords with Argon2id, off the async threads and within a bound.

mod attempt;
mod guessable;
mod leftovers;
mod priority;
mod weak;

use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

pub use guessable::is_guessable;
pub use weak::{WeakPassword, check_password};

use crate::fair_queue::{FairQueue, Full};
use crate::http::error::ApiError;
use crate::random::Random;
use attempt::Attempts;

/// The part of a hash's memory that is enough to tell how long the whole takes.
const MEASURED_PART: u32 = 16;

/// Passwords that may wait for each one that is being hashed; a few seconds of work.
const WAITING_PER_SLOT: usize = 200;

/// Where passwords come from that nobody has sent: from the operator.
const OPERATOR: IpAddr = IpAddr::V4(Ipv4Addr::UNSPECIFIED);

/// The cost of one hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PasswordParameters {
    /// Memory in KiB.
    pub memory_kib: u32,
    /// Passes over the memory.
    pub iterations: u32,
    /// Lanes.
    pub parallelism: u32,
}

/// Why a password could not be hashed or checked.
#[derive(Debug, thiserror::Error)]
pub enum PasswordError {
    /// The configured cost is outside what Argon2 allows.
    #[error("argon2 refuses the configured parameters: {0}")]
    Parameters(String),
    /// The hash in the database cannot be read.
    #[error("a stored password hash is unreadable: {0}")]
    Stored(String),
    /// So many passwords wait already that one more would wait too long.
    #[error("too many passwords wait to be hashed")]
    Busy,
    /// There is no thread to hash in.
    #[error("no thread can be started to hash a password")]
    Thread(#[source] io::Error),
    /// Hashing ended early, by a panic.
    #[error("hashing was interrupted")]
    Interrupted,
}

impl From<Full> for PasswordError {
    fn from(_: Full) -> Self {
        Self::Busy
    }
}

impl From<PasswordError> for ApiError {
    fn from(error: PasswordError) -> Self {
        match error {
            PasswordError::Busy | PasswordError::Thread(_) => Self::unavailable(error),
            PasswordError::Parameters(_) | PasswordError::Stored(_) | PasswordError::Interrupted => {
                Self::internal(error)
            }
        }
    }
}

/// What became of checking a password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PasswordCheck {
    /// It is not the one.
    Wrong,
    /// It is the one.
    Right {
        /// A hash to store instead, when the stored one was made at another cost.
        renewed: Option<String>,
    },
}

/// Hashes and checks passwords. Cloning gives the same hasher with the same bound.
#[derive(Clone)]
pub struct PasswordHasher {
    argon2: Argon2<'static>,
    random: Random,
    /// One hash takes tens of milliseconds and megabytes: a flood of logins must queue here, not
    /// starve the shop, and one from a single address must not keep others waiting.
    queue: FairQueue,
    attempts: Arc<Attempts>,
    /// What no password hashes to, checked for unknown e-mail addresses so that they take as long.
    decoy: Arc<str>,
}

impl PasswordHasher {
    /// A hasher that does at most `concurrent` hashes at once.
    pub fn new(parameters: PasswordParameters, concurrent: usize, random: Random) -> Result<Self, PasswordError> {
        let argon2 = argon2(parameters)?;
        let decoy = decoy(parameters, &random);
        let usual = usual_time(parameters, &random)?;
        let concurrent = concurrent.max(1);
        let attempts = Attempts::new(usual, concurrent);
        let queue = FairQueue::new(concurrent, concurrent.saturating_mul(WAITING_PER_SLOT));
        Ok(Self { argon2, random, queue, attempts, decoy: decoy.into() })
    }

    /// The PHC string to store for a password of the operator's.
    pub async fn hash(&self, password: String) -> Result<String, PasswordError> {
        self.hash_for(OPERATOR, password).await
    }

    /// The PHC string to store for a password that came from this address.
    pub async fn hash_for(&self, client: IpAddr, password: String) -> Result<String, PasswordError> {
        let (argon2, random) = (self.argon2.clone(), self.random.clone());
        self.blocking(client, move || hash(&argon2, &random, &password)).await
    }

    /// Whether `password`, which came from this address, is the one that `stored` was made from. Without a stored hash the
    /// same work is done and the answer is no.
    pub async fn verify(
        &self,
        client: IpAddr,
        password: String,
        stored: Option<String>,
    ) -> Result<PasswordCheck, PasswordError> {
        let (argon2, random) = (self.argon2.clone(), self.random.clone());
        let decoy = Arc::clone(&self.decoy);
        self.blocking(client, move || {
            let text = stored.as_deref().unwrap_or(&decoy);
            let parsed = PasswordHash::new(text).map_err(|error| PasswordError::Stored(error.to_string()))?;
            let right = argon2.verify_password(password.as_bytes(), &parsed).is_ok();
            if !right || stored.is_none() {
                return Ok(PasswordCheck::Wrong);
            }
            let is_current = Params::try_from(&parsed).is_ok_and(|params| {
                let cost = |params: &Params| (params.m_cost(), params.t_cost(), params.p_cost());
                cost(&params) == cost(argon2.params())
            });
            let renewed = if is_current { None } else { Some(hash(&argon2, &random, &password)?) };
            Ok(PasswordCheck::Right { renewed })
        })
        .await
    }

    async fn blocking<T: Send + 'static>(
        &self,
        client: IpAddr,
        work: impl Fn() -> Result<T, PasswordError> + Send + Sync + 'static,
    ) -> Result<T, PasswordError> {
        let permit = self.queue.acquire(client).await?;
        self.attempts.run(permit, work).await
    }
}

fn argon2(parameters: PasswordParameters) -> Result<Argon2<'static>, PasswordError> {
    let PasswordParameters { memory_kib, iterations, parallelism } = parameters;
    let params = Params::new(memory_kib, iterations, parallelism, None)
        .map_err(|error| PasswordError::Parameters(error.to_string()))?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

fn hash(argon2: &Argon2<'_>, random: &Random, password: &str) -> Result<String, PasswordError> {
    let salt = random.bytes::<16>();
    let hash: PasswordHash = argon2
        .hash_password_with_salt(password.as_bytes(), &salt)
        .map_err(|error| PasswordError::Parameters(error.to_string()))?;
    Ok(hash.to_string())
}

/// A stored hash of this cost that was drawn and not made: whoever starts need not wait for one.
fn decoy(parameters: PasswordParameters, random: &Random) -> String {
    let PasswordParameters { memory_kib, iterations, parallelism } = parameters;
    let salt = STANDARD_NO_PAD.encode(random.bytes::<16>());
    let output = STANDARD_NO_PAD.encode(random.bytes::<{ Params::DEFAULT_OUTPUT_LEN }>());
    format!("$argon2id$v=19$m={memory_kib},t={iterations},p={parallelism}${salt}${output}")
}

/// How long a hash takes, about, with the core to itself: measured on one with a part of the memory, since a whole one would be half
/// of the time that a start takes.
fn usual_time(parameters: PasswordParameters, random: &Random) -> Result<Duration, PasswordError> {
    let least = parameters.parallelism.saturating_mul(Params::MIN_M_COST);
    let memory_kib = (parameters.memory_kib / MEASURED_PART).max(least);
    let part = argon2(PasswordParameters { memory_kib, ..parameters })?;
    let start = Instant::now();
    hash(&part, random, "")?;
    Ok(start.elapsed() * (parameters.memory_kib / memory_kib))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decoy_has_the_shape_and_the_cost_of_a_stored_hash() {
        let parameters = PasswordParameters { memory_kib: 64, iterations: 2, parallelism: 3 };
        let random = Random::seeded(1);
        let made = hash(&argon2(parameters).expect("Argon2 takes this"), &random, "x").expect("it is hashed");
        let drawn = decoy(parameters, &random);
        let [made, drawn] = [&made, &drawn].map(|text| PasswordHash::new(text).expect("it is readable"));
        assert_eq!(drawn.algorithm, made.algorithm);
        assert_eq!(drawn.version, made.version);
        assert_eq!(drawn.params, made.params);
        let lengths = |hash: &PasswordHash| (hash.salt.map(|salt| salt.len()), hash.hash.map(|output| output.len()));
        assert_eq!(lengths(&drawn), lengths(&made));
    }

    const CHEAP: PasswordParameters = PasswordParameters { memory_kib: 8, iterations: 1, parallelism: 1 };

    #[tokio::test]
    async fn a_flood_of_one_address_is_turned_away_and_does_not_turn_others_away() {
        let hasher = PasswordHasher::new(CHEAP, 1, Random::seeded(1)).expect("Argon2 takes this");
        let (one, other) = (IpAddr::from([192, 0, 2, 1]), IpAddr::from([192, 0, 2, 2]));
        let held = hasher.queue.acquire(OPERATOR).await.expect("a free permit");
        let mut waiting = Vec::new();
        for _ in 0..WAITING_PER_SLOT {
            let mut hash = Box::pin(hasher.hash_for(one, String::from("x")));
            assert!(futures_util::poll!(&mut hash).is_pending());
            waiting.push(hash);
        }
        assert!(matches!(hasher.hash_for(one, String::from("x")).await, Err(PasswordError::Busy)));
        let mut others = Box::pin(hasher.hash_for(other, String::from("x")));
        assert!(futures_util::poll!(&mut others).is_pending(), "there is room for another address");
        drop(held);
        let (others, hashed) = tokio::join!(others, futures_util::future::join_all(waiting));
        others.expect("it is hashed");
        assert_eq!(hashed.iter().filter(|hash| hash.is_err()).count(), 1, "who had asked last has made room");
    }
}
