//! Where the content of files lies: a folder, or a bucket of an S3-compatible server.
//!
//! Everything is stored under a random key that we have made. What customers and operators call a file is never a part of
//! a path.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures_util::StreamExt;
use object_store::aws::AmazonS3Builder;
use object_store::client::{ClientOptions, HttpClient as StoreClient, HttpConnector};
use object_store::local::LocalFileSystem;
use object_store::path::Path as ObjectPath;
use object_store::{GetOptions, GetRange, GetResult, ObjectStore, ObjectStoreExt};
use stoa_core::outbound::HttpClient;
use stoa_core::random::Random;
use tokio::sync::OnceCell;

use crate::config::{Config, S3Config};
use crate::private_files::{make_folder, make_private};

/// Why the storage did not do what it should. The text is for operators and logs, never for customers.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StorageError {
    /// There is no object under this key.
    #[error("there is no object {0}")]
    Missing(StorageKey),
    /// The folder cannot be used.
    #[error("the folder {} cannot be used", folder.display())]
    Folder {
        folder: PathBuf,
        #[source]
        source: io::Error,
    },
    /// The storage failed.
    #[error("the storage of downloads failed")]
    Failed(#[from] object_store::Error),
    /// Outbound HTTP could not be prepared.
    #[error(transparent)]
    Outbound(#[from] stoa_core::outbound::HttpClientError),
    /// A file could not be read or written.
    #[error("a file could not be read or written")]
    File(#[from] io::Error),
}

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
    fn of_path(path: &ObjectPath) -> Option<Self> {
        let name = path.filename()?;
        let is_key = name.len() == 64 && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        is_key.then(|| Self(name.to_owned()))
    }

    /// As it is written into the database.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for StorageKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Where the objects are.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum StorageLocation {
    /// In a folder of this machine.
    Folder(PathBuf),
    /// In a bucket.
    Bucket(S3Config),
}

/// The storage. It is opened when it is first used; cloning gives the same one.
#[derive(Clone)]
pub(crate) struct Storage(Arc<Inner>);

struct Inner {
    location: StorageLocation,
    opened: OnceCell<Arc<dyn ObjectStore>>,
}

impl Storage {
    /// The storage of these settings; nothing is touched yet.
    pub(crate) fn new(config: &Config) -> Self {
        let location = match &config.s3 {
            Some(bucket) => StorageLocation::Bucket(bucket.clone()),
            None => StorageLocation::Folder(config.folder.clone()),
        };
        Self(Arc::new(Inner { location, opened: OnceCell::new() }))
    }

    /// Where it is.
    pub(crate) fn location(&self) -> &StorageLocation {
        &self.0.location
    }

    pub(crate) async fn open(&self) -> Result<&Arc<dyn ObjectStore>, StorageError> {
        let open = async || -> Result<Arc<dyn ObjectStore>, StorageError> {
            match &self.0.location {
                StorageLocation::Folder(folder) => open_folder(folder),
                StorageLocation::Bucket(bucket) => open_bucket(bucket),
            }
        };
        self.0.opened.get_or_try_init(open).await
    }

    pub(crate) fn path(&self, key: &StorageKey) -> ObjectPath {
        // Folders by the first two digits, for file systems that dislike many files in one.
        let own = [&key.0[..2], &key.0];
        match &self.0.location {
            StorageLocation::Folder(_) => own.into_iter().collect(),
            StorageLocation::Bucket(bucket) => {
                bucket.prefix.split('/').filter(|part| !part.is_empty()).chain(own).collect()
            }
        }
    }

    /// Begins to read an object's bytes in this range.
    pub(crate) async fn read(&self, key: &StorageKey, range: Range<u64>) -> Result<GetResult, StorageError> {
        let options = GetOptions { range: Some(GetRange::Bounded(range)), ..GetOptions::default() };
        let found = self.open().await?.get_opts(&self.path(key), options).await;
        found.map_err(|error| missing_or(key, error))
    }

    /// The size of an object in bytes.
    pub(crate) async fn size(&self, key: &StorageKey) -> Result<u64, StorageError> {
        match self.open().await?.head(&self.path(key)).await {
            Ok(found) => Ok(found.size),
            Err(error) => Err(missing_or(key, error)),
        }
    }

    /// Removes an object; one that is not there is removed already.
    pub(crate) async fn remove(&self, key: &StorageKey) -> Result<(), StorageError> {
        let path = self.path(key);
        match self.open().await?.delete(&path).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        // What a crash left of an upload into a folder lies beside its object.
        let StorageLocation::Folder(folder) = &self.0.location else { return Ok(()) };
        match std::fs::remove_file(folder.join(format!("{path}#1"))) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
            _ => Ok(()),
        }
    }

    /// The keys of all objects that look like ours.
    pub(crate) async fn keys(&self) -> Result<Vec<StorageKey>, StorageError> {
        let mut objects = self.open().await?.list(self.prefix().as_ref());
        let mut keys = Vec::new();
        while let Some(object) = objects.next().await {
            keys.extend(StorageKey::of_path(&object?.location));
        }
        Ok(keys)
    }

    /// Whether the storage answers.
    pub(crate) async fn reachable(&self) -> Result<(), StorageError> {
        let mut objects = self.open().await?.list(self.prefix().as_ref());
        objects.next().await.transpose()?;
        Ok(())
    }

    fn prefix(&self) -> Option<ObjectPath> {
        match &self.0.location {
            StorageLocation::Bucket(bucket) if !bucket.prefix.is_empty() => {
                Some(ObjectPath::from(bucket.prefix.as_str()))
            }
            StorageLocation::Bucket(_) | StorageLocation::Folder(_) => None,
        }
    }

    /// Keeps a new object of a folder from the eyes of others.
    pub(crate) fn protect(&self, key: &StorageKey) -> Result<(), StorageError> {
        match &self.0.location {
            StorageLocation::Folder(folder) => Ok(make_private(&folder.join(self.path(key).as_ref()))?),
            StorageLocation::Bucket(_) => Ok(()),
        }
    }
}

