//! Where the content of files lies: a folder, or a bucket of an S3-compatible server.
//!
//! Everything is stored under a random key that we have made. What customers and operators call a file is never a part of
//! a path.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use object_store::path::Path as ObjectPath;
use object_store::{GetResult, ObjectStore};
use stoa_core::random::Random;
use stoa_core::storage::{self, Bucket};
pub(crate) use stoa_core::storage::{StorageError, StorageLocation};

use crate::config::Config;
use crate::private_files::make_private;

/// The folder of the shop's own bucket, which `/media` does not show.
const BESIDE_MEDIA: &str = ".downloads";

/// The name of a stored object: 64 random hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, sqlx::Type)]
#[sqlx(transparent)]
pub(crate) struct StorageKey(String);

impl StorageKey {
    /// A key that was never used.
    pub(crate) fn random(random: &Random) -> Self {
        Self(hex::encode(random.bytes::<32>()))
    }

    /// The key at the end of a path in the storage, if there is one.
    fn of_path(path: &str) -> Option<Self> {
        let name = path.rsplit('/').next()?;
        let is_key = name.len() == 64 && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        is_key.then(|| Self(name.to_owned()))
    }

    /// As it is written into the database.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Its path in the storage: folders by the first two digits, for file systems that dislike many files in one.
    fn path(&self) -> String {
        format!("{}/{}", &self.0[..2], self.0)
    }
}

impl std::fmt::Display for StorageKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// The storage. It is opened when it is first used; cloning gives the same one.
#[derive(Clone)]
pub(crate) struct Storage(storage::Storage);

impl Storage {
    /// The storage of these settings, and of the shop's bucket where they say nothing; nothing is touched yet.
    pub(crate) fn new(config: &Config, shop: Option<&Bucket>) -> Self {
        let location = match (&config.s3, &config.folder, shop) {
            (Some(own), ..) => StorageLocation::Bucket(own.bucket()),
            (None, None, Some(shop)) => StorageLocation::Bucket(shop.below(BESIDE_MEDIA)),
            (None, ..) => StorageLocation::Folder(config.folder()),
        };
        Self(storage::Storage::new(location))
    }

    /// Where it is.
    pub(crate) fn location(&self) -> &StorageLocation {
        self.0.location()
    }

    pub(crate) async fn open(&self) -> Result<&Arc<dyn ObjectStore>, StorageError> {
        self.0.open().await
    }

    pub(crate) fn path(&self, key: &StorageKey) -> ObjectPath {
        self.0.path(&key.path())
    }

    /// Begins to read an object's bytes in this range.
    pub(crate) async fn read(&self, key: &StorageKey, range: Range<u64>) -> Result<GetResult, StorageError> {
        self.0.read(&key.path(), Some(range)).await
    }

    /// The size of an object in bytes.
    pub(crate) async fn size(&self, key: &StorageKey) -> Result<u64, StorageError> {
        Ok(self.0.head(&key.path()).await?.size)
    }

    /// Removes an object; one that is not there is removed already.
    pub(crate) async fn remove(&self, key: &StorageKey) -> Result<(), StorageError> {
        self.0.remove(&key.path()).await?;
        // What a crash left of an upload into a folder lies beside its object.
        let StorageLocation::Folder(folder) = self.location() else { return Ok(()) };
        match std::fs::remove_file(folder.join(format!("{}#1", key.path()))) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
            _ => Ok(()),
        }
    }

    /// The keys of all objects that look like ours.
    pub(crate) async fn keys(&self) -> Result<Vec<StorageKey>, StorageError> {
        Ok(self.0.keys().await?.iter().filter_map(|path| StorageKey::of_path(path)).collect())
    }

    /// Whether objects can be written, read and removed; the error says which cannot.
    pub(crate) async fn probe(&self) -> Result<(), (&'static str, StorageError)> {
        self.0.probe(".stoa-probe").await
    }

    /// Keeps a new object of a folder from the eyes of others.
    pub(crate) fn protect(&self, key: &StorageKey) -> Result<(), StorageError> {
        match self.location() {
            StorageLocation::Folder(folder) => Ok(make_private(&folder.join(key.path()))?),
            StorageLocation::Bucket(_) => Ok(()),
        }
    }
}
