//! Values at rest: sealed with a key of this module's own, which is sealed with the installation's key.
//!
//! So this module's key can be changed without touching what other parts of the shop have sealed, and a copy of the
//! database alone shows nothing. Each value is bound to its row: one that somebody moves into another cannot be opened.

mod queries;
mod rotation;

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use stoa_core::config::EncryptionKey;
use stoa_core::encryption::{Cipher, SealContext, Unreadable};
use stoa_core::prelude::*;
use stoa_core::random::Random;
use stoa_core::secret::Secret;

pub(crate) use self::rotation::{reencrypt, rotate};

/// What fingerprints are keyed with. Never changes: values that are there would not be recognized any more.
const FINGERPRINTS: &str = "digital secrets: fingerprints";

/// Why values cannot be sealed or opened.
#[derive(Debug, thiserror::Error)]
pub(crate) enum VaultError {
    /// A key or value was changed, moved, or sealed with another key.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// A key or value is no such thing at all.
    #[error("{0} of row {1} does not hold what it should")]
    Malformed(&'static str, i64),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

impl From<VaultError> for ListenerError {
    fn from(error: VaultError) -> Self {
        match error {
            VaultError::Db(error) => Self::Db(error),
            other => Self::Failed(other.to_string()),
        }
    }
}

impl From<VaultError> for ApiError {
    fn from(error: VaultError) -> Self {
        match error {
            VaultError::Db(error) => error.into(),
            other => Self::internal(other),
        }
    }
}

/// A key that values are sealed with. It is shown by no `Debug`.
#[derive(Debug, Clone)]
pub(crate) struct DataKey {
    pub(crate) id: i64,
    cipher: Cipher,
}

impl DataKey {
    /// Opens a key as it lies in the database.
    pub(crate) fn open(installation: &Cipher, random: &Random, id: i64, sealed: &[u8]) -> Result<Self, VaultError> {
        let bytes = installation.open(key_seal_context(id), sealed)?;
        let bytes =
            <[u8; 32]>::try_from(bytes).map_err(|_| VaultError::Malformed("digital_secrets_keys.sealed_key", id))?;
        Ok(Self { id, cipher: Cipher::new(&EncryptionKey::new(bytes), random.clone()) })
    }

    /// Seals a value for its row.
    pub(crate) fn seal(&self, value_id: i64, value: &Secret) -> String {
        STANDARD.encode(self.cipher.seal(value_seal_context(value_id), value.expose().as_bytes()))
    }

    /// Opens the value of a row.
    pub(crate) fn unseal(&self, value_id: i64, sealed: &str) -> Result<Secret, VaultError> {
        let malformed = || VaultError::Malformed("digital_secrets_values.sealed_value", value_id);
        let sealed = STANDARD.decode(sealed).map_err(|_| malformed())?;
        let value = self.cipher.open(value_seal_context(value_id), &sealed)?;
        String::from_utf8(value).map(Secret::new).map_err(|_| malformed())
    }
}

fn key_seal_context(id: i64) -> SealContext {
    SealContext { table: "digital_secrets_keys", column: "sealed_key", row: id }
}

fn value_seal_context(id: i64) -> SealContext {
    SealContext { table: "digital_secrets_values", column: "sealed_value", row: id }
}

/// The key to seal with, made when there is none yet.
pub(crate) async fn active_key(tx: &mut Tx, random: &Random, cipher: &Cipher) -> Result<DataKey, VaultError> {
    match tx.run(queries::FIND_ACTIVE).optional::<(i64, Vec<u8>)>().await? {
        Some((id, sealed)) => DataKey::open(cipher, random, id, &sealed),
        None => Ok(make_key(tx, random, cipher).await?),
    }
}

/// Makes a key, which is in use from now on.
async fn make_key(tx: &mut Tx, random: &Random, cipher: &Cipher) -> Result<DataKey, DbError> {
    let bytes = random.bytes::<32>();
    let now = tx.now();
    // The row's id is part of what it is sealed for.
    let id = tx.run(queries::INSERT).bind(Vec::<u8>::new()).bind(now).scalar::<i64>().await?;
    let sealed = cipher.seal(key_seal_context(id), &bytes);
    tx.run(queries::SET_KEY).bind(id).bind(sealed).execute().await?;
    Ok(DataKey { id, cipher: Cipher::new(&EncryptionKey::new(bytes), random.clone()) })
}

/// Looks whether every key can be opened; gives the ids of those that cannot.
pub(crate) async fn unreadable_keys(db: &Db, random: &Random, cipher: &Cipher) -> Result<Vec<i64>, DbError> {
    let keys = db.read(queries::LIST_KEYS).all::<(i64, Vec<u8>)>().await?;
    let unreadable = |(id, sealed): &(i64, Vec<u8>)| DataKey::open(cipher, random, *id, sealed).is_err().then_some(*id);
    Ok(keys.iter().filter_map(unreadable).collect())
}

/// How many values lie under a key that is not in use any more.
pub(crate) async fn count_outdated(db: &Db) -> Result<i64, DbError> {
    db.read(queries::COUNT_OUTDATED).scalar().await
}

/// Opens values, each key once.
pub(crate) struct Opener<'a> {
    installation: &'a Cipher,
    random: &'a Random,
    keys: BTreeMap<i64, DataKey>,
}

impl<'a> Opener<'a> {
    pub(crate) fn new(random: &'a Random, cipher: &'a Cipher) -> Self {
        Self { installation: cipher, random, keys: BTreeMap::new() }
    }

    /// Opens a value with the key that was read along with it.
    pub(crate) fn open(&mut self, sealed: &SealedValue) -> Result<Secret, VaultError> {
        if !self.keys.contains_key(&sealed.key_id) {
            let key = DataKey::open(self.installation, self.random, sealed.key_id, &sealed.sealed_key)?;
            self.keys.insert(sealed.key_id, key);
        }
        self.keys[&sealed.key_id].unseal(sealed.value_id, &sealed.content)
    }
}

/// A value as it lies in the database, with the key that it is sealed with.
#[derive(Debug, Clone)]
pub(crate) struct SealedValue {
    pub(crate) value_id: i64,
    pub(crate) content: String,
    pub(crate) key_id: i64,
    pub(crate) sealed_key: Vec<u8>,
}

/// Tells whether two values of a pool are the same without telling what they are.
pub(crate) struct Fingerprints([u8; 32]);

impl Fingerprints {
    pub(crate) fn new(installation: &Cipher) -> Self {
        Self(installation.derive(FINGERPRINTS))
    }

    /// What a value is recognized by in its pool, and only there.
    pub(crate) fn of(&self, pool_id: i64, value: &Secret) -> String {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("a key of any length is fine");
        mac.update(&pool_id.to_be_bytes());
        mac.update(value.expose().as_bytes());
        hex::encode(mac.finalize().into_bytes())
    }
}
