//! `stoa subscriptions resume`.

use clap::Args;
use stoa_core::commands::{CommandContext, Failure};

use super::{show, unknown};
use crate::cancelling::{CancellingError, resume};
use crate::config::Config;
use crate::number::SubscriptionNumber;

/// Take a cancellation back that has not come into effect.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa subscriptions resume S-000042")]
pub(super) struct Resume {
    /// The subscription's number or id.
    number: SubscriptionNumber,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Resume {
    pub(super) async fn run(&self, config: &Config, cx: &CommandContext) -> Result<(), Failure> {
        let resumed = cx.parts.db.write(async |tx| resume(tx, config, self.number.id()).await).await;
        resumed.map_err(|error| refusal(self.number, error))?;
        show::report(self.number, self.json, config, cx).await
    }
}

fn refusal(number: SubscriptionNumber, error: CancellingError) -> Failure {
    match error {
        CancellingError::Unknown => unknown(number),
        CancellingError::NotBegun(found) => {
            Failure::operation(format!("{number} is {}: it cannot be resumed", found.status.as_str()))
        }
        CancellingError::Over(status) => {
            Failure::operation(format!("{number} is {}: it cannot be resumed", status.as_str()))
        }
        CancellingError::NotCancelled => {
            Failure::operation(format!("{number} is not cancelled: there is nothing to take back"))
        }
        CancellingError::Db(error) => error.into(),
    }
}
