//! `stoa subscriptions`: what operators do with subscriptions (contract 3).

mod cancel;
mod list;
mod preview;
mod resume;
mod show;

use clap::{Args, Subcommand};
use stoa_core::commands::{CommandContext, Failure, ModuleCommand};
use stoa_core::prelude::*;

use crate::config::Config;
use crate::model::Subscription;
use crate::number::SubscriptionNumber;
use crate::queries;

/// Look after subscriptions.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa subscriptions list --status past_due
  stoa subscriptions show S-000042
  stoa subscriptions cancel S-000042")]
pub(crate) struct SubscriptionsCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    List(list::List),
    Show(show::Show),
    Cancel(cancel::Cancel),
    Resume(resume::Resume),
    Preview(preview::Preview),
}

impl ModuleCommand for SubscriptionsCommand {
    const NAME: &'static str = "subscriptions";
    type State = Config;

    async fn run(self, config: &Config, cx: &CommandContext) -> Result<(), Failure> {
        match self.action {
            Action::List(list) => list.run(config, cx).await,
            Action::Show(show) => show.run(config, cx).await,
            Action::Cancel(cancel) => cancel.run(config, cx).await,
            Action::Resume(resume) => resume.run(config, cx).await,
            Action::Preview(preview) => preview.run(config, cx).await,
        }
    }
}

/// The subscription that an operator names.
async fn find(number: SubscriptionNumber, db: &Db) -> Result<Subscription, Failure> {
    let found = db.read(queries::FIND).bind(number.id()).optional::<Subscription>().await?;
    found.ok_or_else(|| unknown(number))
}

fn unknown(number: SubscriptionNumber) -> Failure {
    Failure::operation(format!("there is no subscription {number}; `stoa subscriptions list` shows all"))
}
