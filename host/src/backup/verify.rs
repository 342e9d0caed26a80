//! Checking an archive whole before anything of it is used.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::BackupError;
use super::archive::{self, Entry, Hashing};
use super::manifest::{CONFIGURATION, KEY, MANIFEST, MEDIA, Manifest, Member, folder_of};
use super::seal;
use crate::failure::in_words;

/// The longest manifest that is read: several hundred thousand members.
const LONGEST_MANIFEST: u64 = 256 * 1024 * 1024;

/// An archive whose seal and members are intact.
#[derive(Debug)]
pub(super) struct VerifiedArchive {
    pub(super) file: File,
    pub(super) manifest: Manifest,
}

/// Opens an archive and reads it through: seal, names, and size and SHA-256 of each member.
pub(super) fn verify(path: &Path) -> Result<VerifiedArchive, BackupError> {
    let file = open(path)?;
    let manifest = verify_members(&file).map_err(|error| BackupError(format!("{}: {error}", path.display())))?;
    Ok(VerifiedArchive { file, manifest })
}

/// Opens an archive whose seal is intact.
pub(super) fn open(path: &Path) -> Result<File, BackupError> {
    let at = |error: io::Error| BackupError(format!("{}: {}", path.display(), in_words(&error)));
    let file = File::open(path).map_err(at)?;
    let metadata = file.metadata().map_err(at)?;
    if !metadata.is_file() {
        return Err(BackupError(format!("{} is no file", path.display())));
    }
    let mut start = Vec::new();
    (&file).take(2).read_to_end(&mut start).map_err(at)?;
    if start != seal::GZIP {
        return Err(BackupError(format!("{} is no backup: `stoa backup` makes one", path.display())));
    }
    io::Seek::rewind(&mut &file).map_err(at)?;
    if !seal::is_intact(&file, metadata.len()).map_err(at)? {
        return Err(BackupError(format!(
            "{} is damaged: it was cut or changed since `stoa backup` wrote it; nothing was restored",
            path.display()
        )));
    }
    Ok(file)
}

fn verify_members(file: &File) -> Result<Manifest, BackupError> {
    let mut found = BTreeMap::new();
    let mut manifest = None;
    archive::read_members(file, |entry| {
        if manifest.is_some() {
            return Err(BackupError(format!("the backup holds `{}` behind its manifest", entry.name)));
        }
        if entry.name == MANIFEST {
            let mut text = Vec::new();
            entry.content.take(LONGEST_MANIFEST).read_to_end(&mut text)?;
            manifest = Some(Manifest::parse(&text)?);
            return Ok(());
        }
        let mut hashing = Hashing::new(entry.content);
        io::copy(&mut hashing, &mut io::sink())?;
        match found.insert(entry.name.clone(), hashing.finish()) {
            None => Ok(()),
            Some(_) => Err(BackupError(format!("the backup holds `{}` twice", entry.name))),
        }
    })?;
    let manifest = manifest.ok_or_else(|| BackupError::new("the backup has no manifest"))?;
    compare(&found, &manifest)?;
    Ok(manifest)
}

/// Refuses members that are missing, damaged or unknown.
fn compare(found: &BTreeMap<String, Member>, manifest: &Manifest) -> Result<(), BackupError> {
    for (name, member) in &manifest.members {
        match found.get(name) {
            None => return Err(BackupError(format!("`{name}` is missing from the backup"))),
            Some(other) if other != member => return Err(BackupError(format!("`{name}` is damaged in the backup"))),
            Some(_) => {}
        }
    }
    let database = manifest.database.member();
    for name in found.keys() {
        let in_folder = manifest.folders.iter().any(|module| name.starts_with(&folder_of(module)));
        let known = name == database || name == KEY || name == CONFIGURATION || name.starts_with(MEDIA) || in_folder;
        if !known || !manifest.members.contains_key(name) {
            return Err(BackupError(format!("the backup holds `{name}`, which this program does not expect")));
        }
    }
    if !found.contains_key(database) {
        return Err(BackupError(format!("`{database}` is missing from the backup")));
    }
    Ok(())
}

impl VerifiedArchive {
    /// Hands those members to `visit` that it knows by their names, and fails when one is not what was verified.
    pub(super) fn unpack(
        &self,
        mut visit: impl FnMut(&str, &mut Entry<'_>) -> Result<Unpacked, BackupError>,
    ) -> Result<(), BackupError> {
        archive::read_members(&self.file, |entry| {
            let Entry { name, modified, content } = entry;
            let mut hashing = Hashing::new(content);
            let mut hashed = Entry { name: name.clone(), modified, content: &mut hashing };
            match visit(&name, &mut hashed)? {
                Unpacked::Skipped => Ok(()),
                Unpacked::Read if self.manifest.members.get(&name) == Some(&hashing.finish()) => Ok(()),
                Unpacked::Read => Err(BackupError(format!("`{name}` was changed while it was read"))),
            }
        })
    }

    /// The names of the files in a folder of the archive, without the folder's.
    pub(super) fn files_in(&self, folder: &str) -> Vec<PathBuf> {
        self.manifest.members.keys().filter_map(|name| name.strip_prefix(folder)).map(PathBuf::from).collect()
    }
}

/// What became of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unpacked {
    /// It was read to its end.
    Read,
    /// It was not wanted.
    Skipped,
}
