//! `stoa customer export` and `stoa customer anonymize`: what a person may ask of a shop about themselves.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Map, Value};
use stoa_core::commands::Progress;
use stoa_core::customers::{Anonymization, AnonymizeError, CustomerExporting, anonymize_customer, exported_document};
use stoa_core::events::Event;
use stoa_core::module::Registry;

use super::Context;
use super::argument::Which;
use crate::cli::question::Consent;
use crate::failure::Failure;
use crate::output::{print_json, print_line, print_remark};
use crate::written_file::WrittenFile;

/// Print everything that the shop keeps about a customer as JSON.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa customer export --email ada@example.com
  stoa customer export 1001 --output ada.json")]
pub(super) struct Export {
    #[command(flatten)]
    which: Which,
    /// Write into this file, which only you may read, instead of printing.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print JSON, which is what is printed anyway.
    #[arg(long)]
    json: bool,
}

impl Export {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let installation = context.working()?;
        let db = installation.open_current().await?;
        let account = self.which.chosen().find(&db).await?;
        let registry = &installation.program.registry;
        let shop = &installation.config.shop.name;
        let progress = Progress::begin("gathering what is kept of the customer");
        let document = exported_document(&db, &registry.events, shop, &account).await?;
        drop(progress);
        let silent = silent_modules(registry);
        if !silent.is_empty() {
            print_remark(&format!("What modules that are switched off keep is not in it: {}", silent.join(", ")));
        }
        let Some(file) = &self.output else { return print_json(&document) };
        write_private(file, &document)?;
        if self.json {
            return print_json(&serde_json::json!({"id": account.id, "file": file}));
        }
        print_line(&format!("exported customer {} to {}", account.id, file.display()))
    }
}

/// Modules that would add to an export if they were switched on.
fn silent_modules(registry: &Registry) -> Vec<&'static str> {
    let listens = |(event, _): &(&str, &str)| *event == CustomerExporting::NAME;
    let silent = registry.modules.iter().filter(|module| !module.enabled && module.events.iter().any(listens));
    silent.map(|module| module.entry.name).collect()
}

/// Writes the document into a file with rights for its owner only.
fn write_private(file: &Path, document: &Map<String, Value>) -> Result<(), Failure> {
    let mut text = serde_json::to_vec_pretty(document)?;
    text.push(b'\n');
    let mut file = WrittenFile::begin(file)?;
    file.write_all(&text).map_err(|error| file.failed(&error))?;
    file.persist()
}

/// Erase everything personal about a customer. This cannot be undone.
#[derive(Debug, Args)]
#[command(after_help = "Access tokens, sessions, addresses and the account are erased; orders and invoices stay.
The e-mail address can be used for a new customer. On a terminal, you are asked first.

Examples:
  stoa customer anonymize --email ada@example.com
  stoa customer anonymize 1001 --yes --json")]
pub(super) struct Anonymize {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    consent: Consent,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Anonymize {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let db = context.working()?.open_current().await?;
        let account = self.which.chosen().find(&db).await?;
        if account.anonymized_at.is_none() {
            let (id, name, email) = (account.id, &account.name, &account.email);
            let question = format!("Erase customer {id}, {name} ({email})? This cannot be undone.");
            self.consent.confirm(&question, "nothing was erased")?;
        }
        let (account, outcome) = anonymize_customer(&db, account.id).await.map_err(explain)?;
        if self.json {
            return print_json(&account.to_json());
        }
        print_line(&match outcome {
            Anonymization::Done => format!("customer {} is anonymized", account.id),
            Anonymization::DoneBefore => format!("customer {} is anonymized already", account.id),
        })
    }
}

/// A refusal in the words that the listener gave it.
fn explain(error: AnonymizeError) -> Failure {
    match error {
        AnonymizeError::Refused(veto) => Failure::operation(format!("nothing was erased: {}", veto.message)),
        error => Failure::from(error),
    }
}
