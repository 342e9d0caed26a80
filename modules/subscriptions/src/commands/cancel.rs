//! `stoa subscriptions cancel`.

use clap::Args;
use stoa_core::commands::{CommandContext, Failure};
use stoa_core::from_shop::FromShop;
use stoa_core::prelude::*;
use stoa_core::queue::Queue;

use super::{show, unknown};
use crate::config::Config;
use crate::model::{EndReason, Status};
use crate::number::SubscriptionNumber;
use crate::tasks::look_now;
use crate::withdrawing::{CancelRenewal, withdraw};
use crate::{lifecycle, queries};

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
        let parts = &cx.parts;
        let withdrawn = parts.db.write(async |tx| self.cancel(tx, config).await).await?;
        if let Some(order) = withdrawn {
            Queue::from_shop(parts).do_now::<CancelRenewal>(order).await?;
        }
        show::report(self.number, self.json, config, cx).await
    }

    /// Gives the order of the renewal that is cancelled with it, if there is one.
    async fn cancel(&self, tx: &mut Tx, config: &Config) -> Result<Option<i64>, Failure> {
        let number = self.number;
        let found = lifecycle::lock_settled(tx, config, number.id()).await?.ok_or_else(|| unknown(number))?;
        match found.status {
            Status::Active | Status::PastDue => {}
            Status::Pending => {
                let order = stoa_core::orders::OrderNumber::of(found.order_id);
                let text = format!("{number} has not begun: cancel its order, with `stoa order cancel {order}`");
                return Err(Failure::operation(text));
            }
            Status::Cancelled | Status::Ended => {
                return Err(Failure::operation(format!("{number} is {} already", found.status.as_str())));
            }
        }
        let now = tx.now();
        let open = lifecycle::find_open(tx, found.id).await?;
        if self.now {
            lifecycle::end(tx, &found, EndReason::CancelledNow).await?;
        } else if found.current_period_end.is_some_and(|ends_at| ends_at <= now) {
            lifecycle::end(tx, &found, EndReason::PeriodEnd).await?;
        } else {
            tx.run(queries::SET_CANCEL).bind(found.id).bind(true).bind(now).execute().await?;
            withdraw(tx, found.id).await?;
            look_now(tx, found.id).await?;
        }
        Ok(open.map(|open| open.order_id))
    }
}
