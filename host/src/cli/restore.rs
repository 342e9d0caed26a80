//! `stoa restore`: a shop from its backup.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use stoa_core::clock::Clock;

use super::Context;
use crate::backup::{Overwrite, RestoreOptions, RestoredBackup, restore};
use crate::failure::Failure;
use crate::output::{print_json, print_line};

/// Restore the shop from a backup.
///
/// The backup is checked whole before anything is changed. Then the database is replaced, the files of the media folder
/// and of modules are put back (others stay), and the key is written to its file; another key that is there is kept under
/// another name. When anything fails, the shop stays as it was. Stop the shop first.
///
/// A backup of SQLite is restored to SQLite, one of PostgreSQL to PostgreSQL, for which `pg_restore` and `psql` must be
/// installed; `stoa database copy` moves a shop from one to the other.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa restore /var/backups/stoa-2026-01-15.tar.gz
  stoa restore shop.tar.gz --force             replace the shop that is there")]
pub(super) struct Restore {
    /// A file that `stoa backup` has written.
    file: PathBuf,
    /// Replace a shop that has products, customers or orders.
    #[arg(long)]
    force: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Restore {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let file = context.environment.working_directory.join(&self.file);
        let installation = context.working()?;
        let registry = &installation.program.registry;
        let options = RestoreOptions {
            config: &installation.config,
            active: &registry.migrations,
            dormant: &registry.dormant_migrations,
            folders: &registry.backup_folders,
            variables: &context.environment.variables,
            overwrite: if self.force { Overwrite::Allowed } else { Overwrite::Refused },
            now: Clock::system().now(),
        };
        let restored = restore(&options, &file).await?;
        self.print(&restored)
    }

    fn print(&self, restored: &RestoredBackup) -> Result<(), Failure> {
        let RestoredBackup { created_at, tables, media_files, module_files, .. } = restored;
        if self.json {
            return print_json(&json!({
                "file": self.file.display().to_string(), "created_at": created_at, "tables": tables,
                "media_files": media_files, "module_files": module_files,
                "key_written": restored.key_written, "key_aside": restored.key_aside,
                "pending_migrations": restored.pending_migrations, "unknown_modules": restored.unknown_modules,
            }));
        }
        let rows = tables.values().sum::<u64>();
        let time = created_at.format("%Y-%m-%d %H:%M:%S UTC");
        print_line(&format!(
            "restored the shop of {time}: {rows} rows, {media_files} media files and {module_files} files of modules"
        ))?;
        if let Some(aside) = &restored.key_aside {
            print_line(&format!("the key that was here before is kept as {}", aside.display()))?;
        }
        if restored.pending_migrations > 0 {
            let pending = restored.pending_migrations;
            print_line(&format!("{pending} migration(s) are pending; `stoa migrate` or `stoa serve` applies them"))?;
        }
        if !restored.unknown_modules.is_empty() {
            let modules = restored.unknown_modules.join(", ");
            print_line(&format!("the backup holds tables of modules that this program does not contain: {modules}"))?;
        }
        Ok(())
    }
}
