//! What stands in the way of a restore: a shop that is in use, or other people's tables.

use std::time::Duration;

use stoa_core::db::copy::{Snapshot, fresh_counts};
use stoa_core::db::{Db, MigrationSet};

use super::RestoreOptions;
use crate::backup::BackupError;
use crate::backup::manifest::Manifest;

/// How often other programs are looked for, and how long is waited between: a program that has just been stopped may
/// still be known to the server.
const LOOKS: u32 = 20;
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

/// The refusal of a shop that is not empty.
pub(super) fn not_empty(holds: &str) -> BackupError {
    BackupError(format!(
        "there is a shop already ({holds}), which the backup would replace; make a backup of it, then use --force"
    ))
}

/// Refuses a PostgreSQL database that other Stoa programs work in.
pub(super) async fn refuse_other_sessions(db: &Db) -> Result<(), BackupError> {
    let mut others = 0;
    for _ in 0..LOOKS {
        others = db.other_connections().await?;
        if others == 0 {
            return Ok(());
        }
        tokio::time::sleep(BETWEEN_LOOKS).await;
    }
    Err(BackupError(format!(
        "other stoa programs work in this database ({others} connections); stop them first (`stoa serve`, `stoa worker`)"
    )))
}

/// Refuses a PostgreSQL schema with tables that are not a shop's, since all tables are removed from it.
pub(super) async fn refuse_foreign_tables(
    snapshot: &mut Snapshot,
    options: &RestoreOptions<'_>,
    manifest: &Manifest,
) -> Result<(), BackupError> {
    let sets = options.active.iter().chain(options.dormant).cloned().collect::<Vec<MigrationSet>>();
    let made = fresh_counts(&sets).await?;
    let modules = snapshot.applied().await?.into_iter().map(|set| set.set).collect::<Vec<_>>();
    let is_ours = |table: &str| {
        made.iter().any(|(name, _)| name == table)
            || manifest.tables.contains_key(table)
            // A module that this program does not contain; its tables start with its name.
            || modules.iter().any(|module| table.strip_prefix(module.as_str()).is_some_and(|rest| rest.starts_with('_')))
    };
    let foreign = snapshot.counts().await?.into_iter().map(|(table, _)| table).filter(|table| !is_ours(table));
    let foreign = foreign.collect::<Vec<_>>();
    if foreign.is_empty() {
        return Ok(());
    }
    Err(BackupError(format!(
        "the database holds tables that are not the shop's ({}), and restoring removes all tables; move them to another \
         schema, or restore into a database of its own",
        foreign.join(", ")
    )))
}
