//! `stoa order cancel`.

use clap::Args;
use stoa_core::from_shop::FromShop;
use stoa_core::orders::{CancelOrderError, CancelReason, OrderNumber, cancel_order};
use stoa_core::payments::Payments;

use super::show::print_changed;
use super::{Context, open, unknown};
use crate::failure::Failure;

/// Cancel an order that is not paid.
#[derive(Debug, Args)]
#[command(
    after_help = "What the customer has begun to pay is ended at the provider first. A paid order is not cancelled: its money goes
back as a refund.

Examples:
  stoa order cancel O-000042
  stoa order cancel 42 --json"
)]
pub(super) struct Cancel {
    /// The order's id or number.
    #[arg(value_name = "ORDER")]
    number: OrderNumber,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Cancel {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let (parts, number) = (open(context).await?, self.number);
        cancel_order(&Payments::from_shop(&parts), number.id(), CancelReason::Operator)
            .await
            .map_err(|error| refused(number, error))?;
        print_changed(&parts.db, &parts.money, number, self.json, &format!("order {number} is cancelled")).await
    }
}

fn refused(number: OrderNumber, error: CancelOrderError) -> Failure {
    match error {
        CancelOrderError::NotFound => unknown(number),
        CancelOrderError::Paid => Failure::operation(format!(
            "order {number} is paid and cannot be cancelled; `stoa order refund {number} --amount AMOUNT --reason '…'` sends money \
             back, and `--line ITEM:QUANTITY` instead of the amount pays for units"
        )),
        CancelOrderError::Cancelled => Failure::operation(format!("order {number} is cancelled already")),
        CancelOrderError::Processing => Failure::operation(format!(
            "a payment of order {number} is on its way and cannot be stopped; wait until the provider has said what \
             became of it, then refund the order or cancel it"
        )),
        CancelOrderError::Provider(_) => {
            Failure::operation(format!("order {number} stays as it is: {error}; try again later"))
        }
        CancelOrderError::Listener(_) | CancelOrderError::Db(_) => error.into(),
    }
}
