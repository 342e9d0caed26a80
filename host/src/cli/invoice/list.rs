//! `stoa invoice list` and `stoa invoice show`.

use clap::Args;
use stoa_core::invoices::{
    DocumentItem, DocumentReference, InvoiceFilter, InvoiceRecord, InvoiceStatus, find_invoice, list_invoices,
};
use stoa_core::money::MoneyFormatter;
use stoa_core::orders::OrderNumber;

use super::{Context, unknown};
use crate::cli::list_options::{ListOptions, OfCustomer};
use crate::cli::one_of::one_of;
use crate::cli::order::open;
use crate::failure::Failure;
use crate::output::{print_json, print_line, print_members};

/// List invoices, the newest first.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa invoice list --status issued
  stoa invoice list --customer ada@example.com --json
  stoa invoice list --limit 20")]
pub(super) struct List {
    /// Only those in this state.
    #[arg(long, value_parser = one_of(InvoiceStatus::ALL, InvoiceStatus::as_str))]
    status: Option<InvoiceStatus>,
    #[command(flatten)]
    of: OfCustomer,
    #[command(flatten)]
    options: ListOptions,
}

impl List {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let parts = open(context).await?;
        let customer_id = self.of.id(&parts.db).await?;
        let filter = InvoiceFilter { status: self.status, customer_id, limit: self.options.limit };
        let records = list_invoices(&parts.db, &parts.money, &filter).await?;
        let head = ["NUMBER", "ISSUED", "STATUS", "ORDER", "CUSTOMER", "TOTAL", "CREDITED"];
        self.options.print(
            &records,
            InvoiceRecord::to_json,
            &head,
            |record| row(record, &parts.money),
            "each order has an invoice",
        )
    }
}

fn row(record: &InvoiceRecord, money: &MoneyFormatter) -> Vec<String> {
    let invoice = &record.invoice;
    vec![
        invoice.number.clone(),
        invoice.issued_at.to_string(),
        invoice.status.as_str().to_owned(),
        OrderNumber::of(invoice.order_id).to_string(),
        record.customer_id.to_string(),
        invoice.total_formatted.clone(),
        money.format_in(invoice.credited_amount, &invoice.currency),
    ]
}

/// Show an invoice.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa invoice show INV-2026-000042
  stoa invoice show 42 --json")]
pub(super) struct Show {
    /// The invoice's number or id.
    #[arg(value_name = "INVOICE")]
    reference: DocumentReference,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let parts = open(context).await?;
        let found = find_invoice(&parts.db, &parts.money, &self.reference).await?;
        let record = found.ok_or_else(|| unknown(&self.reference))?;
        if self.json {
            return print_json(&record.to_json()?);
        }
        let (invoice, money) = (&record.invoice, &parts.money);
        let nonzero = |amount: i64| (amount != 0).then(|| money.format_in(amount, &invoice.currency));
        let notes = invoice.credit_notes.iter().map(|note| note.number.as_str()).collect::<Vec<_>>().join(", ");
        let members = [
            ("number", Some(invoice.number.clone())),
            ("status", Some(invoice.status.as_str().to_owned())),
            ("issued", Some(invoice.issued_at.to_string())),
            ("order", Some(OrderNumber::of(invoice.order_id).to_string())),
            ("customer", Some(record.customer_id.to_string())),
            ("subtotal", Some(money.format_in(invoice.subtotal_amount, &invoice.currency))),
            ("discount", nonzero(invoice.discount_amount)),
            ("shipping", nonzero(invoice.shipping_amount)),
            ("tax", nonzero(invoice.tax_amount)),
            ("total", Some(invoice.total_formatted.clone())),
            ("credited", nonzero(invoice.credited_amount)),
            ("credit notes", (!notes.is_empty()).then_some(notes)),
        ];
        print_members(members.into_iter().filter_map(|(name, value)| Some((name, value?))))?;
        print_items(&invoice.items, &invoice.currency, money)
    }
}

/// Prints the lines of an invoice or a credit note.
pub(in crate::cli) fn print_items(
    items: &[DocumentItem],
    currency: &str,
    money: &MoneyFormatter,
) -> Result<(), Failure> {
    print_line("\nItems:")?;
    for item in items {
        let price = money.format_in(item.line_total_amount, currency);
        print_line(&format!("  {} x {}, {price}", item.quantity, item.label))?;
    }
    Ok(())
}
