//! Restoring a backup: everything is checked first, unpacked beside what it replaces, and then put in place.

mod compatibility;
mod guard;
pub(super) mod journal;
mod occupied;
mod stop;
mod target;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use stoa_core::commands::Progress;
use stoa_core::config::{Config, EncryptionKey};
use stoa_core::db::MigrationSet;
use stoa_core::module::BackupFolder;

use self::compatibility::Compatibility;
use self::target::Target;

pub(super) use self::guard::COMMITTED;
pub(crate) use self::guard::{ARGUMENT, Guard, watch};
pub(crate) use self::journal::RestoreStep;
pub(crate) use self::stop::Stop;
use super::BackupError;
use super::archive::Entry;
use super::folder::{FolderRestore, Rights};
use super::key::KeyRestore;
use super::manifest::{KEY, MEDIA, Manifest, folder_of};
use super::verify::{Unpacked, VerifiedArchive, verify};

/// Whether a shop that is there already may be replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Overwrite {
    /// Only one without products, customers and orders.
    Refused,
    /// Any.
    Allowed,
}

/// Where and how a backup is restored.
pub(crate) struct RestoreOptions<'a> {
    /// The checked configuration.
    pub(crate) config: &'a Config,
    /// The migrations of core and the enabled modules.
    pub(crate) active: &'a [MigrationSet],
    /// The migrations of modules that are switched off.
    pub(crate) dormant: &'a [MigrationSet],
    /// The folders that modules keep.
    pub(crate) folders: &'a [BackupFolder],
    /// The variables of this process, for the programs that it starts.
    pub(crate) variables: &'a [(OsString, OsString)],
    /// Whether a shop may be replaced.
    pub(crate) overwrite: Overwrite,
    /// The operator's wish to stop.
    pub(crate) stop: Stop,
    /// The time.
    pub(crate) now: DateTime<Utc>,
    /// Who is told how far it is.
    pub(crate) progress: &'a Progress,
}

/// A backup that was restored.
pub(crate) struct RestoredBackup {
    /// When it was made.
    pub(crate) created_at: DateTime<Utc>,
    /// The number of rows in each table.
    pub(crate) tables: BTreeMap<String, u64>,
    /// The number of files that were put into the media folder.
    pub(crate) media_files: usize,
    /// The bucket that its pictures lay in, and lie in still.
    pub(crate) media_bucket: Option<String>,
    /// The number of files that were put into folders of modules.
    pub(crate) module_files: usize,
    /// Whether the backup's key was written to the key file.
    pub(crate) key_written: bool,
    /// Where the key is now that was in the key file before.
    pub(crate) key_aside: Option<PathBuf>,
    /// Migrations that this program has and the backup has not.
    pub(crate) pending_migrations: usize,
    /// Modules with tables in the backup that this program does not contain.
    pub(crate) unknown_modules: Vec<String>,
    /// Variables that were settings of the shop that was backed up, and are not in the backup.
    pub(crate) variables: Vec<String>,
}

