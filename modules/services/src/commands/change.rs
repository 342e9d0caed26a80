//! `stoa services activate`, `suspend`, `resume`, `terminate` and `retry`.

use clap::Args;
use stoa_core::prelude::*;

use super::{CommandState, find, print};
use crate::model::{Action, ServiceNumber};
use crate::operating::{Caller, LONGEST_REFERENCE, activate, change, retry};

pub(super) const SUSPEND_HELP: &str = "Examples:
  stoa services suspend SV-000042
  stoa services suspend 42 --by-hand";

pub(super) const RESUME_HELP: &str = "A service whose unit was refunded, or that has ended otherwise, stays suspended.

Examples:
  stoa services resume SV-000042";

pub(super) const TERMINATE_HELP: &str =
    "There is no way back. A refunded service is terminated by itself when its grace time is over.

Examples:
  stoa services terminate SV-000042 --json";

/// Say that a service runs: you have made it.
#[derive(Debug, Args)]
#[command(
    after_help = "For services of the provider `manual`, which wait for you. Those of other providers are made by themselves;
with this you take over one that you have made by hand.

Examples:
  stoa services activate SV-000042
  stoa services activate 42 --external-ref vm-1207 --json"
)]
pub(super) struct Activate {
    /// The service's number or id.
    #[arg(value_name = "SERVICE")]
    number: ServiceNumber,
    /// What it is called where it runs; the customer sees it.
    #[arg(long, value_name = "REFERENCE", value_parser = reference)]
    external_ref: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

fn reference(text: &str) -> Result<String, String> {
    let text = text.trim();
    let is_line = !text.is_empty() && text.chars().count() <= LONGEST_REFERENCE && !text.chars().any(char::is_control);
    if is_line { Ok(text.to_owned()) } else { Err(format!("must be a line of 1 to {LONGEST_REFERENCE} characters")) }
}

impl Activate {
    pub(super) async fn run(&self, state: &CommandState, cx: &CommandContext) -> Result<(), Failure> {
        let reference = self.external_ref.as_deref();
        activate(self.number, reference, &state.worker.providers, &cx.parts.db).await?;
        finish(self.number, self.json, state, cx).await
    }
}

/// Change a service.
#[derive(Debug, Args)]
pub(super) struct Change {
    /// The service's number or id.
    #[arg(value_name = "SERVICE")]
    number: ServiceNumber,
    /// Do not call the provider: somebody has done it there by hand.
    #[arg(long)]
    by_hand: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Change {
    pub(super) async fn run(&self, action: Action, state: &CommandState, cx: &CommandContext) -> Result<(), Failure> {
        let caller = if self.by_hand { Caller::Nobody } else { Caller::Provider };
        change(self.number, action, caller, &state.worker.providers, &cx.parts.db).await?;
        finish(self.number, self.json, state, cx).await
    }
}

/// Ask a provider again for what it did not do, or look after a difference.
#[derive(Debug, Args)]
#[command(after_help = "The provider is asked first what has become of the service, so that nothing is done twice.

Examples:
  stoa services retry SV-000042")]
pub(super) struct Retry {
    /// The service's number or id.
    #[arg(value_name = "SERVICE")]
    number: ServiceNumber,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Retry {
    pub(super) async fn run(&self, state: &CommandState, cx: &CommandContext) -> Result<(), Failure> {
        retry(self.number, &state.worker.providers, &cx.parts.db).await?;
        finish(self.number, self.json, state, cx).await
    }
}

/// Calls the provider now, if that is to be done, and prints what came of it.
async fn finish(number: ServiceNumber, json: bool, state: &CommandState, cx: &CommandContext) -> Result<(), Failure> {
    state.worker.work_now(&cx.parts, number.id()).await?;
    let service = find(cx, number).await?;
    print(cx, number, json).await?;
    let error = service.last_error.clone().unwrap_or_default();
    match (service.needs_attention, service.due_at.filter(|_| service.attempts > 0)) {
        (true, _) => {
            Err(Failure::operation(format!("{error}. Mend it there, then run `stoa services retry {number}`")))
        }
        (false, Some(due)) if !json => {
            cx.output.line(&format!("{error}. The provider is asked again at {}", shown_time(due)))
        }
        (false, _) => Ok(()),
    }
}
