//! `stoa module check`: whether the modules of this program keep the rules that all modules have.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use stoa_core::commands::Progress;
use stoa_core::config::DatabaseUrl;
use stoa_core::conformance::{Evidence, Report, Rule, check_module};
use stoa_core::db::{MigrationStatus, Missing};
use stoa_core::module::{Linked, ModuleEntry};
use stoa_core::suggestion::{closest, did_you_mean};

use super::Context;
use super::commands::{Commands, Group};
use crate::failure::Failure;
use crate::output::{print_json_list, print_line};

pub(super) fn register(commands: &mut Commands) {
    commands.add("module", Group::Authors, ModuleCommandLine::run);
}

/// Look at modules as their authors do.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  stoa module check\n  stoa module check gift_wrap --json")]
pub(super) struct ModuleCommandLine {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Check(Check),
}

/// Check that modules keep the rules: what they register, who may see what, their tables, names and documents.
#[derive(Debug, Args)]
#[command(
    after_help = "Each module is looked at alone, on databases that are thrown away. Of the installation only the list of migrations
is read, if there is one. Exits with 1 and a list when a rule is broken.

Examples:
  stoa module check
  stoa module check gift_wrap
  stoa module check gift_wrap --sources ../gift-wrap --json
  stoa module check --postgres postgres://postgres@127.0.0.1/postgres"
)]
struct Check {
    /// The module; all modules of this program without it.
    name: Option<String>,
    /// The folder of the module's crate, for its README; known by itself to programs that are compiled for development.
    #[arg(long, value_name = "DIR", requires = "name")]
    sources: Option<PathBuf>,
    /// A PostgreSQL database, for what can be seen there only: a schema is made in it, and dropped again.
    #[arg(long, value_name = "URL")]
    postgres: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl ModuleCommandLine {
    async fn run(&self, context: &Context) -> Result<(), Failure> {
        let Action::Check(check) = &self.action;
        check.run(context).await
    }
}

impl Check {
    async fn run(&self, context: &Context) -> Result<(), Failure> {
        let linked = Linked::collect();
        if let Some(twice) = linked.duplicates().first() {
            return Err(Failure::operation(format!("{twice}; give one of them another name")));
        }
        let chosen = self.chosen(&linked)?;
        if chosen.is_empty() && !self.json {
            return print_line("this program links no modules");
        }
        let postgres = self.postgres.as_deref().map(postgres_url).transpose()?;
        let applied = applied(context).await.map_err(|failure| failure.to_string());
        let mut reports = Vec::new();
        let progress = Progress::begin("checking modules");
        progress.step("checking modules", u64::try_from(chosen.len()).ok());
        for entry in chosen {
            let evidence =
                Evidence { applied: applied.clone(), postgres: postgres.clone(), ..self.evidence(context, &entry)? };
            // A database of its own for each: modules must not depend on one another.
            reports.push(check_module(entry, &evidence).await?);
            progress.advance(1);
        }
        drop(progress);
        let broken = reports.iter().map(|report| report.breaches.len()).sum::<usize>();
        if self.json {
            print_json_list(&reports)?;
            return if broken == 0 { Ok(()) } else { Err(Failure::Said) };
        }
        if broken == 0 {
            return reports.iter().try_for_each(|report| print_line(&kept(report)));
        }
        let list = reports.iter().flat_map(|report| {
            report.breaches.iter().map(|breach| format!("\n  {}: {breach}", report.module)).collect::<Vec<_>>()
        });
        let many = if broken == 1 { String::from("1 rule is") } else { format!("{broken} rules are") };
        // What does not register was not looked at in any other way.
        let registered =
            reports.iter().filter(|report| report.breaches.iter().all(|breach| breach.rule != Rule::Registers));
        let left_out =
            registered.flat_map(|report| left_out(report).map(|line| format!("\n  {}: {line}", report.module)));
        let list = list.chain(left_out).collect::<String>();
        Err(Failure::operation(format!("{many} broken:{list}")))
    }

    fn chosen(&self, linked: &Linked) -> Result<Vec<ModuleEntry>, Failure> {
        let Some(name) = &self.name else { return Ok(linked.entries().to_vec()) };
        let found = linked.entries().iter().filter(|entry| entry.name == name).copied().collect::<Vec<_>>();
        if found.is_empty() {
            let known = linked.names();
            let known = if known.is_empty() { String::from("no modules") } else { format!("`{}`", known.join("`, `")) };
            let meant = did_you_mean(closest(name, linked.names()));
            return Err(Failure::usage(format!(
                "this program has no module `{name}`{meant} It contains {known}. Another one gets in when its crate is in the \
                 program's Cargo.toml and is named in its `main.rs`, and the program is compiled again: `stoa new-module` writes \
                 such a crate and says both lines",
                meant = if meant.is_empty() { String::from(".") } else { meant },
            )));
        }
        Ok(found)
    }

    fn evidence(&self, context: &Context, entry: &ModuleEntry) -> Result<Evidence, Failure> {
        let folder = match &self.sources {
            Some(given) => context.environment.working_directory.join(given),
            None => match entry.folder {
                Some(compiled) => PathBuf::from(compiled),
                None => return Ok(Evidence::default()),
            },
        };
        let evidence = Evidence::of_sources(&folder);
        if self.sources.is_some() && evidence.readme.is_none() {
            return Err(Failure::usage(format!(
                "there is no README.md in {}; name the module's crate",
                folder.display()
            )));
        }
        Ok(evidence)
    }
}

fn postgres_url(text: &str) -> Result<DatabaseUrl, Failure> {
    match DatabaseUrl::parse(text) {
        Some(url @ DatabaseUrl::Postgres(_)) => Ok(url),
        _ => Err(Failure::usage("`--postgres` takes the address of a database: postgres://USER@HOST/DATABASE")),
    }
}

/// What has run in the database of the installation, if there is one.
async fn applied(context: &Context) -> Result<Vec<MigrationStatus>, Failure> {
    let installation = context.working()?;
    let db = installation.open(Missing::Refuse).await?;
    let registry = &installation.program.registry;
    let sets = [registry.migrations.as_slice(), &registry.dormant_migrations].concat();
    Ok(db.migration_status(&sets).await?)
}

/// What is said about a module that keeps all rules.
fn kept(report: &Report) -> String {
    let looked_at = report.rules.iter().filter(|looked| looked.left_out.is_none()).count();
    let told = format!("{} keeps the rules ({looked_at} looked at)", report.module);
    let lines = [told].into_iter().chain(left_out(report));
    lines.collect::<Vec<_>>().join("\n  ")
}

fn left_out(report: &Report) -> impl Iterator<Item = String> {
    report.rules.iter().filter_map(|looked| {
        let why = looked.left_out.as_ref()?;
        Some(format!("not looked at: {}: {why}", looked.rule.name()))
    })
}