/// Restores a backup. When it fails, or is killed, the guard puts the shop back as it was before.
pub(crate) async fn restore(
    options: &RestoreOptions<'_>,
    file: &Path,
    guard: &mut Guard,
) -> Result<RestoredBackup, BackupError> {
    options.progress.step("checking the backup", None);
    let archive = &verify(file)?;
    let manifest = &archive.manifest;
    let compatibility = Compatibility::check(manifest, options.active, options.dormant)?;
    let key = backed_up_key(archive)?;
    let key = KeyRestore::plan(&options.config.secrets, &manifest.key_fingerprint, key, options.now)?;
    let mut target = Target::prepare(options, manifest, guard).await?;

    let mut folders = Folders::prepare(options, archive, guard)?;
    options.progress.step("unpacking", u64::try_from(manifest.members.len()).ok());
    archive.unpack(|name, entry| {
        options.stop.check()?;
        options.progress.advance(1);
        let mut content = options.stop.reading(&mut *entry.content);
        let mut entry = Entry { name: entry.name.clone(), modified: entry.modified, content: &mut content };
        match folders.find(name) {
            Some((name, folder)) => {
                folder.unpack(name, &mut entry)?;
                Ok(Unpacked::Read)
            }
            None => target.unpack(name, &mut entry),
        }
    })?;
    options.progress.step("putting everything in its place", None);
    target.check_unpacked(manifest).await?;

    folders.place(guard)?;
    key.apply(&mut |step| guard.note(&step))?;
    options.stop.check()?;
    target.put_in_place(archive, guard, &options.stop).await?;
    let (key_written, key_aside) = match key {
        KeyRestore::Kept => (false, None),
        KeyRestore::Written { aside, .. } => (true, aside),
    };
    Ok(RestoredBackup {
        created_at: manifest.created_at,
        tables: manifest.tables.clone(),
        media_files: archive.files_in(MEDIA).len(),
        media_bucket: manifest.media_bucket.clone(),
        module_files: manifest.folders.iter().map(|module| archive.files_in(&folder_of(module)).len()).sum(),
        key_written,
        key_aside,
        pending_migrations: compatibility.pending,
        unknown_modules: compatibility.unknown_modules,
        variables: manifest.variables.clone(),
    })
}

/// The folders that files are restored into, each with its name in the archive.
struct Folders(Vec<(String, FolderRestore)>);

impl Folders {
    /// Prepares those that have files in the archive.
    fn prepare(
        options: &RestoreOptions<'_>,
        archive: &VerifiedArchive,
        guard: &mut Guard,
    ) -> Result<Self, BackupError> {
        let mut note = |step: RestoreStep| guard.note(&step);
        let mut folders = Vec::new();
        if !archive.files_in(MEDIA).is_empty() {
            let media = FolderRestore::new(&options.config.media.folder, Rights::Everybody, &mut note)?;
            folders.push((MEDIA.to_owned(), media));
        }
        for module in &archive.manifest.folders {
            let prefix = folder_of(module);
            if archive.files_in(&prefix).is_empty() {
                continue;
            }
            let kept = options.folders.iter().find(|kept| kept.module == module);
            let kept = kept.ok_or_else(|| homeless(module, &archive.manifest))?;
            folders.push((prefix, FolderRestore::new(&kept.folder, Rights::Owner, &mut note)?));
        }
        Ok(Self(folders))
    }

    /// The folder that a member belongs into, and its name there.
    fn find<'a>(&mut self, name: &'a str) -> Option<(&'a str, &mut FolderRestore)> {
        self.0.iter_mut().find_map(|(prefix, folder)| Some((name.strip_prefix(prefix.as_str())?, folder)))
    }

    /// Puts all files in their places.
    fn place(&self, guard: &mut Guard) -> Result<(), BackupError> {
        self.0.iter().try_for_each(|(_, folder)| folder.place(&mut |step| guard.note(&step)))
    }
}

/// Files of a module that would be lost.
fn homeless(module: &str, manifest: &Manifest) -> BackupError {
    BackupError(format!(
        "the backup of {} holds files of the module `{module}`, for which this program and its configuration have no \
         folder; restore it with a program that contains the module, configured to keep its files in a folder",
        manifest.created_at.format("%Y-%m-%d")
    ))
}

/// The key in the archive, if it was not left out.
fn backed_up_key(archive: &VerifiedArchive) -> Result<Option<EncryptionKey>, BackupError> {
    let mut key = None;
    archive.unpack(|name, entry| {
        if name != KEY {
            return Ok(Unpacked::Skipped);
        }
        let mut text = String::new();
        entry.content.read_to_string(&mut text)?;
        key = EncryptionKey::from_base64(&text);
        if key.is_some() { Ok(Unpacked::Read) } else { Err(BackupError::new("the key in the backup cannot be read")) }
    })?;
    Ok(key)
}
