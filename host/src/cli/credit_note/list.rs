//! `stoa credit-note list` and `stoa credit-note show`.

use clap::Args;
use stoa_core::credit_notes::{CreditNoteFilter, CreditNoteRecord, list_credit_notes};
use stoa_core::invoices::DocumentReference;
use stoa_core::orders::OrderNumber;

use super::{Context, find, open};
use crate::cli::customer::Chosen;
use crate::cli::invoice::print_items;
use crate::failure::Failure;
use crate::output::{print_json, print_json_list, print_members, print_table};

/// List credit notes, the newest first.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa credit-note list
  stoa credit-note list --customer ada@example.com --json")]
pub(super) struct List {
    /// Only those of this customer: their e-mail address or id.
    #[arg(long, value_name = "CUSTOMER")]
    customer: Option<Chosen>,
    /// At most this many. Default: all.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl List {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let services = open(context).await?;
        let customer_id = match &self.customer {
            Some(customer) => Some(customer.find(&services.db).await?.id),
            None => None,
        };
        let filter = CreditNoteFilter { customer_id, limit: self.limit };
        let records = list_credit_notes(&services.db, &services.money, &filter).await?;
        if self.json {
            let described = records.iter().map(CreditNoteRecord::to_json).collect::<Result<Vec<_>, _>>()?;
            return print_json_list(&described);
        }
        print_table(&["NUMBER", "ISSUED", "ORDER", "CUSTOMER", "TOTAL", "REASON"], records.iter().map(row))
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
        let services = open(context).await?;
        let record = find(&services, &self.reference).await?;
        if self.json {
            return print_json(&record.to_json()?);
        }
        let (note, money) = (&record.credit_note, &services.money);
        print_members([
            ("number", note.number.clone()),
            ("status", note.status.as_str().to_owned()),
            ("issued", note.issued_at.to_string()),
            ("reason", note.reason.clone()),
            ("invoice", record.document.invoice_number.clone().unwrap_or_else(|| note.invoice_id.to_string())),
            ("order", OrderNumber::of(record.order_id).to_string()),
            ("customer", record.customer_id.to_string()),
            ("tax", money.format(note.tax_amount)),
            ("total", note.total_formatted.clone()),
        ])?;
        print_items(&note.items, money)
    }
}
