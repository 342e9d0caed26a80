//! `stoa services …`: what the operator sees and does.

mod change;
mod hold;
mod list;
mod show;

use clap::{Args, Subcommand};
use stoa_core::prelude::*;

use self::change::{Activate, Change, Retry};
use self::hold::Hold;
use self::list::List;
use self::show::{Log, Show};
use crate::model::{Action, OperatorView, ProvisionedService, ServiceNumber};
use crate::queries;
use crate::worker::Worker;

/// What the commands work with.
#[derive(Clone)]
pub(crate) struct CommandState {
    pub(crate) worker: Worker,
}

/// Look after provisioned services.
#[derive(Debug, Args)]
#[command(after_help = "A service is named by its number, such as SV-000042, or by its id.

Examples:
  stoa services list --attention
  stoa services activate SV-000042 --external-ref vm-1207
  stoa services log 42")]
pub(crate) struct ServicesCommand {
    #[command(subcommand)]
    action: Choice,
}

#[derive(Debug, Subcommand)]
enum Choice {
    List(List),
    Show(Show),
    Activate(Activate),
    /// Let nobody use a service until it is resumed; its data stay.
    #[command(after_help = change::SUSPEND_HELP)]
    Suspend(Change),
    /// Let a suspended service be used again.
    #[command(after_help = change::RESUME_HELP)]
    Resume(Change),
    /// Remove a service with its data, for good.
    #[command(after_help = change::TERMINATE_HELP)]
    Terminate(Change),
    Retry(Retry),
    Hold(Hold),
    Log(Log),
}

impl ModuleCommand for ServicesCommand {
    const NAME: &'static str = "services";
    type State = CommandState;

    async fn run(self, state: &CommandState, cx: &CommandContext) -> Result<(), Failure> {
        match self.action {
            Choice::List(list) => list.run(cx).await,
            Choice::Show(show) => show.run(state, cx).await,
            Choice::Activate(activate) => activate.run(state, cx).await,
            Choice::Suspend(change) => change.run(Action::Suspend, state, cx).await,
            Choice::Resume(change) => change.run(Action::Resume, state, cx).await,
            Choice::Terminate(change) => change.run(Action::Terminate, state, cx).await,
            Choice::Retry(retry) => retry.run(state, cx).await,
            Choice::Hold(hold) => hold.run(state, cx).await,
            Choice::Log(log) => log.run(cx).await,
        }
    }
}

/// The service that an argument names.
async fn find(cx: &CommandContext, number: ServiceNumber) -> Result<ProvisionedService, Failure> {
    let found = cx.parts.db.read(queries::FIND).bind(number.id()).optional().await?;
    found.ok_or_else(|| Failure::operation(format!("there is no service {number}; `stoa services list` shows all")))
}

/// Prints a service after it was changed.
async fn print(cx: &CommandContext, number: ServiceNumber, json: bool) -> Result<(), Failure> {
    let service = find(cx, number).await?;
    if json {
        return cx.output.json(&OperatorView::of(&service));
    }
    cx.output.line(&format!("{number} is {}", service.status))
}
