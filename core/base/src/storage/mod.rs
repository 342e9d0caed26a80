//! Where files lie that are no rows: a folder of this machine, or a bucket of an S3-compatible server.
//!
//! Files are named by keys, paths without a slash at their beginning, which never hold what customers or operators call a file
//! unless whoever stores it says so.

mod media;

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use object_store::aws::AmazonS3Builder;
use object_store::client::{ClientOptions, HttpClient as StoreClient, HttpConnector};
use object_store::local::LocalFileSystem;
use object_store::path::Path as ObjectPath;
use object_store::{
    Attribute, Attributes, GetOptions, GetRange, GetResult, ObjectStore, ObjectStoreExt, PutMode, PutOptions,
    RetryConfig,
};
use tokio::sync::OnceCell;

pub use media::{MediaStore, NewFile, media_type};
pub use object_store::ObjectMeta;

use crate::config::S3Access;
use crate::outbound::{HttpClient, HttpClientError};
use crate::private_files::make_folder;

/// How often a request that the server has failed at is made again, and until when.
const MOST_RETRIES: usize = 3;
const RETRIED_FOR: Duration = Duration::from_secs(10);

/// A bucket, and a folder in it, so that others can use it too.
#[derive(Debug, Clone, PartialEq)]
pub struct Bucket {
    /// The bucket's name.
    pub name: String,
    /// The folder, without slashes around it; may be empty.
    pub prefix: String,
    /// The server, and the key to it.
    pub access: S3Access,
}

impl Bucket {
    /// The same bucket with a folder below this one.
    #[must_use]
    pub fn below(&self, folder: &str) -> Self {
        let prefix = if self.prefix.is_empty() { folder.to_owned() } else { format!("{}/{folder}", self.prefix) };
        Self { prefix, ..self.clone() }
    }
}

impl std::fmt::Display for Bucket {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let slash = if self.prefix.is_empty() { "" } else { "/" };
        write!(f, "s3://{}{slash}{}", self.name, self.prefix)
    }
}

/// Why the storage did not do what it should. The text is for operators and logs, never for customers.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    /// There is nothing under this key.
    #[error("there is no object {0}")]
    Missing(String),
    /// The folder cannot be used.
    #[error("the folder {} cannot be used", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The storage failed.
    #[error("the storage failed")]
    Failed(#[from] object_store::Error),
    /// Outbound HTTP could not be prepared.
    #[error(transparent)]
    Outbound(#[from] HttpClientError),
    /// A file could not be read or written.
    #[error("a file could not be read or written")]
    File(#[from] io::Error),
    /// The storage took too long.
    #[error("the storage did not answer in {} seconds", .0.as_secs())]
    Slow(Duration),
    /// Too many requests wait for the storage already.
    #[error("too many requests wait for the storage already")]
    Busy,
}

/// Where the files are.
#[derive(Debug, Clone, PartialEq)]
pub enum StorageLocation {
    /// In a folder of this machine.
    Folder(PathBuf),
    /// In a bucket.
    Bucket(Bucket),
}

/// The storage. It is opened when it is first used; cloning gives the same one.
#[derive(Clone)]
pub struct Storage(Arc<Inner>);

struct Inner {
    location: StorageLocation,
    opened: OnceCell<Arc<dyn ObjectStore>>,
}

impl std::fmt::Debug for Storage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Storage").field(&self.0.location).finish()
    }
}

impl Storage {
    /// The storage at a place; nothing is touched yet.
    pub fn new(location: StorageLocation) -> Self {
        Self(Arc::new(Inner { location, opened: OnceCell::new() }))
    }

    /// Where it is.
    pub fn location(&self) -> &StorageLocation {
        &self.0.location
    }

    /// What reads and writes.
    pub async fn open(&self) -> Result<&Arc<dyn ObjectStore>, StorageError> {
        let open = async || -> Result<Arc<dyn ObjectStore>, StorageError> {
            match &self.0.location {
                StorageLocation::Folder(folder) => open_folder(folder),
                StorageLocation::Bucket(bucket) => open_bucket(bucket),
            }
        };
        self.0.opened.get_or_try_init(open).await
    }

    /// The path of a key, from the root of the folder or bucket on. Names that others have given are taken as they are.
    pub fn path(&self, key: &str) -> ObjectPath {
        let folder = self.prefix().map(String::from).unwrap_or_default();
        // What is no path at all becomes one that nothing has.
        ObjectPath::parse(format!("{folder}/{key}").trim_start_matches('/'))
            .unwrap_or_else(|_| folder.split('/').chain(key.split('/')).filter(|part| !part.is_empty()).collect())
    }

    /// Begins to read what is there, or its bytes in this range.
    pub async fn read(&self, key: &str, range: Option<Range<u64>>) -> Result<GetResult, StorageError> {
        let options = GetOptions { range: range.map(GetRange::Bounded), ..GetOptions::default() };
        let found = self.open().await?.get_opts(&self.path(key), options).await;
        found.map_err(|error| missing_or(key, error))
    }

