//! `stoa payment reconcile`.

use clap::Args;
use stoa_core::commands::Progress;
use stoa_core::from_shop::FromShop;
use stoa_core::orders::OrderNumber;
use stoa_core::payments::{Payments, Reconciled, reconcile_due, reconcile_order};
use stoa_core::queue::Queue;

use super::argument::PaymentArgument;
use super::{Context, open};
use crate::failure::Failure;
use crate::output::{print_json_list, print_line};

/// Ask providers now what became of attempts whose outcome is not known.
#[derive(Debug, Args)]
#[command(
    after_help = "With a payment: about its open attempt, whether or not it is due. Without: about all attempts that are due, as the
job `payments.reconcile` does every minute. What a provider does not answer is asked again later.

Examples:
  stoa payment reconcile
  stoa payment reconcile O-000042 --json"
)]
pub(super) struct Reconcile {
    /// The payment's id, or the number of its order.
    #[arg(value_name = "PAYMENT")]
    payment: Option<PaymentArgument>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Reconcile {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let parts = open(context).await?;
        let progress = Progress::begin("asking providers");
        let asked: Vec<Reconciled> = match self.payment {
            Some(payment) => {
                let order_id = payment.find(&parts.db).await?.payment.order_id;
                reconcile_order(&Payments::from_shop(&parts), order_id).await?.into_iter().collect()
            }
            None => reconcile_due(&Queue::from_shop(&parts)).await?,
        };
        drop(progress);
        if self.json {
            return print_json_list(&asked);
        }
        if asked.is_empty() {
            return print_line("no attempt is to be asked about");
        }
        asked.iter().try_for_each(|one| print_line(&line(one)))
    }
}

fn line(one: &Reconciled) -> String {
    let (order, attempt, gateway) = (OrderNumber::of(one.order_id), one.attempt_id, &one.gateway);
    let outcome = match &one.error {
        Some(error) => format!("still {} ({error})", one.after.as_str()),
        None if one.before == one.after => format!("still {}", one.after.as_str()),
        None => format!("was {}, is {}", one.before.as_str(), one.after.as_str()),
    };
    format!("order {order}, attempt {attempt} through {gateway}: {outcome}")
}
