//! Folders and files that nobody but their owner may look into, whatever the system's defaults are.

use std::fs::{DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::Path;

/// Makes a folder and those above it that are missing. Folders that are there stay as they are.
pub(crate) fn make_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Takes all rights to a file from everybody but its owner.
pub(crate) fn make_private(file: &Path) -> io::Result<()> {
    std::fs::set_permissions(file, Permissions::from_mode(0o600))
}

/// Whether others than the owner can read or write what is there.
pub(crate) fn is_open_to_others(path: &Path) -> io::Result<bool> {
    Ok(std::fs::metadata(path)?.permissions().mode() & 0o077 != 0)
}
