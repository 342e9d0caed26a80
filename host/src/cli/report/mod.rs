//! `stoa report`: what was sold, what of it is tax, and what consumers abroad have bought (C10.4).

mod oss;
mod rows;
mod sales;
mod tax;

use clap::Args;
use stoa_core::chrono::NaiveDate;
use stoa_core::reports::Period;

use super::Context;
use super::commands::{Commands, Group, actions};
use crate::failure::Failure;

pub(super) fn register(commands: &mut Commands) {
    commands.add("report", Group::Selling, Report::run);
}

/// Report sales and tax.
#[derive(Debug, Args)]
#[command(
    long_about = "Report sales and tax.

Reports are added up from invoices and credit notes, to the cent: an invoice counts on the day it was issued, a credit note and
the cancellation of an invoice take off on theirs. Days are those of UTC, as on the documents. As JSON and CSV, members named
`…_amount` are in the smallest unit of the currency.",
    after_help = "Examples:
  stoa report oss --quarter 2026Q4
  stoa report tax --from 2026-10-01 --to 2026-12-31 --csv
  stoa report sales --from 2026-01-01 --to 2026-12-31 --by product"
)]
pub(super) struct Report {
    #[command(subcommand)]
    action: Action,
}

actions! {
    Report:
    Oss(oss::Oss),
    Tax(tax::Tax),
    Sales(sales::Sales),
}

// No doc comment: clap would take it for the description of every command that this is flattened into.
#[derive(Debug, Args)]
struct Days {
    /// The first day, such as 2026-10-01.
    #[arg(long, value_name = "DAY", value_parser = day)]
    from: NaiveDate,
    /// The last day, which is included.
    #[arg(long, value_name = "DAY", value_parser = day)]
    to: NaiveDate,
}

impl Days {
    fn period(&self) -> Result<Period, Failure> {
        Period::new(self.from, self.to).map_err(|error| Failure::usage(format!("--to: {error}")))
    }
}

fn day(text: &str) -> Result<NaiveDate, String> {
    let day = text.parse::<NaiveDate>().ok();
    let is_usual = |day: &NaiveDate| ("1970-01-01".."9999").contains(&day.to_string().as_str());
    day.filter(is_usual).ok_or_else(|| String::from("expected a day, such as 2026-10-01"))
}