    /// Size, tag and time of what is there.
    pub async fn head(&self, key: &str) -> Result<ObjectMeta, StorageError> {
        self.open().await?.head(&self.path(key)).await.map_err(|error| missing_or(key, error))
    }

    /// Writes something whole, in place of what may be there.
    pub async fn put(&self, key: &str, content: Bytes, media_type: &'static str) -> Result<(), StorageError> {
        self.put_as(key, content, media_type, PutMode::Overwrite).await?;
        Ok(())
    }

    /// Writes something whole where nothing is; false if something is there. Servers that cannot tell in one step are asked before.
    pub async fn put_new(&self, key: &str, content: Bytes, media_type: &'static str) -> Result<bool, StorageError> {
        match self.put_as(key, content.clone(), media_type, PutMode::Create).await {
            Ok(()) => Ok(true),
            Err(StorageError::Failed(
                object_store::Error::AlreadyExists { .. } | object_store::Error::Precondition { .. },
            )) => Ok(false),
            Err(StorageError::Failed(object_store::Error::NotImplemented { .. })) => match self.head(key).await {
                Ok(_) => Ok(false),
                Err(StorageError::Missing(_)) => self.put(key, content, media_type).await.map(|()| true),
                Err(error) => Err(error),
            },
            Err(error) => Err(error),
        }
    }

    async fn put_as(
        &self,
        key: &str,
        content: Bytes,
        media_type: &'static str,
        mode: PutMode,
    ) -> Result<(), StorageError> {
        let mut options = PutOptions::from(mode);
        if matches!(self.0.location, StorageLocation::Bucket(_)) {
            options.attributes = Attributes::from_iter([(Attribute::ContentType, media_type)]);
        }
        self.open().await?.put_opts(&self.path(key), content.into(), options).await?;
        Ok(())
    }

    /// Removes what is there; what is not there is removed already.
    pub async fn remove(&self, key: &str) -> Result<(), StorageError> {
        match self.open().await?.delete(&self.path(key)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// The keys of all that is there.
    pub async fn keys(&self) -> Result<Vec<String>, StorageError> {
        let mut objects = self.open().await?.list(self.prefix().as_ref());
        let mut keys = Vec::new();
        while let Some(object) = objects.next().await {
            keys.push(self.key_of(&object?.location));
        }
        Ok(keys)
    }

    fn key_of(&self, path: &ObjectPath) -> String {
        let prefix = self.prefix().map(|prefix| format!("{prefix}/")).unwrap_or_default();
        path.as_ref().strip_prefix(&prefix).unwrap_or(path.as_ref()).to_owned()
    }

    /// Writes, reads and removes something small, to see whether all of it may be done. The error says which may not.
    pub async fn probe(&self, key: &str) -> Result<(), (&'static str, StorageError)> {
        const CONTENT: &[u8] = b"written by `stoa doctor`, and removed again";
        self.put(key, Bytes::from_static(CONTENT), "text/plain").await.map_err(|error| ("written", error))?;
        let read = async { Ok::<_, StorageError>(self.read(key, Some(0..CONTENT.len() as u64)).await?.bytes().await?) };
        let read = read.await;
        self.remove(key).await.map_err(|error| ("deleted from", error))?;
        match read {
            Ok(read) if read == CONTENT => Ok(()),
            Ok(_) => Err(("read", StorageError::File(io::Error::other("other bytes came back than were written")))),
            Err(error) => Err(("read", error)),
        }
    }

    fn prefix(&self) -> Option<ObjectPath> {
        match &self.0.location {
            StorageLocation::Bucket(bucket) if !bucket.prefix.is_empty() => {
                Some(ObjectPath::from(bucket.prefix.as_str()))
            }
            StorageLocation::Bucket(_) | StorageLocation::Folder(_) => None,
        }
    }
}

fn missing_or(key: &str, error: object_store::Error) -> StorageError {
    match error {
        object_store::Error::NotFound { .. } => StorageError::Missing(key.to_owned()),
        error => error.into(),
    }
}

fn open_folder(folder: &Path) -> Result<Arc<dyn ObjectStore>, StorageError> {
    let at_folder = |source| StorageError::Folder { folder: folder.to_path_buf(), source };
    make_folder(folder).map_err(at_folder)?;
    // What a row promises must be on the disk by then.
    Ok(Arc::new(LocalFileSystem::new_with_prefix(folder)?.with_fsync(true)))
}

fn open_bucket(bucket: &Bucket) -> Result<Arc<dyn ObjectStore>, StorageError> {
    let Bucket { name, access, .. } = bucket;
    let retry = RetryConfig { max_retries: MOST_RETRIES, retry_timeout: RETRIED_FOR, ..RetryConfig::default() };
    let mut builder = AmazonS3Builder::new()
        .with_bucket_name(name)
        .with_region(&access.region)
        .with_access_key_id(&access.access_key_id)
        .with_secret_access_key(access.secret_access_key.expose())
        .with_virtual_hosted_style_request(access.virtual_hosted)
        .with_retry(retry)
        // Not every server can remove several at once.
        .with_disable_bulk_delete(true)
        .with_http_connector(Connector(HttpClient::for_transfers()?));
    if let Some(endpoint) = &access.endpoint {
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
