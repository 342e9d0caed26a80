//! `stoa downloads`: the operator's commands.

mod attach;
mod check;
mod extend;
mod grants;
mod list;
mod revoke;

use clap::{Args, Subcommand};
use stoa_core::prelude::*;

use crate::routes::DownloadsState;

/// Attach files to products, and look after what buyers may download.
#[derive(Debug, Args)]
#[command(
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "Examples:
  stoa downloads attach songs songs.zip --limit 3 --days 30
  stoa downloads grants --order O-000042
  stoa downloads check"
)]
pub(crate) struct DownloadsCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Attach(attach::Attach),
    Detach(attach::Detach),
    List(list::List),
    Grants(grants::Grants),
    Log(grants::Log),
    Extend(extend::Extend),
    Revoke(revoke::Revoke),
    Check(check::Check),
}

impl ModuleCommand for DownloadsCommand {
    const NAME: &'static str = "downloads";
    type State = DownloadsState;

    async fn run(self, state: &DownloadsState, cx: &CommandContext) -> Result<(), Failure> {
        match self.action {
            Action::Attach(attach) => attach.run(state, cx).await,
            Action::Detach(detach) => detach.run(cx).await,
            Action::List(list) => list.run(cx).await,
            Action::Grants(grants) => grants.run(cx).await,
            Action::Log(log) => log.run(cx).await,
            Action::Extend(extend) => extend.run(cx).await,
            Action::Revoke(revoke) => revoke.run(cx).await,
            Action::Check(check) => check.run(state, cx).await,
        }
    }
}
