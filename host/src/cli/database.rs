//! `stoa database`: moving the shop from one database to another.

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use stoa_core::clock::Clock;
use stoa_core::commands::Progress;
use stoa_core::config::DatabaseUrl;
use stoa_core::db::copy::{CopyReport, CopyStep, TableDigest, copy_database};
use stoa_core::db::{Db, Missing, OpenOptions};

use super::Context;
use super::commands::{Commands, Group};
use crate::failure::Failure;
use crate::output::{print_json, print_line, print_remark, print_table};

/// Connections to the database that is copied into; one writes, one looks.
const TARGET_CONNECTIONS: u32 = 2;

pub(super) fn register(commands: &mut Commands) {
    commands.add("database", Group::Data, Database::run);
}

/// Move the shop to another database.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa database copy --to postgres://stoa:PASSWORD@127.0.0.1/stoa")]
pub(super) struct Database {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Copy(Copy),
}

/// Copy the whole database into an empty one, SQLite to PostgreSQL or back.
///
/// All tables of core and of the modules are copied as they are at one moment, counted, and read back and compared.
/// What is written to the shop after that moment is not in the copy, so stop the shop before you move it. When anything
/// fails, the target is left empty.
///
/// The copy needs the same key (`secrets.key_file`) and the same media folder. Other users of this machine may see the
/// URL in the list of processes; a password that is left out of it is taken from ~/.pgpass.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa database copy --to postgres://stoa:PASSWORD@127.0.0.1/stoa
  stoa database copy --to sqlite://data/copy.db --json")]
struct Copy {
    /// The database to copy into: postgres://USER:PASSWORD@HOST/NAME, which must exist, or sqlite://PATH.
    #[arg(long, value_name = "URL")]
    to: String,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Database {
    async fn run(&self, context: &Context) -> Result<(), Failure> {
        match &self.action {
            Action::Copy(copy) => copy.run(context).await,
        }
    }
}

impl Copy {
    async fn run(&self, context: &Context) -> Result<(), Failure> {
        let url = DatabaseUrl::parse(&self.to).filter(|url| *url != DatabaseUrl::SqliteMemory);
        let url =
            url.ok_or_else(|| Failure::usage("--to: expected sqlite://PATH or postgres://USER:PASSWORD@HOST/NAME"))?;
        let url = url.resolved_from(&context.environment.working_directory);
        let installation = context.working()?;
        if url == installation.config.database.url {
            return Err(Failure::usage(
                "--to: this is the database that the shop is in (database.url); name another one, which is empty",
            ));
        }
        let source = installation.open_current().await?;
        let options = OpenOptions::new(url.clone(), Missing::Create, TARGET_CONNECTIONS);
        let target = Db::open(&options, Clock::system()).await?;
        let registry = &installation.program.registry;
        let (progress, mut table) = (Progress::begin("copying"), String::new());
        let mut show = |step: CopyStep<'_>| show(&progress, step, &mut table);
        let (active, dormant) = (&registry.migrations, &registry.dormant_migrations);
        let copied = copy_database(&source, &target, active, dormant, &mut show).await;
        drop(progress);
        let copied = copied?;
        target.close().await;
        source.close().await;
        self.print(&copied, &url)
    }

    fn print(&self, copied: &CopyReport, url: &DatabaseUrl) -> Result<(), Failure> {
        if self.json {
            let tables = copied.tables.iter().map(describe).collect::<Vec<_>>();
            return print_json(&json!({"to": url.to_string(), "tables": tables, "left_out": copied.left_out}));
        }
        let rows = copied.tables.iter().map(|table| vec![table.table.clone(), table.rows.to_string()]);
        print_table(&["TABLE", "ROWS"], rows)?;
        if !copied.left_out.is_empty() {
            let tables = copied.left_out.join(", ");
            print_remark(&format!("stoa: not copied, since no migration has made them: {tables}"));
        }
        print_line(&format!("copied and compared; set `database.url` to \"{url}\" to use the copy, with the same key"))
    }
}

fn describe(table: &TableDigest) -> Value {
    json!({"table": table.table, "rows": table.rows, "sha256": table.sha256})
}

fn show(progress: &Progress, step: CopyStep<'_>, table: &mut String) {
    match step {
        CopyStep::Table { name, rows } => {
            name.clone_into(table);
            progress.step(format!("copying {name}"), Some(rows));
        }
        CopyStep::Rows(rows) => progress.advance(rows),
        CopyStep::Comparing => progress.step(format!("comparing {table}"), None),
    }
}
