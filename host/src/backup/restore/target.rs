//! The database that a backup is restored into.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use stoa_core::clock::Clock;
use stoa_core::config::{DatabaseUrl, PostgresUrl};
use stoa_core::db::{Db, LockError, LockedFile, Missing, OpenOptions};
use stoa_core::error_chain;

use super::journal::{RestoreStep, make_folder};
use super::occupied::{not_empty, refuse_foreign_tables, refuse_other_sessions};
use super::{Guard, Overwrite, RestoreOptions, Stop};
use crate::backup::BackupError;
use crate::backup::archive::Entry;
use crate::backup::files::TEMPORARY;
use crate::backup::folder::Rights;
use crate::backup::manifest::{DatabasePart, Manifest};
use crate::backup::ownership::adopt;
use crate::backup::postgres::{self, ClientPrograms, RestorePrograms};
use crate::backup::verify::{Unpacked, VerifiedArchive};
use crate::holdings::holdings;

/// Connections to it; one reads, one looks.
const CONNECTIONS: u32 = 2;

/// The database that a backup is restored into, found fit for it.
pub(super) enum Target {
    /// A file, which is locked, and the one that takes its place.
    Sqlite { path: PathBuf, lock: Option<LockedFile>, unpacked: PathBuf },
    /// A schema, and the programs that fill it.
    Postgres { url: PostgresUrl, schema: String, programs: RestorePrograms },
}

impl Target {
    /// Looks whether the configured database can take the backup.
    pub(super) async fn prepare(
        options: &RestoreOptions<'_>,
        manifest: &Manifest,
        guard: &mut Guard,
    ) -> Result<Self, BackupError> {
        match (&options.config.database.url, &manifest.database) {
            (DatabaseUrl::SqliteMemory, _) => {
                Err(BackupError::new("a backup cannot be restored into memory; set database.url to sqlite://PATH"))
            }
            (DatabaseUrl::SqliteFile(path), DatabasePart::Sqlite) => prepare_file(path, options.overwrite, guard).await,
            (DatabaseUrl::Postgres(url), DatabasePart::Postgres { schema, server_version }) => {
                prepare_schema(url, (schema, *server_version), options, manifest).await
            }
            (DatabaseUrl::Postgres(_), DatabasePart::Sqlite) => Err(BackupError::new(
                "the backup holds a SQLite database, and database.url is PostgreSQL; restore it with \
                 STOA_DATABASE__URL=sqlite://PATH, then copy it over with `stoa database copy --to postgres://…`",
            )),
            (DatabaseUrl::SqliteFile(_), DatabasePart::Postgres { .. }) => Err(BackupError::new(
                "the backup holds a PostgreSQL database, and database.url is SQLite; restore it with \
                 STOA_DATABASE__URL=postgres://…, then copy it over with `stoa database copy --to sqlite://PATH`",
            )),
        }
    }

    /// Unpacks the database where that can be done beforehand.
    pub(super) fn unpack(&mut self, name: &str, entry: &mut Entry<'_>) -> Result<Unpacked, BackupError> {
        match self {
            Self::Sqlite { unpacked, .. } if name == DatabasePart::Sqlite.member() => {
                let mut file = File::create(&*unpacked).map_err(BackupError::at(unpacked))?;
                io::copy(&mut entry.content, &mut file).map_err(BackupError::at(unpacked))?;
                file.sync_all().map_err(BackupError::at(unpacked))?;
                Ok(Unpacked::Read)
            }
            Self::Sqlite { .. } | Self::Postgres { .. } => Ok(Unpacked::Skipped),
        }
    }

    /// Counts the rows of what was unpacked.
    pub(super) async fn check_unpacked(&self, manifest: &Manifest) -> Result<(), BackupError> {
        let Self::Sqlite { unpacked, .. } = self else { return Ok(()) };
        let db = Db::open_unchanging(unpacked, Clock::system()).await?;
        let counts = db.snapshot().await?.counts().await;
        db.close().await;
        compare(counts?, manifest)
    }

    /// Replaces the database: all of it, or nothing.
    pub(super) async fn put_in_place(
        &mut self,
        archive: &VerifiedArchive,
        guard: &mut Guard,
        stop: &Stop,
    ) -> Result<(), BackupError> {
        match self {
            Self::Sqlite { path, lock, unpacked } => {
                let lock = lock.take().ok_or_else(|| BackupError::new("the database is in its place already"))?;
                guard.note(&RestoreStep::MoveDatabase(unpacked.clone()))?;
                lock.replace(unpacked).await.map_err(BackupError::at(path))
            }
            Self::Postgres { url, schema, programs } => {
                let member = archive.manifest.database.member();
                archive.unpack(|name, entry| {
                    if name != member {
                        return Ok(Unpacked::Skipped);
                    }
                    postgres::restore(programs, schema, &mut stop.reading(&mut *entry.content), guard)?;
                    Ok(Unpacked::Read)
                })?;
                let db =
                    open(&OpenOptions::new(DatabaseUrl::Postgres(url.clone()), Missing::Refuse, CONNECTIONS)).await?;
                let counts = db.snapshot().await?.counts().await;
                db.close().await;
                compare(counts?, &archive.manifest)
            }
        }
    }
}

