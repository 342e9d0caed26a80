//! Folders that nobody but their owner may look into, whatever the system's defaults are.

use std::fs::DirBuilder;
use std::io;
use std::path::Path;

/// Makes a folder and those above it that are missing. Folders that are there stay as they are.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}
