//! `stoa services activate`, `suspend`, `resume`, `terminate` and `retry`.

use chrono::TimeDelta;
use clap::Args;
use stoa_core::prelude::*;

use super::{CommandState, find, print};
use crate::model::{Action, OverReason, ProvisionedService, ServiceNumber, Status};
use crate::operating::{apply, retry};

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

/// Most characters of an external reference.
const LONGEST_REFERENCE: usize = 255;

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
        let change = |service: &mut ProvisionedService| {
            match service.status {
                Status::Pending | Status::Provisioning | Status::Failed => {}
                Status::Active => return Err("is active already"),
                Status::Suspended if service.over_at.is_some() => return Err("is over, and is not activated any more"),
                Status::Suspended => return Err("is suspended: `stoa services resume` lets it be used again"),
                Status::Terminated => return Err("is terminated, and there is no way back"),
            }
            if service.over_at.is_some() {
                return Err("is over, and is not activated any more");
            }
            if let Some(reference) = &self.external_ref {
                service.external_ref = Some(reference.clone());
            }
            service.confirm(Action::Create);
            Ok(())
        };
        apply(self.number, Action::Create, &state.worker.providers, &cx.parts.db, change).await?;
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
        let now = cx.parts.db.now();
        let change = |service: &mut ProvisionedService| {
            may(action, service)?;
            match action {
                Action::Suspend => service.operator_suspended_at = Some(now),
                Action::Resume => {
                    service.operator_suspended_at = None;
                    service.entitlement_suspended_at = None;
                }
                Action::Terminate => service.end(OverReason::Operator, TimeDelta::zero(), now),
                Action::Create | Action::Inspect => {}
            }
            service.begin_anew();
            if self.by_hand {
                service.confirm(action);
            }
            Ok(())
        };
        apply(self.number, action, &state.worker.providers, &cx.parts.db, change).await?;
        finish(self.number, self.json, state, cx).await
    }
}

/// Why something must not be done with a service as it is.
fn may(action: Action, service: &ProvisionedService) -> Result<(), &'static str> {
    match (action, service.status) {
        (_, Status::Terminated) => Err("is terminated, and there is no way back"),
        (Action::Suspend, Status::Active) => match service.operator_suspended_at {
            None => Ok(()),
            Some(_) => Err("is about to be suspended already: `stoa services retry` asks its provider at once"),
        },
        (Action::Suspend, Status::Suspended) => Err("is suspended already"),
        (Action::Suspend, Status::Pending | Status::Provisioning | Status::Failed) => {
            Err("is not active, so there is nothing to suspend; `stoa services terminate` gives it up")
        }
        (Action::Resume, _) if service.over_at.is_some() => {
            Err("is over: its unit was refunded, or what it belongs to has ended, so it is not resumed")
        }
        // A suspension that the provider has not confirmed is taken back.
        (Action::Resume, Status::Active) if service.operator_suspended_at.is_none() => {
            Err("is active, and was not suspended")
        }
        (Action::Resume, Status::Pending | Status::Provisioning | Status::Failed) => {
            Err("was never active, so there is nothing to resume")
        }
        (Action::Resume, Status::Active | Status::Suspended)
        | (Action::Terminate | Action::Create | Action::Inspect, _) => Ok(()),
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
