//! `stoa invoice`: what orders cost, on paper.

mod list;
mod pdf;
mod verify;
mod xml;

use clap::Args;
use stoa_core::invoices::DocumentReference;

use super::Context;
use super::commands::{Commands, Group, actions};
use crate::failure::Failure;

pub(super) use list::print_items;
pub(super) use pdf::{Output, write_pdf};
pub(super) use xml::Form;

pub(super) fn register(commands: &mut Commands) {
    commands.add("invoice", Group::Selling, Invoice::run);
}

/// Show, print and check invoices.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa invoice list --status issued
  stoa invoice show INV-2026-000042
  stoa invoice pdf INV-2026-000042 --output invoice.pdf
  stoa invoice xml INV-2026-000042 --output invoice.xml
  stoa invoice verify")]
pub(super) struct Invoice {
    #[command(subcommand)]
    action: Action,
}

actions! {
    Invoice:
    List(list::List),
    Show(list::Show),
    Pdf(pdf::Pdf),
    Xml(xml::Xml),
    Verify(verify::Verify),
}

fn unknown(reference: &DocumentReference) -> Failure {
    Failure::operation(format!("there is no invoice {reference}; `stoa invoice list` shows all"))
}
