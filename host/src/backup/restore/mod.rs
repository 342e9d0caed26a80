//! Restoring a backup: everything is checked first, unpacked beside what it replaces, and then put in place.

mod compatibility;
mod occupied;
mod target;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use stoa_core::config::{Config, EncryptionKey};
use stoa_core::db::MigrationSet;

use self::compatibility::Compatibility;
use self::target::Target;
use super::BackupError;
use super::folder::FolderRestore;
use super::key::KeyRestore;
use super::manifest::{KEY, MEDIA};
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
    /// The variables of this process, for the programs that it starts.
    pub(crate) variables: &'a [(OsString, OsString)],
    /// Whether a shop may be replaced.
    pub(crate) overwrite: Overwrite,
    /// The time.
    pub(crate) now: DateTime<Utc>,
}

/// A backup that was restored.
pub(crate) struct RestoredBackup {
    /// When it was made.
    pub(crate) created_at: DateTime<Utc>,
    /// The number of rows in each table.
    pub(crate) tables: BTreeMap<String, u64>,
    /// The number of files that were put into the media folder.
    pub(crate) media_files: usize,
    /// Whether the backup's key was written to the key file.
    pub(crate) key_written: bool,
    /// Where the key is now that was in the key file before.
    pub(crate) key_aside: Option<PathBuf>,
    /// Migrations that this program has and the backup has not.
    pub(crate) pending_migrations: usize,
    /// Modules with tables in the backup that this program does not contain.
    pub(crate) unknown_modules: Vec<String>,
}

/// Restores a backup. When it fails, the shop is as it was before.
pub(crate) async fn restore(options: &RestoreOptions<'_>, file: &Path) -> Result<RestoredBackup, BackupError> {
    let archive = verify(file)?;
    let manifest = &archive.manifest;
    let compatibility = Compatibility::check(manifest, options.active, options.dormant)?;
    let key = backed_up_key(&archive)?;
    let key = KeyRestore::plan(&options.config.secrets, &manifest.key_fingerprint, key, options.now)?;
    let mut target = Target::prepare(options, manifest).await?;

    let names = archive.files_in(MEDIA);
    let mut media = if names.is_empty() { None } else { Some(FolderRestore::new(&options.config.media.folder)?) };
    archive.unpack(|name, entry| {
        if let (Some(name), Some(media)) = (name.strip_prefix(MEDIA), &mut media) {
            media.unpack(name, entry)?;
            return Ok(Unpacked::Read);
        }
        target.unpack(name, entry)
    })?;
    target.check_unpacked(manifest).await?;

    if let Some(media) = &mut media {
        media.place()?;
    }
    let placed = match key.apply() {
        Ok(()) => target.put_in_place(&archive).await.inspect_err(|_| key.undo()),
        Err(error) => Err(error),
    };
    if let Err(error) = placed {
        if let Some(media) = &mut media {
            media.undo();
        }
        return Err(error);
    }
    let (key_written, key_aside) = match key {
        KeyRestore::Kept => (false, None),
        KeyRestore::Written { aside, .. } => (true, aside),
    };
    Ok(RestoredBackup {
        created_at: manifest.created_at,
        tables: manifest.tables.clone(),
        media_files: names.len(),
        key_written,
        key_aside,
        pending_migrations: compatibility.pending,
        unknown_modules: compatibility.unknown_modules,
    })
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
