//! `stoa events`: domain events that listeners have not taken yet.

use chrono::SecondsFormat;
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use stoa_core::events::EventDelivery;

use super::Context;
use super::commands::{Commands, Group};
use crate::failure::Failure;
use crate::output::{print_json, print_json_list, print_line, print_table};

pub(super) fn register(commands: &mut Commands) {
    commands.add("events", Group::BehindTheScenes, Events::run);
}

/// Show events that listeners have not taken yet, or try one again.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:
  stoa events
  stoa events --failed --json
  stoa events retry 42"
)]
pub(super) struct Events {
    #[command(subcommand)]
    action: Option<Action>,
    /// Only those that were given up after several attempts.
    #[arg(long)]
    failed: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Action {
    Retry(Retry),
}

/// Put an event that was given up back into the queue, its attempts counted anew.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa events retry 42")]
struct Retry {
    /// The id that `stoa events --failed` shows.
    #[arg(value_parser = clap::value_parser!(i64).range(1..))]
    id: i64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Events {
    async fn run(&self, context: &Context) -> Result<(), Failure> {
        match &self.action {
            Some(Action::Retry(retry)) => retry.run(context).await,
            None => self.list(context).await,
        }
    }

    async fn list(&self, context: &Context) -> Result<(), Failure> {
        let db = context.working()?.open_current().await?;
        let found = if self.failed { EventDelivery::list_failed(&db).await? } else { EventDelivery::list(&db).await? };
        if self.json {
            return print_json_list(&found.iter().map(describe).collect::<Vec<_>>());
        }
        if found.is_empty() {
            return print_line(if self.failed { "no events have failed" } else { "no events are waiting" });
        }
        let rows = found.iter().map(|delivery| {
            vec![
                delivery.id.to_string(),
                delivery.event.clone(),
                delivery.listener.clone(),
                delivery.state.as_str().to_owned(),
                delivery.attempts.to_string(),
                delivery.next_attempt_at.to_rfc3339_opts(SecondsFormat::Secs, true),
                delivery.last_error.clone().unwrap_or_default(),
            ]
        });
        print_table(&["ID", "EVENT", "LISTENER", "STATE", "ATTEMPTS", "NEXT ATTEMPT", "LAST ERROR"], rows)
    }
}

impl Retry {
    async fn run(&self, context: &Context) -> Result<(), Failure> {
        let db = context.working()?.open_current().await?;
        if !EventDelivery::retry(&db, self.id).await? {
            return Err(Failure::operation(format!(
                "there is no failed event {}; `stoa events --failed` lists those that there are",
                self.id
            )));
        }
        if self.json {
            return print_json(&json!({ "id": self.id, "state": "pending" }));
        }
        print_line(&format!("event {} will be tried again", self.id))
    }
}

fn describe(delivery: &EventDelivery) -> Value {
    json!({
        "id": delivery.id,
        "event": delivery.event,
        "listener": delivery.listener,
        "state": delivery.state.as_str(),
        "attempts": delivery.attempts,
        "next_attempt_at": delivery.next_attempt_at,
        "last_error": delivery.last_error,
        "created_at": delivery.created_at,
    })
}
