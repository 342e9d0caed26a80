//! Whether what was sold is still in the storage, as it was put there.

use sha2::{Digest, Sha256};
use stoa_core::prelude::*;

use crate::content::Content;
use crate::queries;
use crate::storage::{Storage, StorageError, StorageKey};

/// Versions that are looked at between two looks into the database.
const BATCH: i64 = 100;

/// How closely it is looked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// The object exists and has its size.
    Size,
    /// Its content is read and has its SHA-256.
    Content,
}

/// A stored version.
#[derive(Debug, Clone, sqlx::FromRow)]
pub(crate) struct StoredVersion {
    pub(crate) id: i64,
    pub(crate) storage_key: StorageKey,
    pub(crate) size: i64,
    pub(crate) sha256: String,
    pub(crate) product: String,
    pub(crate) filename: String,
    pub(crate) version: i64,
}

/// A stored version, and what is wrong with it.
#[derive(Debug, Clone)]
pub(crate) struct Checked {
    pub(crate) version: StoredVersion,
    /// None when it is as it should be.
    pub(crate) problem: Option<String>,
}

/// Looks at all versions and notes what was found; `looked` is called after each.
pub(crate) async fn check_all(
    db: &Db,
    storage: &Storage,
    depth: Depth,
    looked: impl Fn(),
) -> Result<Vec<Checked>, CheckError> {
    let mut checked = Vec::new();
    let mut after = 0;
    loop {
        let batch = db.read(queries::VERSIONS_TO_CHECK).bind(after).bind(BATCH).all::<StoredVersion>().await?;
        let Some(last) = batch.last() else { return Ok(checked) };
        after = last.id;
        for version in batch {
            let problem = examine(storage, &version, depth).await?;
            note(db, version.id, problem.as_deref()).await?;
            checked.push(Checked { version, problem });
            looked();
        }
    }
}

/// Why it could not be looked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CheckError {
    /// The storage as a whole cannot be used, so nothing is said about single files.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

async fn note(db: &Db, id: i64, problem: Option<&str>) -> Result<(), DbError> {
    db.write(async |tx| {
        let now = tx.now();
        tx.run(queries::NOTE_CHECK).bind(id).bind(now).bind(problem).execute().await
    })
    .await
    .map(drop)
}

/// What is wrong with a version's object, if anything is.
pub(crate) async fn examine(
    storage: &Storage,
    version: &StoredVersion,
    depth: Depth,
) -> Result<Option<String>, StorageError> {
    let found = match storage.size(&version.storage_key).await {
        Ok(found) => found,
        Err(StorageError::Missing(key)) => return Ok(Some(format!("the object {key} is missing"))),
        Err(error) => return Err(error),
    };
    let size = u64::try_from(version.size).unwrap_or_default();
    if found != size {
        return Ok(Some(format!("the object {} has {found} bytes, not {size}", version.storage_key)));
    }
    match depth {
        Depth::Size => Ok(None),
        Depth::Content => {
            let sha256 = hash(storage, &version.storage_key, size).await?;
            let changed =
                || format!("the object {} has the SHA-256 {sha256}, not {}", version.storage_key, version.sha256);
            Ok((sha256 != version.sha256).then(changed))
        }
    }
}

async fn hash(storage: &Storage, key: &StorageKey, size: u64) -> Result<String, StorageError> {
    let mut content = Content::open(storage, key, 0..size).await?;
    let mut hash = Sha256::new();
    while let Some(piece) = content.next().await? {
        hash.update(&piece);
    }
    Ok(hex::encode(hash.finalize()))
}

/// Objects in the storage that nothing in the database refers to. Another shop's database may, so nobody removes them but
/// the operator.
pub(crate) async fn unknown_objects(db: &Db, storage: &Storage) -> Result<Vec<StorageKey>, CheckError> {
    // The storage first: what is attached meanwhile is in the database by then.
    let keys = storage.keys().await?;
    let known = db.read(queries::KNOWN_KEYS).scalars::<String>().await?;
    let known = known.iter().map(String::as_str).collect::<std::collections::HashSet<_>>();
    let mut unknown = keys.into_iter().filter(|key| !known.contains(key.as_str())).collect::<Vec<_>>();
    unknown.sort();
    Ok(unknown)
}
