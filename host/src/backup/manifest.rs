//! What a backup says about itself.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use stoa_core::db::Backend;
use stoa_core::db::copy::AppliedSet;

use super::BackupError;

/// The version of the archive's form. It is raised when older programs could not restore what newer ones write.
pub(super) const FORMAT: u32 = 2;

/// The members of an archive besides the files of its folders.
pub(super) const MANIFEST: &str = "manifest.json";
pub(super) const KEY: &str = "secrets.key";
pub(super) const CONFIGURATION: &str = "config.toml";
pub(super) const SQLITE: &str = "database.sqlite";
pub(super) const POSTGRES: &str = "database.pgdump";

/// The folder of an archive that holds the files of `media.folder`.
pub(super) const MEDIA: &str = "media/";

/// The folder of an archive that holds the files of a module.
pub(super) fn folder_of(module: &str) -> String {
    format!("{module}/")
}

/// What a backup says about itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Manifest {
    pub(super) format: u32,
    /// The version of the program that made it.
    pub(super) stoa: String,
    pub(super) created_at: DateTime<Utc>,
    pub(super) database: DatabasePart,
    pub(super) key_fingerprint: String,
    pub(super) migrations: BTreeMap<String, Vec<Migration>>,
    /// The number of rows in each table.
    pub(super) tables: BTreeMap<String, u64>,
    /// The modules whose folders are in the archive, each below its name.
    #[serde(default)]
    pub(super) folders: Vec<String>,
    /// The variables that were settings besides the configuration file; what they said is not in the backup.
    #[serde(default)]
    pub(super) variables: Vec<String>,
    /// The bucket that its pictures lay in, which no backup holds.
    #[serde(default)]
    pub(super) media_bucket: Option<String>,
    /// All members of the archive but the manifest itself.
    pub(super) members: BTreeMap<String, Member>,
}

/// The database in the archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum DatabasePart {
    Sqlite,
    Postgres {
        /// The schema that held the tables.
        schema: String,
        /// The version of the server that was dumped, such as 170002.
        server_version: i64,
    },
}

/// A migration that had run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Migration {
    pub(super) version: i64,
    pub(super) checksum: String,
}

/// A member of the archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Member {
    pub(super) size: u64,
    pub(super) sha256: String,
}

impl DatabasePart {
    pub(super) fn backend(&self) -> Backend {
        match self {
            Self::Sqlite => Backend::Sqlite,
            Self::Postgres { .. } => Backend::Postgres,
        }
    }

    /// The member that holds it.
    pub(super) fn member(&self) -> &'static str {
        match self {
            Self::Sqlite => SQLITE,
            Self::Postgres { .. } => POSTGRES,
        }
    }
}

impl Manifest {
    /// Reads a manifest; one of a newer form is refused.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, BackupError> {
        #[derive(Deserialize)]
        struct Format {
            format: u32,
            stoa: String,
        }
        let unreadable = |error| BackupError(format!("the manifest of the backup cannot be read: {error}"));
        let head = serde_json::from_slice::<Format>(bytes).map_err(unreadable)?;
        if head.format > FORMAT {
            return Err(BackupError(format!(
                "the backup was made by stoa {}, in format {}, and this program reads up to format {FORMAT}; \
                 restore it with that version or a newer one",
                head.stoa, head.format
            )));
        }
        serde_json::from_slice(bytes).map_err(unreadable)
    }

    /// The migrations in the form that a database gives them.
    pub(super) fn applied(&self) -> Result<Vec<AppliedSet>, BackupError> {
        let set = |(set, migrations): (&String, &Vec<Migration>)| {
            let decode = |migration: &Migration| Some((migration.version, hex::decode(&migration.checksum).ok()?));
            let migrations = migrations.iter().map(decode).collect::<Option<_>>()?;
            Some(AppliedSet { set: set.clone(), migrations })
        };
        let applied = self.migrations.iter().map(set).collect::<Option<_>>();
        applied.ok_or_else(|| BackupError::new("the manifest of the backup names a checksum that is none"))
    }
}

/// Migrations in the form of a manifest.
pub(super) fn migrations(applied: &[AppliedSet]) -> BTreeMap<String, Vec<Migration>> {
    let encode =
        |(version, checksum): &(i64, Vec<u8>)| Migration { version: *version, checksum: hex::encode(checksum) };
    applied.iter().map(|set| (set.set.clone(), set.migrations.iter().map(encode).collect())).collect()
}
