//! `stoa restore`: a shop from its backup.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};
use stoa_core::clock::Clock;
use stoa_core::commands::Progress;
use stoa_core::db::DbError;
use stoa_kernel::audit::Subject;

use super::Context;
use super::commands::{Commands, Group};
use crate::backup::{
    BroughtConfiguration, Guard, Overwrite, RestoreOptions, RestoreStep, RestoredBackup, Stop, adopt, brought, restore,
};
use crate::failure::Failure;
use crate::output::{print_json, print_line, print_remark, shown_time};
use crate::written_file::WrittenFile;

pub(super) fn register(commands: &mut Commands) {
    commands.add("restore", Group::Data, Restore::run);
}

/// Restore the shop from a backup.
///
/// The backup is checked whole before anything is changed. Then the database is replaced, the files of the media folder
/// and of modules are put back (others stay), and the key is written to its file; another key that is there is kept under
/// another name. When anything fails, or the command is stopped or killed, the shop stays as it was. Stop the shop first.
///
/// A backup of SQLite is restored to SQLite, one of PostgreSQL to PostgreSQL, for which `pg_restore` and `psql` must be
/// installed; `stoa database copy` moves a shop from one to the other.
///
/// Where there is no config.toml, the backup's is put back as well: without settings that lead out of its folder, such as the
/// `database.url` of a server, and with `worker.enabled = false`, so that the restored shop sends nothing to customers and charges
/// nobody until you switch that on. A configuration that is there stays, and decides.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa restore /var/backups/stoa-2026-01-15.tar.gz
  stoa restore shop.tar.gz --force             replace the shop that is there
  STOA_WORKER__ENABLED=false stoa serve        look at it without reaching customers")]
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
    async fn run(&self, context: &Context) -> Result<(), Failure> {
        let file = context.environment.working_directory.join(&self.file);
        let mut guard = Guard::start(context.environment.executable.as_deref().unwrap_or(Path::new("stoa")))?;
        let restored = self.restore(context, &file, &mut guard).await;
        guard.end();
        let (restored, brought) = restored?;
        if let Err(failure) = audit(context, &file, &restored).await {
            print_remark(&format!("stoa: the audit log does not tell of this restore: {failure}"));
        }
        self.print(&restored, brought.as_ref())
    }

    async fn restore(
        &self,
        context: &Context,
        file: &Path,
        guard: &mut Guard,
    ) -> Result<(RestoredBackup, Option<BroughtFile>), Failure> {
        let brought = BroughtFile::lay_down(context, file, guard)?;
        let installation = context.working()?;
        let registry = &installation.program.registry;
        let progress = Progress::begin("restoring");
        let options = RestoreOptions {
            config: &installation.config,
            active: &registry.migrations,
            dormant: &registry.dormant_migrations,
            folders: &registry.backup_folders,
            variables: &context.environment.variables,
            overwrite: if self.force { Overwrite::Allowed } else { Overwrite::Refused },
            stop: Stop::on_signals()?,
            now: Clock::system().now(),
            progress: &progress,
        };
        Ok((restore(&options, file, guard).await?, brought))
    }

    fn print(&self, restored: &RestoredBackup, brought: Option<&BroughtFile>) -> Result<(), Failure> {
        let RestoredBackup { created_at, tables, media_files, media_bucket, module_files, .. } = restored;
        // Nobody knows here whether the shop went on after the backup: the database that would tell is gone.
        print_remark(&format!(
            "stoa: warning: the numbers of orders, invoices and credit notes go on from {}. If the shop has sold anything since \
             then, they would be given a second time: set `invoices.prefix` and `invoices.credit_note_prefix` to others, such as \
             \"INV-B\" and \"CN-B\", before it sells again",
            shown_time(*created_at)
        ));
        if self.json {
            return print_json(&json!({
                "file": self.file.display().to_string(), "created_at": created_at, "tables": tables,
                "media_files": media_files, "media_bucket": media_bucket, "module_files": module_files,
                "key_written": restored.key_written, "key_aside": restored.key_aside,
                "pending_migrations": restored.pending_migrations, "unknown_modules": restored.unknown_modules,
                "configuration": brought.map(|brought| &brought.file), "variables": restored.variables,
            }));
        }
        let rows = tables.values().sum::<u64>();
        let time = created_at.format("%Y-%m-%d %H:%M:%S UTC");
        print_line(&format!(
            "restored the shop of {time}: {rows} rows, {media_files} media files and {module_files} files of modules"
        ))?;
        if let Some(bucket) = media_bucket {
            print_line(&format!(
                "its pictures lay in {bucket}, and are in no backup: they are shown as long as `media.url` names it or a copy of it"
            ))?;
        }
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
        if !restored.variables.is_empty() {
            let variables = restored.variables.join(", ");
            print_line(&format!("the shop was also configured by variables, which are in no backup: {variables}"))?;
        }
        match brought {
            Some(brought) => brought.print(),
            None => print_line(
                "the configuration here stays as it is; to look at the shop without reaching customers, start it without \
                 its worker: STOA_WORKER__ENABLED=false stoa serve",
            ),
        }
    }
}

/// Has the restored shop's audit log tell of the restore. That of a shop which is still to be migrated may look otherwise, so nothing is
/// written there.
async fn audit(context: &Context, file: &Path, restored: &RestoredBackup) -> Result<(), Failure> {
    if restored.pending_migrations > 0 {
        return Ok(());
    }
    let db = context.working()?.open_current().await?;
    let audited = db.write(async |tx| -> Result<(), DbError> {
        let backup = Subject::new("backup", shown_time(restored.created_at));
        let after = json!({"file": file.display().to_string(), "made_at": restored.created_at});
        tx.audit_operator("backup.restore", backup, Value::Null, after).await
    });
    audited.await?;
    db.close().await;
    Ok(())
}

/// The configuration of a backup, in a folder that had none.
struct BroughtFile {
    file: PathBuf,
    left_out: Vec<String>,
}

impl BroughtFile {
    /// Writes it for the folder's owner only, unless there is a configuration already, or none in the backup.
    fn lay_down(context: &Context, archive: &Path, guard: &mut Guard) -> Result<Option<Self>, Failure> {
        let file = context.environment.working_directory.join("config.toml");
        if context.config.is_some() || file.try_exists().unwrap_or(true) {
            return Ok(None);
        }
        let Some(BroughtConfiguration { text, left_out }) = brought(archive)? else { return Ok(None) };
        guard.note(&RestoreStep::WriteFile { file: file.clone(), aside: None })?;
        let mut written = WrittenFile::begin(&file)?;
        written.write_all(text.as_bytes()).map_err(|error| written.failed(&error))?;
        written.persist()?;
        let adopted = adopt(&file, &context.environment.working_directory);
        adopted.map_err(|error| Failure::operation(format!("{}: {error}", file.display())))?;
        Ok(Some(Self { file, left_out }))
    }

    fn print(&self) -> Result<(), Failure> {
        let file = self.file.display();
        print_line(&format!(
            "{file} is the backup's, with worker.enabled = false: `stoa serve` sends nothing to customers and charges nobody \
             until you set it to true"
        ))?;
        if self.left_out.is_empty() {
            return Ok(());
        }
        let left_out = self.left_out.join(", ");
        print_line(&format!("left out of it, since they name what is not in this folder: {left_out}"))
    }
}
