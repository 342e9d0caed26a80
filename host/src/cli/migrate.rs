//! `stoa migrate`: applying migrations, and showing which have run.

use clap::{Args, Subcommand};
use serde_json::json;
use stoa_core::commands::Progress;
use stoa_core::db::{MigrationState, MigrationStatus, Missing};

use super::Context;
use super::commands::{Commands, Group};
use crate::failure::Failure;
use crate::output::{print_json_list, print_line, print_table};

pub(super) fn register(commands: &mut Commands) {
    commands.add("migrate", Group::RunTheShop, Migrate::run);
}

/// Apply pending migrations, or show them.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  stoa migrate\n  stoa migrate status --json")]
pub(super) struct Migrate {
    #[command(subcommand)]
    action: Option<Action>,
    /// Print what was done as JSON.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Show which migrations have run; changes nothing.
    #[command(after_help = "Examples:\n  stoa migrate status\n  stoa migrate status --json")]
    Status,
}

impl Migrate {
    async fn run(&self, context: &Context) -> Result<(), Failure> {
        let installation = context.working()?;
        match self.action {
            Some(Action::Status) => {
                let db = installation.open(Missing::Refuse).await?;
                let sets = installation.migration_sets(&db).await?;
                self.show(&db.migration_status(&sets).await?)
            }
            None => {
                let db = installation.open(Missing::Create).await?;
                installation.refuse_foreign(&db).await?;
                let sets = installation.migration_sets(&db).await?;
                let pending = db.migration_status(&sets).await?;
                let pending = pending.into_iter().filter(|migration| migration.state == MigrationState::Pending);
                let mut applied = pending.collect::<Vec<_>>();
                let progress = Progress::begin("bringing the database up to date");
                db.migrate(&sets).await?;
                drop(progress);
                installation.note_key_and_currency(&db).await?;
                for migration in &mut applied {
                    migration.state = MigrationState::Applied;
                }
                if applied.is_empty() && !self.json {
                    return print_line("nothing to apply: the database is current");
                }
                self.show(&applied)
            }
        }
    }

    fn show(&self, found: &[MigrationStatus]) -> Result<(), Failure> {
        if self.json {
            let items = found.iter().map(|migration| {
                json!({"set": migration.set, "version": migration.version, "description": migration.description,
                       "state": migration.state.as_str()})
            });
            return print_json_list(&items.collect::<Vec<_>>());
        }
        let rows = found.iter().map(|migration| {
            vec![
                migration.set.to_owned(),
                format!("{:04}", migration.version),
                migration.description.clone(),
                migration.state.as_str().to_owned(),
            ]
        });
        print_table(&["SET", "NUMBER", "NAME", "STATE"], rows)
    }
}
