//! Looking at a module, rule by rule.

use std::path::Path;

use stoa_kernel::config::DatabaseUrl;
use stoa_kernel::db::{MigrationState, MigrationStatus};
use stoa_kernel::module::ModuleEntry;

use super::report::Report;
use super::rule::Rule;
use super::subject::Subject;
use super::{
    both_databases, command, console, document, mails, names, on_and_off, panels, reads, running, schema, settings,
    strangers, writes,
};

/// What is known besides the module itself.
#[derive(Debug, Clone)]
pub struct Evidence {
    /// The module's README, if its sources are at hand.
    pub readme: Option<String>,
    /// The state of its migrations in an installation, or why there is nothing to compare with.
    pub applied: Result<Vec<MigrationStatus>, String>,
    /// A PostgreSQL database, in which a schema is made and dropped again; none leaves that database out.
    pub postgres: Option<DatabaseUrl>,
}

/// Nothing besides the module.
impl Default for Evidence {
    fn default() -> Self {
        let applied = Err(String::from("there is no installation to compare with"));
        Self { readme: None, applied, postgres: None }
    }
}

impl Evidence {
    /// What the folder of a crate's sources tells.
    pub fn of_sources(folder: &Path) -> Self {
        Self { readme: std::fs::read_to_string(folder.join("README.md")).ok(), ..Self::default() }
    }
}

/// Why a module could not be looked at: the machine failed, not the module.
#[derive(Debug, thiserror::Error)]
#[error("the module `{module}` could not be looked at: {reason}")]
pub struct UncheckedModule {
    pub(super) module: &'static str,
    pub(super) reason: String,
}

/// Looks at a module, on databases in memory and, if there is one to do it in, a schema that is dropped again.
pub async fn check_module(entry: ModuleEntry, evidence: &Evidence) -> Result<Report, UncheckedModule> {
    // It holds whole shops, which whoever waits for it shall not.
    Box::pin(look(entry, evidence)).await
}

async fn look(entry: ModuleEntry, evidence: &Evidence) -> Result<Report, UncheckedModule> {
    let mut report = Report::of(entry.name);
    let failed = |reason: String| UncheckedModule { module: entry.name, reason };
    let subject = match Subject::freeze(entry) {
        Ok(subject) => subject,
        Err(problems) => {
            for problem in problems.config {
                let mend = "`register` has to work with the settings' defaults; see the author's guide";
                report.breach(Rule::Registers, entry.name, problem.to_string(), mend);
            }
            for problem in problems.registration {
                report.breach(Rule::Registers, entry.name, problem, "see the author's guide");
            }
            report.leave_out_all_but(Rule::Registers, "the module does not register");
            return Ok(report);
        }
    };
    document::look(&subject, &mut report);
    names::look(&subject, &mut report);
    command::look(&subject, &mut report);
    settings::look(&subject, evidence, &mut report);
    mails::look(&subject, evidence, &mut report);
    panels::look(&subject, &mut report);
    writes::look(&subject, &mut report);
    reads::look(&subject, &mut report);
    frozen(&subject, evidence, &mut report);
    on_and_off::look_off(entry, &mut report).await.map_err(failed)?;

    let db = subject.open_database().await.map_err(failed)?;
    let Some(tables) = schema::look(&subject, &db, &mut report).await.map_err(failed)? else {
        return Ok(report.sorted());
    };
    console::look(entry, &tables, &mut report).await.map_err(failed)?;
    schema::look_for_persons(&subject, &tables, &mut report);
    let both = both_databases::look(&subject, &db, &tables, evidence.postgres.as_ref(), &mut report);
    both.await.map_err(failed)?;
    let routes = subject.routes();
    let shop = subject.open(db).await.map_err(failed)?;
    running::look(entry.name, &shop, &mut report).await;
    // Its rows belong to the first customer there is.
    strangers::look(&routes, &shop, &tables, &mut report).await.map_err(failed)?;
    on_and_off::look_on(&routes, &shop, &mut report).await.map_err(failed)?;
    Ok(report.sorted())
}

fn frozen(subject: &Subject, evidence: &Evidence, report: &mut Report) {
    let applied = match &evidence.applied {
        Ok(applied) => applied,
        Err(why) => return report.leave_out(Rule::FrozenMigrations, why),
    };
    for migration in applied.iter().filter(|migration| migration.set == subject.name()) {
        let place = format!("migration {:04} ({})", migration.version, migration.description);
        match migration.state {
            MigrationState::Changed => {
                let mend = "put its text back, and write what is new into a file with the next number";
                report.breach(Rule::FrozenMigrations, place, "it has run in this database with another text", mend);
            }
            MigrationState::Unknown => {
                let mend = "put the file back: a migration that has run is never removed";
                report.breach(Rule::FrozenMigrations, place, "it has run in this database and is gone", mend);
            }
            MigrationState::Applied | MigrationState::Pending => {}
        }
    }
}
