//! `stoa payment callbacks`.

use clap::{Args, Subcommand};
use stoa_core::from_shop::FromShop;
use stoa_core::orders::OrderNumber;
use stoa_core::payments::Payments;
use stoa_core::payments::{
    CallbackRecord, CallbackState, RetryCallbackError, find_callback, list_callbacks, notification_of, retry_callback,
};

use super::{Context, open, refuse_unknown};
use crate::cli::one_of::one_of;
use crate::failure::Failure;
use crate::output::{print_json, print_json_list, print_line, print_list, print_members, shown_time};

/// List what providers have told, the newest first; show one, or look at it again.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "pending      the provider is being asked what it means
processed    applied, or nothing new
ignored      nothing that concerns the shop
unmatched    about a payment that is not known here; tried again for a day
flagged      it does not fit what was asked for, or is for you to judge

Examples:
  stoa payment callbacks --state flagged
  stoa payment callbacks --gateway mollie --limit 20 --json
  stoa payment callbacks show 7
  stoa payment callbacks retry 7"
)]
pub(super) struct Callbacks {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    list: List,
}

#[derive(Debug, Args)]
struct List {
    /// Only those in this state.
    #[arg(long, value_parser = one_of(CallbackState::ALL, CallbackState::as_str))]
    state: Option<CallbackState>,
    /// Only those of this gateway.
    #[arg(long, value_name = "GATEWAY")]
    gateway: Option<String>,
    /// At most this many.
    #[arg(long, value_name = "NUMBER", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Action {
    Show(Show),
    Retry(Retry),
}

/// Show a callback with what it said, in the shop's words.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa payment callbacks show 7
  stoa payment callbacks show 7 --json")]
struct Show {
    /// The callback's id.
    id: i64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Look now at a callback that waits, was not matched, or was flagged.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa payment callbacks retry 7
  stoa payment callbacks retry 7 --json")]
struct Retry {
    /// The callback's id.
    id: i64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Callbacks {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        match &self.action {
            Some(Action::Show(show)) => show.run(context).await,
            Some(Action::Retry(retry)) => retry.run(context).await,
            None => self.list.run(context).await,
        }
    }
}

impl List {
    async fn run(&self, context: &Context) -> Result<(), Failure> {
        let parts = open(context).await?;
        let gateway = self.gateway.as_deref();
        let found = list_callbacks(&parts.db, self.state, gateway, i64::from(self.limit)).await?;
        refuse_unknown(&parts.gateways, gateway, found.len())?;
        if self.json {
            return print_json_list(&found);
        }
        let rows = found.iter().map(|callback| {
            vec![
                callback.id.to_string(),
                callback.gateway.clone(),
                callback.event_type.clone(),
                callback.state.as_str().to_owned(),
                callback.order_id.map(|id| OrderNumber::of(id).to_string()).unwrap_or_default(),
                shown_time(callback.received_at),
                callback.reason.clone().unwrap_or_default(),
            ]
        });
        print_list(
            &["ID", "GATEWAY", "TYPE", "STATE", "ORDER", "CAME", "REASON"],
            rows,
            "payment providers send them when something becomes of a payment",
        )
    }
}

impl Show {
    async fn run(&self, context: &Context) -> Result<(), Failure> {
        let parts = open(context).await?;
        let callback = find_callback(&parts.db, self.id).await?.ok_or_else(|| unknown(self.id))?;
        let notification = notification_of(&parts.db, self.id).await?;
        if self.json {
            let mut shown = serde_json::to_value(&callback)?;
            shown["notification"] = serde_json::to_value(&notification)?;
            return print_json(&shown);
        }
        print_callback(&callback)?;
        match notification {
            Some(notification) => print_line(&format!("\n{}", serde_json::to_string_pretty(&notification)?)),
            None => Ok(()),
        }
    }
}

impl Retry {
    async fn run(&self, context: &Context) -> Result<(), Failure> {
        let parts = open(context).await?;
        let callback =
            retry_callback(&parts.config, &Payments::from_shop(&parts), self.id).await.map_err(
                |error| match error {
                    RetryCallbackError::NotFound(id) => unknown(id),
                    RetryCallbackError::Done(state) => {
                        let state = state.as_str();
                        Failure::operation(format!(
                            "callback {} is {state}: nothing is left to be done about it",
                            self.id
                        ))
                    }
                    RetryCallbackError::NoGateway(gateway) => Failure::operation(format!(
                        "this program does not contain the gateway `{gateway}`; run the one that callback {} came to",
                        self.id
                    )),
                    RetryCallbackError::Refund(_) | RetryCallbackError::Db(_) => error.into(),
                },
            )?;
        if self.json {
            return print_json(&callback);
        }
        let reason = callback.reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
        print_line(&format!("callback {} is {}{reason}", callback.id, callback.state.as_str()))
    }
}

fn print_callback(callback: &CallbackRecord) -> Result<(), Failure> {
    let members = [
        ("callback", Some(callback.id.to_string())),
        ("gateway", Some(callback.gateway.clone())),
        ("type", Some(callback.event_type.clone())),
        ("event", Some(callback.event_id.clone())),
        ("state", Some(callback.state.as_str().to_owned())),
        ("because", callback.reason.clone()),
        ("order", callback.order_id.map(|id| OrderNumber::of(id).to_string())),
        ("attempt", callback.attempt_id.map(|id| id.to_string())),
        ("came", Some(shown_time(callback.received_at))),
        ("done", callback.processed_at.map(shown_time)),
        ("looked at again", (callback.tries > 0).then(|| callback.tries.to_string())),
        ("next look", callback.next_try_at.map(shown_time)),
    ];
    print_members(members.into_iter().filter_map(|(name, value)| Some((name, value?))))
}

fn unknown(id: i64) -> Failure {
    Failure::operation(format!("there is no callback {id}; `stoa payment callbacks` shows them"))
}
