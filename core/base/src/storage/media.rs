//! Pictures of products and categories: files of the media folder, or objects of its bucket.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use bytes::Bytes;

use super::{Storage, StorageError, StorageLocation};
use crate::config::MediaConfig;

/// Where pictures lie. Cloning is cheap.
#[derive(Debug, Clone)]
pub enum MediaStore {
    /// In a folder that others fill too.
    Folder(PathBuf),
    /// In a bucket.
    Bucket(Storage),
}

/// What became of a file that was to be new.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NewFile {
    /// It was written, or the very same was there.
    Kept,
    /// Another file has this name.
    Taken,
}

impl MediaStore {
    /// That of a configuration.
    pub fn of(config: &MediaConfig) -> Self {
        match config.bucket() {
            Some(bucket) => Self::Bucket(Storage::new(StorageLocation::Bucket(bucket))),
            None => Self::Folder(config.folder.clone()),
        }
    }

    /// Whether there is a file under a path.
    pub async fn has(&self, path: &str) -> Result<bool, StorageError> {
        match self {
            Self::Folder(folder) => Ok(folder.join(path).is_file()),
            Self::Bucket(storage) => match storage.head(path).await {
                Ok(_) => Ok(true),
                Err(StorageError::Missing(_)) => Ok(false),
                Err(error) => Err(error),
            },
        }
    }

    /// Writes a file as a whole under a path where none is; readable for the server, whoever runs it.
    pub async fn put_new(&self, path: &str, content: Bytes) -> Result<NewFile, StorageError> {
        match self {
            Self::Folder(folder) => {
                let file = folder.join(path);
                let written = tokio::task::spawn_blocking(move || write_new(&file, &content)).await;
                Ok(written.map_err(io::Error::other)??)
            }
            Self::Bucket(storage) => {
                if storage.put_new(path, content.clone(), media_type(path)).await? {
                    return Ok(NewFile::Kept);
                }
                let there = storage.read(path, None).await?;
                let is_same = there.meta.size == content.len() as u64 && there.bytes().await? == content;
                Ok(if is_same { NewFile::Kept } else { NewFile::Taken })
            }
        }
    }

    /// Writes a file as a whole under a path, in place of what may be there.
    pub async fn put(&self, path: &str, content: Bytes) -> Result<(), StorageError> {
        match self {
            Self::Folder(folder) => {
                let file = folder.join(path);
                let written = tokio::task::spawn_blocking(move || -> io::Result<()> {
                    let temporary = beside(&file, &content)?;
                    temporary.persist(&file).map(drop).map_err(|error| error.error)
                });
                Ok(written.await.map_err(io::Error::other)??)
            }
            Self::Bucket(storage) => storage.put(path, content, media_type(path)).await,
        }
    }

    /// Where it is, for people.
    pub fn shown(&self) -> String {
        match self {
            Self::Folder(folder) => folder.display().to_string(),
            Self::Bucket(storage) => match storage.location() {
                StorageLocation::Bucket(bucket) => bucket.to_string(),
                StorageLocation::Folder(folder) => folder.display().to_string(),
            },
        }
    }
}

/// What a path's ending says of its content, as browsers take it.
pub fn media_type(path: &str) -> &'static str {
    mime_guess::from_path(path).first_raw().unwrap_or("application/octet-stream")
}

fn write_new(file: &Path, content: &[u8]) -> io::Result<NewFile> {
    if fs::read(file).is_ok_and(|there| there == content) {
        return Ok(NewFile::Kept);
    }
    match beside(file, content)?.persist_noclobber(file) {
        Ok(_) => Ok(NewFile::Kept),
        Err(taken) if taken.error.kind() == ErrorKind::AlreadyExists => Ok(NewFile::Taken),
        Err(failed) => Err(failed.error),
    }
}

/// The content in a new file of the same folder, which is made where it is missing.
fn beside(file: &Path, content: &[u8]) -> io::Result<tempfile::NamedTempFile> {
    let folder = file.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644));
    let mut temporary = builder.prefix(".stoa-").tempfile_in(folder)?;
    temporary.write_all(content)?;
    Ok(temporary)
}