fn missing_or(key: &StorageKey, error: object_store::Error) -> StorageError {
    match error {
        object_store::Error::NotFound { .. } => StorageError::Missing(key.clone()),
        error => error.into(),
    }
}

fn open_folder(folder: &Path) -> Result<Arc<dyn ObjectStore>, StorageError> {
    let at_folder = |source| StorageError::Folder { folder: folder.to_path_buf(), source };
    make_folder(folder).map_err(at_folder)?;
    // A version is promised to buyers once its row is committed, so its content must be on the disk by then.
    Ok(Arc::new(LocalFileSystem::new_with_prefix(folder)?.with_fsync(true)))
}

fn open_bucket(bucket: &S3Config) -> Result<Arc<dyn ObjectStore>, StorageError> {
    let mut builder = AmazonS3Builder::new()
        .with_bucket_name(&bucket.bucket)
        .with_region(&bucket.region)
        .with_access_key_id(&bucket.access_key_id)
        .with_secret_access_key(bucket.secret_access_key.expose())
        .with_virtual_hosted_style_request(bucket.virtual_hosted)
        // Not every server can remove several at once.
        .with_disable_bulk_delete(true)
        .with_http_connector(Connector(HttpClient::for_transfers()?));
    if let Some(endpoint) = &bucket.endpoint {
        builder = builder.with_endpoint(endpoint).with_allow_http(endpoint.starts_with("http://"));
    }
    Ok(Arc::new(builder.build()?))
}

/// Sends requests with the shop's own kind of client.
#[derive(Debug)]
struct Connector(HttpClient);

impl HttpConnector for Connector {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<StoreClient> {
        Ok(StoreClient::new(self.0.client().clone()))
    }
}
