//! `stoa subscriptions cancel`.

use clap::Args;
use stoa_core::commands::{CommandContext, Failure};
use stoa_core::from_shop::FromShop;

use super::{show, unknown};
use crate::cancelling::{CancellingError, cancel_now};
use crate::config::Config;
use crate::number::SubscriptionNumber;

/// Cancel a subscription: with the end of its period, or at once.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa subscriptions cancel S-000042
  stoa subscriptions cancel S-000042 --now")]
pub(super) struct Cancel {
    /// The subscription's number or id.
    number: SubscriptionNumber,
    /// At once; nothing of what was paid goes back by itself.
    #[arg(long)]
    now: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Cancel {
    pub(super) async fn run(&self, config: &Config, cx: &CommandContext) -> Result<(), Failure> {
        let (db, queue) = FromShop::from_shop(&cx.parts);
        let cancelled = cancel_now(&db, &queue, config, self.number.id(), self.now).await;
        cancelled.map_err(|error| refusal(self.number, error))?;
        show::report(self.number, self.json, config, cx).await
    }
}

fn refusal(number: SubscriptionNumber, error: CancellingError) -> Failure {
    match error {
        CancellingError::Unknown => unknown(number),
        CancellingError::NotBegun(found) => {
            let order = stoa_core::orders::OrderNumber::of(found.order_id);
            Failure::operation(format!("{number} has not begun: cancel its order, with `stoa order cancel {order}`"))
        }
        CancellingError::Over(status) => Failure::operation(format!("{number} is {} already", status.as_str())),
        CancellingError::NotCancelled => Failure::operation(format!("{number} is not cancelled")),
        CancellingError::Db(error) => error.into(),
    }
}
