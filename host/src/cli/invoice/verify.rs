//! `stoa invoice verify`.

use clap::Args;
use stoa_core::commands::Progress;
use stoa_core::invoices::verify_documents;

use super::Context;
use crate::cli::order::open;
use crate::failure::Failure;
use crate::output::{print_json_list, print_line};

/// Check all invoices and credit notes: numbers without gaps, sums, and what was credited.
#[derive(Debug, Args)]
#[command(after_help = "Exits with 1 and a list when something is wrong.

Examples:
  stoa invoice verify
  stoa invoice verify --json")]
pub(super) struct Verify {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Verify {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let parts = open(context).await?;
        let progress = Progress::begin("checking invoices and credit notes");
        let problems = verify_documents(&parts.db).await?;
        drop(progress);
        if self.json {
            print_json_list(&problems)?;
            return if problems.is_empty() { Ok(()) } else { Err(Failure::Said) };
        }
        if problems.is_empty() {
            return print_line("invoices and credit notes are in order");
        }
        let list = problems.iter().map(|problem| format!("\n  {problem}")).collect::<Vec<_>>().concat();
        let many = if problems.len() == 1 { String::from("1 problem") } else { format!("{} problems", problems.len()) };
        Err(Failure::operation(format!("{many} with invoices and credit notes:{list}")))
    }
}
