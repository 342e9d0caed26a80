//! `stoa order reviewed`.

use clap::Args;
use stoa_core::orders::{OrderNumber, Reviewed as Outcome, review_order};

use super::show::print_changed;
use super::{Context, open, unknown};
use crate::failure::Failure;

/// Say that you have looked at an order that needed it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa order list --review
  stoa order reviewed O-000042
  stoa order reviewed 42 --json")]
pub(super) struct Reviewed {
    /// The order's id or number.
    #[arg(value_name = "ORDER")]
    number: OrderNumber,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Reviewed {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let (parts, number) = (open(context).await?, self.number);
        let told = match review_order(&parts.db, number).await? {
            Outcome::TakenOff(reason) => format!("order {number} needs no review any more ({reason})"),
            Outcome::NotFlagged => format!("order {number} needed no review"),
            Outcome::NotFound => return Err(unknown(number)),
        };
        print_changed(&parts.db, &parts.money, number, self.json, &told).await
    }
}
