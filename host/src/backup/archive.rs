//! Writing an archive, and reading one member by member.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Cursor, Read, Write};
use std::path::{Component, Path};
use std::time::{SystemTime, UNIX_EPOCH};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use tar::{Archive, Builder, EntryType, Header};

use super::BackupError;
use super::manifest::{MANIFEST, Manifest, Member};
use super::seal::{self, Sealing};

/// Writes an archive and notes what it holds.
pub(super) struct ArchiveWriter<W: Write> {
    tar: Builder<GzEncoder<Sealing<BufWriter<W>>>>,
    members: BTreeMap<String, Member>,
}

impl<W: Write> ArchiveWriter<W> {
    pub(super) fn new(writer: W) -> Self {
        let sealing = Sealing::new(BufWriter::with_capacity(256 * 1024, writer));
        Self { tar: Builder::new(GzEncoder::new(sealing, Compression::default())), members: BTreeMap::new() }
    }

    /// Adds a file as it is now. It must not change its length meanwhile.
    pub(super) fn add_file(&mut self, name: &str, file: &File) -> Result<(), BackupError> {
        let metadata = file.metadata()?;
        let modified = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let modified = modified.map_or(0, |time| time.as_secs());
        self.add(name, BufReader::with_capacity(256 * 1024, file), metadata.len(), modified)
    }

    /// Adds a member of `size` bytes that was changed `modified` seconds after 1970.
    fn add(&mut self, name: &str, reader: impl Read, size: u64, modified: u64) -> Result<(), BackupError> {
        let mut header = Header::new_gnu();
        header.set_entry_type(EntryType::Regular);
        header.set_mode(0o600);
        header.set_mtime(modified);
        header.set_size(size);
        let mut hashing = Hashing::new(reader.take(size));
        self.tar.append_data(&mut header, name, &mut hashing)?;
        if hashing.size != size {
            return Err(BackupError(format!("{name} was cut while it was read; try again")));
        }
        self.members.insert(name.to_owned(), hashing.finish());
        Ok(())
    }

    /// Adds a member from memory.
    pub(super) fn add_bytes(&mut self, name: &str, bytes: &[u8], modified: u64) -> Result<(), BackupError> {
        self.add(name, Cursor::new(bytes), bytes.len() as u64, modified)
    }

    /// Adds the manifest with what was added before, and seals the archive.
    pub(super) fn finish(mut self, mut manifest: Manifest) -> Result<(W, Manifest), BackupError> {
        manifest.members = std::mem::take(&mut self.members);
        let text = serde_json::to_vec_pretty(&manifest).map_err(|error| BackupError(error.to_string()))?;
        let time = u64::try_from(manifest.created_at.timestamp()).unwrap_or_default();
        self.add_bytes(MANIFEST, &text, time)?;
        let sealed = self.tar.into_inner()?.finish()?.finish()?;
        let writer = sealed.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok((writer, manifest))
    }
}

/// Reads bytes on, counting and hashing them.
pub(super) struct Hashing<R> {
    reader: R,
    size: u64,
    hash: Sha256,
}

impl<R: Read> Hashing<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { reader, size: 0, hash: Sha256::new() }
    }

    /// What was read so far.
    pub(super) fn finish(self) -> Member {
        Member { size: self.size, sha256: hex::encode(self.hash.finalize()) }
    }
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.hash.update(&buffer[..read]);
        self.size += read as u64;
        Ok(read)
    }
}

/// A member that is being read.
pub(super) struct Entry<'a> {
    pub(super) name: String,
    pub(super) modified: SystemTime,
    pub(super) content: &'a mut dyn Read,
}

/// Hands all members of a sealed archive to `visit`, in order. Only plain files with harmless names are let through.
pub(super) fn read_members(
    file: &File,
    mut visit: impl FnMut(Entry<'_>) -> Result<(), BackupError>,
) -> Result<(), BackupError> {
    let mut file = file.try_clone()?;
    io::Seek::rewind(&mut file)?;
    let length = file.metadata()?.len().saturating_sub(seal::LENGTH);
    let unpacked = GzDecoder::new(BufReader::with_capacity(256 * 1024, file.take(length)));
    for entry in Archive::new(unpacked).entries()? {
        let mut entry = entry?;
        let name = harmless_name(&entry)?;
        let modified = UNIX_EPOCH + std::time::Duration::from_secs(entry.header().mtime()?);
        visit(Entry { name, modified, content: &mut entry })?;
    }
    Ok(())
}

/// The name of a plain file that stays in the folder it is unpacked into.
fn harmless_name<R: Read>(entry: &tar::Entry<'_, R>) -> Result<String, BackupError> {
    let shown = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
    let refused = |why: &str| BackupError(format!("the backup holds `{shown}`, {why}; it was not made by stoa"));
    if entry.header().entry_type() != EntryType::Regular {
        return Err(refused("which is no plain file"));
    }
    let name = std::str::from_utf8(&entry.path_bytes()).map(str::to_owned);
    let name = name.map_err(|_| refused("whose name is no text"))?;
    if !is_harmless(&name) {
        return Err(refused("whose name leads out of its folder"));
    }
    Ok(name)
}

/// Whether a name, with slashes between folders, stays in the folder it is unpacked into.
pub(super) fn is_harmless(name: &str) -> bool {
    let parts = Path::new(name).components().collect::<Vec<_>>();
    let plain = parts.iter().all(|part| matches!(part, Component::Normal(_)));
    // `a//b`, `a/./b` and `a/` have plain parts only, and are spelled otherwise.
    let spelled = parts.iter().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/");
    plain && !name.is_empty() && !name.contains('\0') && spelled == name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_leave_their_folder_are_refused() {
        for name in ["media/a.svg", "media/ä b/c.svg", "manifest.json", "media/..a", "media/.hidden"] {
            assert!(is_harmless(name), "{name}");
        }
        for name in ["", "/etc/passwd", "../a", "media/../../a", "media/..", "./a", "media//a", "media/", "a\0b"] {
            assert!(!is_harmless(name), "{name}");
        }
    }
}
