//! Bringing a file into the storage, piece by piece, so that memory does not grow with it.

use std::io::Read;

use object_store::{ObjectStoreExt, WriteMultipart};
use sha2::{Digest, Sha256};
use stoa_core::prelude::*;
use stoa_core::random::Random;

use crate::queries;
use crate::storage::{Storage, StorageError, StorageKey};

/// Bytes of one part. Servers take ten thousand of them, so a file may have 80 gigabytes.
const PART: usize = 8 * 1024 * 1024;

/// Parts that are on their way at once.
const AT_ONCE: usize = 2;

/// What a file's content is read from, piece by piece.
pub(crate) trait ReadContent: Read + Send + 'static {}

impl<R: Read + Send + 'static> ReadContent for R {}

/// A file in the storage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stored {
    pub(crate) key: StorageKey,
    /// Bytes.
    pub(crate) size: i64,
    /// In lower-case hexadecimal.
    pub(crate) sha256: String,
}

/// Why a file was not brought into the storage.
#[derive(Debug, thiserror::Error)]
pub(crate) enum UploadError {
    /// The storage failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The stored object has another size than what was sent.
    #[error("the storage has kept {found} of {sent} bytes")]
    Cut { sent: u64, found: u64 },
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Writes a file under a new key. Until [`END_UPLOAD`](queries::END_UPLOAD) a row says that it is on its way, so that
/// what a crash leaves behind is found and removed.
pub(crate) async fn store(
    db: &Db,
    random: &Random,
    storage: &Storage,
    file: impl ReadContent,
) -> Result<Stored, UploadError> {
    let key = StorageKey::random(random);
    db.write(async |tx| {
        let now = tx.now();
        tx.run(queries::BEGIN_UPLOAD).bind(key.as_str()).bind(now).execute().await
    })
    .await?;
    let stored = write(storage, &key, file).await;
    if stored.is_err() {
        discard(db, storage, &key).await;
    }
    stored
}

/// Removes what is not needed, with the row that says that it is on its way. What cannot be removed now is removed later.
pub(crate) async fn discard(db: &Db, storage: &Storage, key: &StorageKey) {
    let removed = storage.remove(key).await;
    if let Err(error) = &removed {
        tracing::warn!(error = error as &dyn std::error::Error, "an unneeded file is removed from the storage later");
        return;
    }
    let done = db.write(async |tx| tx.run(queries::END_UPLOAD).bind(key.as_str()).execute().await);
    let done: Result<u64, DbError> = done.await;
    if let Err(error) = done {
        tracing::warn!(error = &error as &dyn std::error::Error, "an upload that has ended is forgotten later");
    }
}

async fn write(storage: &Storage, key: &StorageKey, mut file: impl ReadContent) -> Result<Stored, UploadError> {
    let begun = storage.open().await?.put_multipart(&storage.path(key)).await.map_err(StorageError::from)?;
    let mut writing = WriteMultipart::new_with_chunk_size(begun, PART);
    let mut hash = Sha256::new();
    let mut sent = 0_u64;
    loop {
        let read = tokio::task::spawn_blocking(move || -> std::io::Result<_> {
            let mut piece = Vec::with_capacity(PART);
            Read::by_ref(&mut file).take(PART as u64).read_to_end(&mut piece)?;
            hash.update(&piece);
            Ok((file, hash, piece))
        });
        let read = read.await.map_err(|error| StorageError::File(std::io::Error::other(error)))?;
        let piece;
        (file, hash, piece) = match read {
            Ok(read) => read,
            Err(error) => {
                abort(writing).await;
                return Err(StorageError::File(error).into());
            }
        };
        if piece.is_empty() {
            break;
        }
        sent += piece.len() as u64;
        if let Err(error) = writing.wait_for_capacity(AT_ONCE).await {
            abort(writing).await;
            return Err(StorageError::from(error).into());
        }
        writing.put(piece.into());
    }
    // Aborts by itself when it fails.
    writing.finish().await.map_err(StorageError::from)?;
    storage.protect(key)?;
    let found = storage.size(key).await?;
    if found != sent {
        return Err(UploadError::Cut { sent, found });
    }
    let size = i64::try_from(sent).unwrap_or(i64::MAX);
    Ok(Stored { key: key.clone(), size, sha256: hex::encode(hash.finalize()) })
}

async fn abort(writing: WriteMultipart) {
    if let Err(error) = writing.abort().await {
        tracing::warn!(error = &error as &dyn std::error::Error, "an upload could not be taken back");
    }
}
