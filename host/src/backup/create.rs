//! Making a backup while the shop runs.
//!
//! Files are read and programs waited for without giving way to other tasks: a command has none.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use stoa_core::clock::Clock;
use stoa_core::commands::Progress;
use stoa_core::config::{Config, DatabaseUrl, PostgresUrl};
use stoa_core::db::Db;
use stoa_core::db::copy::{AppliedSet, Snapshot};
use stoa_core::encryption::Cipher;
use stoa_core::module::BackupFolder;
use tempfile::NamedTempFile;

use super::BackupError;
use super::archive::ArchiveWriter;
use super::configuration::without_secrets;
use super::files::{self, TEMPORARY};
use super::manifest::{self, CONFIGURATION, DatabasePart, FORMAT, KEY, MEDIA, Manifest, folder_of};
use super::postgres::{self, ClientPrograms};
use crate::failure::in_words;

/// What a backup is made of.
pub(crate) struct BackupOptions<'a> {
    /// The checked configuration.
    pub(crate) config: &'a Config,
    /// The file that it was read from, if there is one.
    pub(crate) config_file: Option<&'a Path>,
    /// The open database.
    pub(crate) db: &'a Db,
    /// The folders that modules keep.
    pub(crate) folders: &'a [BackupFolder],
    /// The cipher of the shop, when its key goes into the backup.
    pub(crate) key: Option<&'a Cipher>,
    /// The fingerprint of the shop's key.
    pub(crate) fingerprint: String,
    /// The variables of this process, for the programs that it starts.
    pub(crate) variables: &'a [(OsString, OsString)],
    /// The time.
    pub(crate) now: DateTime<Utc>,
    /// Who is told how far it is.
    pub(crate) progress: &'a Progress,
}

/// A backup that was made.
pub(crate) struct CreatedBackup {
    /// Bytes of the file.
    pub(crate) size: u64,
    /// The number of rows in each table.
    pub(crate) tables: BTreeMap<String, u64>,
    /// The number of files of the media folder.
    pub(crate) media_files: usize,
    /// The bucket that pictures lie in, and what modules keep there; its files are not in it.
    pub(crate) media_bucket: Option<String>,
    /// The number of files of modules.
    pub(crate) module_files: usize,
    /// Whether the configuration file is in it.
    pub(crate) configuration: bool,
    /// The variables that are settings besides, and are not in it.
    pub(crate) variables: Vec<String>,
}

/// Writes a backup to a file that does not exist yet. It appears under its name when it is complete and on the disk.
pub(crate) async fn create(options: &BackupOptions<'_>, file: &Path) -> Result<CreatedBackup, BackupError> {
    if file.exists() {
        return Err(exists(file));
    }
    let folder = match file.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    refuse_public(file, folder, &options.config.media.folder)?;
    refuse_kept(file, folder, options.folders)?;
    if !folder.is_dir() {
        return Err(BackupError(format!("there is no folder {}; make it first", folder.display())));
    }
    // The whole error would name a file of which nobody has heard.
    let at_folder = |error: io::Error| {
        let reason = in_words(&io::Error::from(error.kind()));
        BackupError(format!("cannot write into {}: {reason}", folder.display()))
    };
    // Temporary files are made for their owner only.
    let temporary = || tempfile::Builder::new().prefix(&format!("{TEMPORARY}backup-")).tempfile_in(folder);
    let draft = temporary().map_err(at_folder)?;
    let dumped = temporary().map_err(at_folder)?;
    options.progress.step("copying the database", None);
    let database = dump(options, dumped.path()).await?;
    options.progress.step("packing the database", None);
    let mut archive = ArchiveWriter::new(draft.as_file());
    let time = u64::try_from(options.now.timestamp()).unwrap_or_default();
    // First, so that it can be looked at without reading through the rest.
    let configuration = configuration(options)?;
    if let Some(text) = &configuration {
        archive.add_bytes(CONFIGURATION, text.as_bytes(), time)?;
    }
    archive.add_file(database.part.member(), &File::open(dumped.path())?)?;
    drop(dumped);
    // A bucket outlives this machine, and may be larger than it.
    let media_files = match options.config.media.bucket() {
        Some(_) => 0,
        None => add_files(&mut archive, files::list(&options.config.media.folder, MEDIA)?, options.progress)?,
    };
    let mut module_files = 0;
    for kept in options.folders {
        let files = files::list_finished(&kept.folder, &folder_of(kept.module))?;
        module_files += add_files(&mut archive, files, options.progress)?;
    }
    if let Some(cipher) = options.key {
        let line = format!("{}\n", cipher.key().to_base64().expose());
        archive.add_bytes(KEY, line.as_bytes(), time)?;
    }
    let (_, manifest) = archive.finish(Manifest {
        format: FORMAT,
        stoa: String::from(env!("CARGO_PKG_VERSION")),
        created_at: options.now,
        database: database.part,
        key_fingerprint: options.fingerprint.clone(),
        migrations: manifest::migrations(&database.applied),
        tables: database.counts.into_iter().collect(),
        folders: options.folders.iter().map(|kept| kept.module.to_owned()).collect(),
        variables: variables(options),
        media_bucket: options.config.media.bucket().map(|bucket| bucket.to_string()),
        members: BTreeMap::new(),
    })?;
    let size = persist(draft, file, folder)?;
    let (tables, variables, configuration) = (manifest.tables, manifest.variables, configuration.is_some());
    let media_bucket = manifest.media_bucket;
    Ok(CreatedBackup { size, tables, media_files, media_bucket, module_files, configuration, variables })
}

