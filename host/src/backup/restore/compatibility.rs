//! Whether this program can work with the database in a backup.

use stoa_core::db::{MigrationSet, MigrationState};

use crate::backup::BackupError;
use crate::backup::manifest::Manifest;

/// What the migrations in a backup mean for this program.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Compatibility {
    /// Migrations that are applied when the shop starts.
    pub(super) pending: usize,
    /// Modules with tables in the backup that this program does not contain.
    pub(super) unknown_modules: Vec<String>,
}

impl Compatibility {
    /// Refuses a database that is newer than this program, or was made by other migrations.
    pub(super) fn check(
        manifest: &Manifest,
        active: &[MigrationSet],
        dormant: &[MigrationSet],
    ) -> Result<Self, BackupError> {
        let backend = manifest.database.backend();
        let applied = manifest.applied()?;
        let (mut pending, mut unknown_modules) = (0, Vec::new());
        for ran in &applied {
            let Some(set) = active.iter().chain(dormant).find(|set| set.name() == ran.set) else {
                unknown_modules.push(ran.set.clone());
                continue;
            };
            for migration in set.status(backend, &ran.migrations) {
                match migration.state {
                    MigrationState::Unknown => {
                        return Err(BackupError(format!(
                            "the backup was made by stoa {}, whose database is newer than this program: migration {} of \
                             `{}` is unknown here; restore it with that version or a newer one",
                            manifest.stoa, migration.version, ran.set
                        )));
                    }
                    MigrationState::Changed => {
                        return Err(BackupError(format!(
                            "migration {} ({}) of `{}` is not the one that made the database in the backup; restore it \
                             with stoa {}",
                            migration.version, migration.description, ran.set, manifest.stoa
                        )));
                    }
                    MigrationState::Applied | MigrationState::Pending => {}
                }
            }
        }
        for set in active {
            let ran = applied.iter().find(|ran| ran.set == set.name());
            let status = set.status(backend, ran.map_or(&[], |ran| &ran.migrations));
            pending += status.iter().filter(|migration| migration.state == MigrationState::Pending).count();
        }
        Ok(Self { pending, unknown_modules })
    }
}
