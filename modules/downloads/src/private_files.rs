//! Folders and files that nobody but their owner may look into, whatever the system's defaults are.

use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Takes all rights to a file from everybody but its owner.
pub(crate) fn make_private(file: &Path) -> io::Result<()> {
    std::fs::set_permissions(file, Permissions::from_mode(0o600))
}

/// Whether others than the owner can read or write what is there.
pub(crate) fn is_open_to_others(path: &Path) -> io::Result<bool> {
    Ok(std::fs::metadata(path)?.permissions().mode() & 0o077 != 0)
}
