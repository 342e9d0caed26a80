//! `stoa subscriptions resume`.

use clap::Args;
use stoa_core::commands::{CommandContext, Failure};
use stoa_core::prelude::*;

use super::{show, unknown};
use crate::config::Config;
use crate::number::SubscriptionNumber;
use crate::tasks::look_now;
use crate::{lifecycle, queries};

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
        cx.parts.db.write(async |tx| self.resume(tx, config).await).await?;
        show::report(self.number, self.json, config, cx).await
    }

    async fn resume(&self, tx: &mut Tx, config: &Config) -> Result<(), Failure> {
        let number = self.number;
        let found = lifecycle::lock_settled(tx, config, number.id()).await?.ok_or_else(|| unknown(number))?;
        if !found.status.is_live() {
            return Err(Failure::operation(format!("{number} is {}: it cannot be resumed", found.status.as_str())));
        }
        if !found.cancel_at_period_end {
            return Err(Failure::operation(format!("{number} is not cancelled: there is nothing to take back")));
        }
        let now = tx.now();
        tx.run(queries::SET_CANCEL).bind(found.id).bind(false).bind(now).execute().await?;
        // What was withdrawn is billed anew.
        Ok(look_now(tx, found.id).await?)
    }
}
