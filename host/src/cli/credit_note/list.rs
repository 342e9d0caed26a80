//! `stoa credit-note list` and `stoa credit-note show`.

use clap::Args;
use stoa_core::credit_notes::{CreditNoteFilter, CreditNoteRecord, list_credit_notes};
use stoa_core::invoices::DocumentReference;
use stoa_core::orders::OrderNumber;

use super::{Context, find, open};
use crate::cli::invoice::print_items;
use crate::cli::list_options::{ListOptions, OfCustomer};
use crate::failure::Failure;
use crate::output::{print_json, print_members};

/// List credit notes, the newest first.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa credit-note list
  stoa credit-note list --customer ada@example.com --json")]
pub(super) struct List {
    #[command(flatten)]
    of: OfCustomer,
    #[command(flatten)]
    options: ListOptions,
}

impl List {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let parts = open(context).await?;
        let customer_id = self.of.id(&parts.db).await?;
        let filter = CreditNoteFilter { customer_id, limit: self.options.limit };
        let records = list_credit_notes(&parts.db, &parts.money, &filter).await?;
        self.options.print(
            &records,
            CreditNoteRecord::to_json,
            &["NUMBER", "ISSUED", "ORDER", "CUSTOMER", "TOTAL", "REASON"],
            row,
            "one is written when money goes back, as by `stoa order refund`",
        )
    }
}

fn row(record: &CreditNoteRecord) -> Vec<String> {
    let note = &record.credit_note;
    vec![
        note.number.clone(),
        note.issued_at.to_string(),
        OrderNumber::of(record.order_id).to_string(),
        record.customer_id.to_string(),
        note.total_formatted.clone(),
        note.reason.clone(),
    ]
}

/// Show a credit note.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa credit-note show CN-2026-000003
  stoa credit-note show 3 --json")]
pub(super) struct Show {
    /// The credit note's number or id.
    #[arg(value_name = "CREDIT-NOTE")]
    reference: DocumentReference,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let parts = open(context).await?;
        let record = find(&parts.db, &parts.money, &self.reference).await?;
        if self.json {
            return print_json(&record.to_json()?);
        }
        let (note, money) = (&record.credit_note, &parts.money);
        print_members([
            ("number", note.number.clone()),
            ("status", note.status.as_str().to_owned()),
            ("issued", note.issued_at.to_string()),
            ("reason", note.reason.clone()),
            ("invoice", record.document.invoice_number.clone().unwrap_or_else(|| note.invoice_id.to_string())),
            ("order", OrderNumber::of(record.order_id).to_string()),
            ("customer", record.customer_id.to_string()),
            ("tax", money.format_in(note.tax_amount, &note.currency)),
            ("total", note.total_formatted.clone()),
        ])?;
        print_items(&note.items, &note.currency, money)
    }
}
