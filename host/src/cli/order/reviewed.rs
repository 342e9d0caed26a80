//! `stoa order reviewed`.

use clap::Args;
use stoa_core::orders::{OrderNumber, Reviewed as Outcome, review_order};

use super::{Context, open, unknown};
use crate::failure::Failure;
use crate::output::print_line;

/// Say that you have looked at an order that needed it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa order list --review
  stoa order reviewed O-000042")]
pub(super) struct Reviewed {
    /// The order's id or number.
    #[arg(value_name = "ORDER")]
    number: OrderNumber,
}

impl Reviewed {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let (services, number) = (open(context).await?, self.number);
        match review_order(&services.db, number).await? {
            Outcome::TakenOff(reason) => print_line(&format!("order {number} needs no review any more ({reason})")),
            Outcome::NotFlagged => print_line(&format!("order {number} needed no review")),
            Outcome::NotFound => Err(unknown(number)),
        }
    }
}