/// The text of the configuration file; secrets come along with the key only.
fn configuration(options: &BackupOptions<'_>) -> Result<Option<String>, BackupError> {
    let Some(file) = options.config_file else { return Ok(None) };
    let text = std::fs::read_to_string(file).map_err(BackupError::at(file))?;
    Ok(Some(if options.key.is_some() { text } else { without_secrets(&text)? }))
}

/// The names of the variables that are settings.
fn variables(options: &BackupOptions<'_>) -> Vec<String> {
    let names = options.variables.iter().filter_map(|(name, _)| name.to_str());
    let mut names = names.filter(|name| name.starts_with("STOA_") && name.contains("__")).collect::<Vec<_>>();
    names.sort_unstable();
    names.into_iter().map(str::to_owned).collect()
}

/// Puts a complete archive on the disk and under its name. Another file that came to be there meanwhile is not replaced.
fn persist(draft: NamedTempFile, file: &Path, folder: &Path) -> Result<u64, BackupError> {
    draft.as_file().sync_all()?;
    let size = draft.as_file().metadata()?.len();
    draft.persist_noclobber(file).map_err(|error| match error.error.kind() {
        io::ErrorKind::AlreadyExists => exists(file),
        _ => BackupError::at(file)(error.error),
    })?;
    File::open(folder)?.sync_all()?;
    Ok(size)
}

/// Refuses a place in the media folder, where everybody could download the shop with its key.
fn refuse_public(file: &Path, folder: &Path, media: &Path) -> Result<(), BackupError> {
    // What is missing holds nothing, and a missing folder is told where it is used.
    let (Ok(folder), Ok(media)) = (folder.canonicalize(), media.canonicalize()) else { return Ok(()) };
    if !folder.starts_with(media) {
        return Ok(());
    }
    Err(BackupError(format!(
        "{} lies in the media folder (media.folder), which is open to everybody; choose another place",
        file.display()
    )))
}

/// Refuses a place in a module's folder, where each backup would hold the one before it.
fn refuse_kept(file: &Path, folder: &Path, kept: &[BackupFolder]) -> Result<(), BackupError> {
    let Ok(folder) = folder.canonicalize() else { return Ok(()) };
    let holds = |kept: &&BackupFolder| kept.folder.canonicalize().is_ok_and(|kept| folder.starts_with(kept));
    match kept.iter().find(holds) {
        None => Ok(()),
        Some(kept) => Err(BackupError(format!(
            "{} lies in a folder of the module `{}`, which goes into backups itself; choose another place",
            file.display(),
            kept.module
        ))),
    }
}

fn exists(file: &Path) -> BackupError {
    BackupError(format!("{} exists already and is not overwritten; choose another name", file.display()))
}

fn add_files(
    archive: &mut ArchiveWriter<&File>,
    files: Vec<(String, PathBuf)>,
    progress: &Progress,
) -> Result<usize, BackupError> {
    progress.step("packing files", u64::try_from(files.len()).ok());
    let mut added = 0;
    for (name, path) in files {
        progress.advance(1);
        match File::open(&path) {
            Ok(file) => archive.add_file(&name, &file)?,
            // The shop goes on while the backup is made; what was removed meanwhile is not in it.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(BackupError::at(&path)(error)),
        }
        added += 1;
    }
    Ok(added)
}

/// A database in a file, with what a manifest tells about it.
struct Dump {
    part: DatabasePart,
    counts: Vec<(String, u64)>,
    applied: Vec<AppliedSet>,
}

/// Writes one moment of the database into an empty file.
async fn dump(options: &BackupOptions<'_>, file: &Path) -> Result<Dump, BackupError> {
    match &options.config.database.url {
        DatabaseUrl::SqliteMemory => Err(BackupError::new("a database in memory (database.url) cannot be backed up")),
        DatabaseUrl::SqliteFile(_) => {
            options.db.write_copy(file).await?;
            let copy = Db::open_unchanging(file, Clock::system()).await?;
            let dump = describe(&mut copy.snapshot().await?, DatabasePart::Sqlite).await;
            copy.close().await;
            dump
        }
        DatabaseUrl::Postgres(url) => dump_postgres(options, url, file).await,
    }
}

async fn dump_postgres(options: &BackupOptions<'_>, url: &PostgresUrl, file: &Path) -> Result<Dump, BackupError> {
    let mut snapshot = options.db.snapshot().await?;
    let moment = snapshot.export().await?.ok_or_else(|| BackupError::new("the database is no PostgreSQL"))?;
    let programs = ClientPrograms::new(options.variables, url);
    postgres::dump(&programs, &moment, file)?;
    let part = DatabasePart::Postgres { schema: moment.schema, server_version: moment.server_version };
    describe(&mut snapshot, part).await
}

async fn describe(snapshot: &mut Snapshot, part: DatabasePart) -> Result<Dump, BackupError> {
    Ok(Dump { part, counts: snapshot.counts().await?, applied: snapshot.applied().await? })
}
