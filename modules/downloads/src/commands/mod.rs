//! `stoa downloads`: the operator's commands.

mod attach;
mod check;
mod extend;
mod grants;
mod list;
mod revoke;

use clap::{Args, Subcommand};
use stoa_core::prelude::*;

use crate::model::Grant;
use crate::queries;
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

/// The grant with this id or token.
async fn find_grant(db: &Db, given: &str) -> Result<Grant, Failure> {
    let given = given.trim();
    // A token is longer than any id.
    let id = given.parse::<i64>().ok();
    let token = id.is_none().then_some(given);
    let found = db.read(queries::LIST_GRANTS).bind(None::<i64>).bind(None::<&str>).bind(None::<&str>);
    let found = found.bind(id).bind(token).bind(1_i64).optional::<Grant>().await?;
    found.ok_or_else(|| {
        Failure::operation(format!(
            "there is no download `{given}`; give its id or token, as `stoa downloads grants` shows them"
        ))
    })
}
