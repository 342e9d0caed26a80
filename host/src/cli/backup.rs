//! `stoa backup`: the whole shop in one file.

use std::path::PathBuf;

use chrono::{DateTime, SubsecRound, Utc};
use clap::Args;
use serde_json::json;
use stoa_core::clock::Clock;
use stoa_core::commands::Progress;
use stoa_core::db::Missing;
use stoa_core::encryption::MissingKey;

use super::Context;
use super::commands::{Commands, Group};
use crate::backup::{BackupOptions, CreatedBackup, create};
use crate::failure::Failure;
use crate::output::{print_json, print_line};

pub(super) fn register(commands: &mut Commands) {
    commands.add("backup", Group::Data, Backup::run);
}

/// Back up the shop into one file.
///
/// The file holds the database, the media folder, the folders of modules (such as the files that are sold), the key and
/// config.toml, as `stoa restore` puts them back. Of files in a bucket (media.url) it says only where they are. Settings that come from variables are not in it, nor are files that the
/// configuration names besides, such as texts of mails. The shop may run meanwhile: the database in the backup is that of one moment. PostgreSQL
/// is dumped with `pg_dump`, which must be installed.
///
/// The file is for its owner only. Whoever has it has the shop with its customers and secrets: keep it accordingly, or
/// leave the key out, and the secrets in config.toml with it, and keep those elsewhere.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa backup /var/backups/stoa-$(date +%F).tar.gz
  stoa backup shop.tar.gz --without-key --json
  tar -tzf shop.tar.gz                         look into it")]
pub(super) struct Backup {
    /// The file to be written, which must not exist, outside the media folder.
    file: PathBuf,
    /// Leave the key out: what is encrypted in the database can then only be read with the key file.
    #[arg(long)]
    without_key: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Backup {
    async fn run(&self, context: &Context) -> Result<(), Failure> {
        let file = context.environment.working_directory.join(&self.file);
        let installation = context.working()?;
        // Pending migrations are no obstacle: the best time for a backup is just before they are applied.
        let db = installation.open(Missing::Refuse).await?;
        installation.refuse_foreign(&db).await?;
        if !installation.has_shop(&db).await? {
            return Err(Failure::operation(
                "there is no shop in the database yet; `stoa migrate` or `stoa serve` makes one",
            ));
        }
        let cipher = installation.cipher(&db, MissingKey::Refuse).await?;
        let now = Clock::system().now().trunc_subsecs(0);
        let progress = Progress::begin("backing up");
        let options = BackupOptions {
            config: &installation.config,
            config_file: installation.file.as_deref(),
            db: &db,
            folders: &installation.program.registry.backup_folders,
            key: (!self.without_key).then_some(&cipher),
            fingerprint: cipher.fingerprint(),
            variables: &context.environment.variables,
            now,
            progress: &progress,
        };
        let created = create(&options, &file).await?;
        drop(progress);
        db.close().await;
        self.print(&created, now)
    }

    fn print(&self, created: &CreatedBackup, now: DateTime<Utc>) -> Result<(), Failure> {
        let CreatedBackup { size, tables, media_files, media_bucket, module_files, configuration, variables } = created;
        let file = self.file.display().to_string();
        if self.json {
            return print_json(&json!({
                "file": file, "size": size, "created_at": now, "tables": tables, "media_files": media_files,
                "media_bucket": media_bucket,
                "module_files": module_files, "configuration": configuration, "variables": variables,
                "key": !self.without_key,
            }));
        }
        let rows = tables.values().sum::<u64>();
        let key = if self.without_key { "without the key" } else { "with the key: keep the file as safe as the shop" };
        print_line(&format!(
            "backed up {rows} rows, {media_files} media files and {module_files} files of modules to {file} ({size} bytes), {key}"
        ))?;
        if let Some(bucket) = media_bucket {
            print_line(&format!(
                "the pictures in {bucket} are not in it, nor what modules keep there: back that up at its server (versions, replication)"
            ))?;
        }
        print_line(match (configuration, self.without_key) {
            (true, false) => "the configuration is in it, as config.toml",
            (true, true) => "the configuration is in it, as config.toml without its secrets",
            (false, _) => "the configuration is not in it: there is no file that it comes from",
        })?;
        if variables.is_empty() {
            return Ok(());
        }
        print_line(&format!("settings from variables are not in it, so keep them yourself: {}", variables.join(", ")))
    }
}
