//! The one place that draws random numbers.

use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, Utc};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use uuid::Uuid;

/// Where the shop gets randomness from. Cloning gives the same source.
#[derive(Debug, Clone)]
pub struct Random(Source);

#[derive(Debug, Clone)]
enum Source {
    /// The thread's cryptographically secure generator, seeded by the operating system.
    System,
    /// A repeatable sequence for tests.
    Seeded(Arc<Mutex<StdRng>>),
}

impl Random {
    /// Cryptographically secure randomness.
    pub fn system() -> Self {
        Self(Source::System)
    }

    /// The same sequence for the same seed; for tests only.
    pub fn seeded(seed: u64) -> Self {
        Self(Source::Seeded(Arc::new(Mutex::new(StdRng::seed_from_u64(seed)))))
    }

    /// Fills `bytes` with random bytes.
    #[expect(clippy::disallowed_methods, reason = "this file is where randomness comes from")]
    pub fn fill(&self, bytes: &mut [u8]) {
        match &self.0 {
            Source::System => rand::rng().fill_bytes(bytes),
            Source::Seeded(generator) => {
                generator.lock().unwrap_or_else(PoisonError::into_inner).fill_bytes(bytes);
            }
        }
    }

    /// An array of random bytes.
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.fill(&mut bytes);
        bytes
    }

    /// A random (version 4) UUID.
    pub fn uuid(&self) -> Uuid {
        uuid::Builder::from_random_bytes(self.bytes()).into_uuid()
    }

    /// A UUID (version 7) that sorts behind those of earlier times and is random otherwise. Rows that are written together
    /// stand together in an index of it, which is a page or two to write rather than one for each.
    pub fn ordered_uuid(&self, now: DateTime<Utc>) -> Uuid {
        let milliseconds = u64::try_from(now.timestamp_millis()).unwrap_or_default();
        uuid::Builder::from_unix_timestamp_millis(milliseconds, &self.bytes()).into_uuid()
    }

    /// Random text of letters and digits, `length` characters with 5.95 bits each.
    pub fn alphanumeric(&self, length: usize) -> String {
        const ALPHABET: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
        // 248 is the largest multiple of 62 in a byte; what lies above would favor some letters.
        const FAIR: u8 = 248;
        let mut text = String::with_capacity(length);
        let mut block = [0; 64];
        while text.len() < length {
            self.fill(&mut block);
            let letters = block.iter().filter(|byte| **byte < FAIR).map(|byte| ALPHABET[usize::from(byte % 62)]);
            text.extend(letters.take(length - text.len()).map(char::from));
        }
        text
    }
}
