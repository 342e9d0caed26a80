//! `stoa credit-note`: what of invoices was taken back.

mod list;

use clap::Args;
use stoa_core::credit_notes::{CreditNoteRecord, find_credit_note};
use stoa_core::db::Db;
use stoa_core::invoices::DocumentReference;
use stoa_core::money::MoneyFormatter;

use super::Context;
use super::commands::{Commands, Group, actions};
use super::invoice::{Form, Output, write_pdf};
use super::order::open;
use crate::failure::Failure;

pub(super) fn register(commands: &mut Commands) {
    commands.add("credit-note", Group::Selling, CreditNote::run);
}

/// Show and print credit notes.
#[derive(Debug, Args)]
#[command(after_help = "Credit notes come with refunds: `stoa order refund`. `stoa invoice verify` checks them.

Examples:
  stoa credit-note list --customer ada@example.com
  stoa credit-note show CN-2026-000003
  stoa credit-note pdf CN-2026-000003 --output credit-note.pdf
  stoa credit-note xml CN-2026-000003 --output credit-note.xml")]
pub(super) struct CreditNote {
    #[command(subcommand)]
    action: Action,
}

actions! {
    CreditNote:
    List(list::List),
    Show(list::Show),
    Pdf(Pdf),
    Xml(Xml),
}

/// Write a credit note as PDF.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa credit-note pdf CN-2026-000003 --output credit-note.pdf
  stoa credit-note pdf 3 | lp")]
struct Pdf {
    /// The credit note's number or id.
    #[arg(value_name = "CREDIT-NOTE")]
    reference: DocumentReference,
    #[command(flatten)]
    output: Output,
}

impl Pdf {
    async fn run(&self, context: &Context) -> Result<(), Failure> {
        self.output.check()?;
        let parts = open(context).await?;
        write_pdf(&find(&parts.db, &parts.money, &self.reference).await?.document, &parts.texts, &self.output)
    }
}

/// Write a credit note as an electronic invoice (EN 16931).
#[derive(Debug, Args)]
#[command(after_help = "`stoa doctor` says what electronic invoices lack.

Examples:
  stoa credit-note xml CN-2026-000003 --output credit-note.xml
  stoa credit-note xml 3 --syntax cii")]
struct Xml {
    /// The credit note's number or id.
    #[arg(value_name = "CREDIT-NOTE")]
    reference: DocumentReference,
    #[command(flatten)]
    form: Form,
}

impl Xml {
    async fn run(&self, context: &Context) -> Result<(), Failure> {
        let parts = open(context).await?;
        self.form.write(&find(&parts.db, &parts.money, &self.reference).await?.document, &parts.texts)
    }
}

async fn find(db: &Db, money: &MoneyFormatter, reference: &DocumentReference) -> Result<CreditNoteRecord, Failure> {
    let found = find_credit_note(db, money, reference).await?;
    found.ok_or_else(|| {
        Failure::operation(format!("there is no credit note {reference}; `stoa credit-note list` shows all"))
    })
}
