//! Random secrets of which only the SHA-256 is stored: of sessions, and of links that are sent by mail.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::random::Random;

/// Characters of a secret; 48 letters and digits hold 285 bits.
const LENGTH: usize = 48;

/// A random secret, which nothing but its holder knows.
#[derive(Clone, PartialEq, Eq)]
pub struct RandomSecret(String);

impl RandomSecret {
    /// A new secret.
    pub fn new(random: &Random) -> Self {
        Self(random.alphanumeric(LENGTH))
    }

    /// A text that can be a secret, whether there is such a one or not.
    pub fn parse(text: &str) -> Option<Self> {
        let fits = text.len() == LENGTH && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        fits.then(|| Self(text.to_owned()))
    }

    /// The secret itself, for whom it is given to.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// What is stored, and looked up: no timing of an index gives away a secret from its hash.
    pub fn hash(&self) -> [u8; 32] {
        sha256(self.0.as_bytes())
    }
}

/// The SHA-256 of something that is as random as it is long.
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

impl fmt::Debug for RandomSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RandomSecret([secret])")
    }
}
