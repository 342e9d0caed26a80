//! Hashing and checking passwords with Argon2id, off the async threads and within a bound.

use std::sync::Arc;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use tokio::sync::Semaphore;

use crate::random::Random;

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
    /// The hashing task ended early, because the program stops.
    #[error("hashing was interrupted")]
    Interrupted,
}

/// Hashes and checks passwords. Cloning gives the same hasher with the same bound.
#[derive(Clone)]
pub struct PasswordHasher {
    argon2: Argon2<'static>,
    random: Random,
    /// One hash takes tens of milliseconds and megabytes: a flood of logins must queue here, not
    /// starve the shop.
    slots: Arc<Semaphore>,
    /// A hash of no password, checked for unknown e-mail addresses so that they take as long.
    decoy: Arc<str>,
}

impl PasswordHasher {
    /// A hasher that does at most `concurrent` hashes at once.
    pub fn new(parameters: PasswordParameters, concurrent: usize, random: Random) -> Result<Self, PasswordError> {
        let PasswordParameters { memory_kib, iterations, parallelism } = parameters;
        let params = Params::new(memory_kib, iterations, parallelism, None)
            .map_err(|error| PasswordError::Parameters(error.to_string()))?;
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let decoy = hash(&argon2, &random, "")?;
        Ok(Self { argon2, random, slots: Arc::new(Semaphore::new(concurrent.max(1))), decoy: decoy.into() })
    }

    /// The PHC string to store for a password.
    pub async fn hash(&self, password: String) -> Result<String, PasswordError> {
        let (argon2, random) = (self.argon2.clone(), self.random.clone());
        self.blocking(move || hash(&argon2, &random, &password)).await
    }

    /// Whether `password` is the one that `stored` was made from. Without a stored hash the same
    /// work is done and the answer is no.
    pub async fn verify(&self, password: String, stored: Option<String>) -> Result<bool, PasswordError> {
        let argon2 = self.argon2.clone();
        let decoy = Arc::clone(&self.decoy);
        self.blocking(move || {
            let text = stored.as_deref().unwrap_or(&decoy);
            let parsed = PasswordHash::new(text).map_err(|error| PasswordError::Stored(error.to_string()))?;
            let right = argon2.verify_password(password.as_bytes(), &parsed).is_ok();
            Ok(right && stored.is_some())
        })
        .await
    }

    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, PasswordError> + Send + 'static,
    ) -> Result<T, PasswordError> {
        let slot = Arc::clone(&self.slots).acquire_owned().await.map_err(|_| PasswordError::Interrupted)?;
        tokio::task::spawn_blocking(move || {
            let _slot = slot;
            work()
        })
        .await
        .map_err(|_| PasswordError::Interrupted)?
    }
}

fn hash(argon2: &Argon2<'_>, random: &Random, password: &str) -> Result<String, PasswordError> {
    let salt = random.bytes::<16>();
    let hash: PasswordHash = argon2
        .hash_password_with_salt(password.as_bytes(), &salt)
        .map_err(|error| PasswordError::Parameters(error.to_string()))?;
    Ok(hash.to_string())
}
