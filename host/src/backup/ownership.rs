//! Whose the restored files are.

use std::os::unix::fs::{MetadataExt, chown};
use std::path::Path;
use std::{fs, io};

/// Gives a new file or folder to the owner of the folder it comes to lie in.
///
/// Restoring is often done as root for a service with a user of its own, which could not use its files otherwise.
/// Nobody but root can give files away, so that it does not work for others is no error.
pub(crate) fn adopt(path: &Path, folder: &Path) -> io::Result<()> {
    let (own, wanted) = (fs::metadata(path)?, fs::metadata(folder)?);
    if (own.uid(), own.gid()) == (wanted.uid(), wanted.gid()) {
        return Ok(());
    }
    match chown(path, Some(wanted.uid()), Some(wanted.gid())) {
        Err(error) if error.kind() != io::ErrorKind::PermissionDenied => Err(error),
        _ => Ok(()),
    }
}