/// Opens a database as it is.
async fn open(options: &OpenOptions) -> Result<Db, BackupError> {
    Db::open(options, Clock::system()).await.map_err(|error| BackupError(error_chain(&error)))
}

async fn prepare_file(path: &Path, overwrite: Overwrite, guard: &mut Guard) -> Result<Target, BackupError> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let made = make_folder(folder, &mut |step| guard.note(&step), |folder| Rights::Owner.make_folder(folder));
    made.map_err(BackupError::at(folder))?;
    // An empty file holds nothing, and opening it would make a database of it.
    if overwrite == Overwrite::Refused && fs::metadata(path).is_ok_and(|found| found.len() > 0) {
        refuse_filled(path).await?;
    }
    let lock = match LockedFile::lock(path).await {
        Ok(lock) => lock,
        // Without --force it was opened just now, so it is sound.
        Err(LockError::Damaged(_)) if overwrite == Overwrite::Allowed => LockedFile::damaged(path),
        Err(error) => return Err(BackupError(error_chain(&error))),
    };
    let unpacked = tempfile::Builder::new().prefix(&format!("{TEMPORARY}restore-")).tempfile_in(folder);
    let unpacked = unpacked.and_then(|file| Ok(file.into_temp_path().keep()?)).map_err(BackupError::at(folder))?;
    guard.note(&RestoreStep::MakeTemporary(unpacked.clone()))?;
    // The rights of a database that is there were chosen by somebody.
    if let Ok(existing) = fs::metadata(path) {
        fs::set_permissions(&unpacked, existing.permissions()).map_err(BackupError::at(&unpacked))?;
    }
    adopt(&unpacked, folder).map_err(BackupError::at(&unpacked))?;
    Ok(Target::Sqlite { path: path.to_path_buf(), lock: Some(lock), unpacked })
}

async fn refuse_filled(path: &Path) -> Result<(), BackupError> {
    let unreadable = |error: BackupError| BackupError(format!("{error}; --force replaces it"));
    let options = OpenOptions::new(DatabaseUrl::SqliteFile(path.to_path_buf()), Missing::Refuse, CONNECTIONS);
    let db = open(&options).await.map_err(unreadable)?;
    let holds = match db.snapshot().await {
        Ok(mut snapshot) => holdings(&mut snapshot).await,
        Err(error) => Err(error),
    };
    db.close().await;
    match holds.map_err(|error| unreadable(error.into()))? {
        Some(holds) => Err(not_empty(&holds)),
        None => Ok(()),
    }
}

async fn prepare_schema(
    url: &PostgresUrl,
    (schema, dumped): (&str, i64),
    options: &RestoreOptions<'_>,
    manifest: &Manifest,
) -> Result<Target, BackupError> {
    let configured = OpenOptions::configured(&options.config.database, Missing::Refuse);
    let db = open(&OpenOptions { connections: CONNECTIONS, ..configured }).await?;
    let found = {
        let mut snapshot = db.snapshot().await?;
        if let (Overwrite::Refused, Some(holds)) = (options.overwrite, holdings(&mut snapshot).await?) {
            return Err(not_empty(&holds));
        }
        refuse_foreign_tables(&mut snapshot, options, manifest).await?;
        snapshot.export().await?.ok_or_else(|| BackupError::new("the database is no PostgreSQL"))?
    };
    if found.schema != schema {
        return Err(BackupError(format!(
            "the backup was made of the schema `{schema}`, and the shop is configured to be in `{}` (search_path); \
             let them be the same",
            found.schema
        )));
    }
    let programs = ClientPrograms::new(options.variables, url);
    let programs = RestorePrograms::find(programs, dumped, found.server_version)?;
    refuse_other_sessions(&db).await?;
    db.close().await;
    Ok(Target::Postgres { url: url.clone(), schema: schema.to_owned(), programs })
}

/// Refuses a database with other numbers of rows than its backup says.
fn compare(counts: Vec<(String, u64)>, manifest: &Manifest) -> Result<(), BackupError> {
    let counts = counts.into_iter().collect::<BTreeMap<_, _>>();
    if counts == manifest.tables {
        return Ok(());
    }
    Err(BackupError::new("the restored database has other numbers of rows than the backup says; please report this"))
}
