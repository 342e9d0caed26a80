//! Why a backup could not be made or restored.

use std::fmt::Display;
use std::io;
use std::path::Path;

use stoa_core::db::DbError;
use stoa_core::db::copy::CopyError;
use stoa_core::error_chain;

/// Why a backup could not be made or restored: a sentence for the operator.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct BackupError(pub(super) String);

impl BackupError {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// For `map_err` on what is done with a file or folder.
    pub(super) fn at<E: Display>(path: &Path) -> impl FnOnce(E) -> Self {
        move |error| Self(format!("{}: {error}", path.display()))
    }
}

impl From<DbError> for BackupError {
    fn from(error: DbError) -> Self {
        Self(error_chain(&error))
    }
}

impl From<CopyError> for BackupError {
    fn from(error: CopyError) -> Self {
        Self(error_chain(&error))
    }
}

/// For the archive that is written; what is read names its file.
impl From<io::Error> for BackupError {
    fn from(error: io::Error) -> Self {
        Self(error.to_string())
    }
}
