//! `stoa order mark-paid`.

use clap::Args;
use stoa_core::from_shop::FromShop;
use stoa_core::orders::OrderNumber;
use stoa_core::payments::{Payments, RecordPaymentError, record_payment};

use super::show::print_changed;
use super::{Context, open, unknown};
use crate::failure::Failure;
use crate::output::print_remark;

/// Record that an order was paid by hand, such as by bank transfer.
#[derive(Debug, Args)]
#[command(
    after_help = "What the customer has begun to pay at a provider is ended there. Where that is not possible, a warning says so: the
customer could pay a second time.

Examples:
  stoa order mark-paid O-000042
  stoa order mark-paid 42 --json"
)]
pub(super) struct MarkPaid {
    /// The order's id or number.
    #[arg(value_name = "ORDER")]
    number: OrderNumber,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl MarkPaid {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let (parts, number) = (open(context).await?, self.number);
        let recorded =
            record_payment(&Payments::from_shop(&parts), number.id()).await.map_err(|error| refused(number, error))?;
        if let Some(reason) = recorded.still_open {
            print_remark(&format!(
                "stoa: warning: what the customer has begun to pay for order {number} could not be ended ({reason}); \
                 look at it with `stoa order show {number}`, for a second payment has to go back"
            ));
        }
        print_changed(&parts.db, &parts.money, number, self.json, &format!("order {number} is paid")).await
    }
}

fn refused(number: OrderNumber, error: RecordPaymentError) -> Failure {
    match error {
        RecordPaymentError::NotFound => unknown(number),
        RecordPaymentError::Paid => Failure::operation(format!("order {number} is paid already")),
        RecordPaymentError::Cancelled => Failure::operation(format!(
            "order {number} is cancelled, and money does not revive it; the customer can place a new one"
        )),
        RecordPaymentError::Db(_) => error.into(),
    }
}
