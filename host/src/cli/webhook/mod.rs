//! `stoa webhook`: where events are sent to, and what became of them.

mod add;
mod change;
mod deliveries;
mod list;
mod listen;
mod retry;
mod rotate;
mod test;
mod verify;

use chrono::{DateTime, Utc};
use clap::Args;
use serde_json::{Value, json};
use stoa_core::program::Program;
use stoa_core::webhooks::{Delivery, EVENT_TYPES, Endpoint, is_usable_secret};
use stoa_kernel::from_shop::ShopParts;
use stoa_kernel::module::no_such_event;

use super::Context;
use super::commands::{Commands, Group, actions};
use super::serve::base_url;
use crate::failure::Failure;
use crate::installation::Installation;

pub(super) fn register(commands: &mut Commands) {
    commands.add("webhook", Group::OtherPrograms, Webhook::run);
}

/// Send events to other programs and chats, and see what became of them.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa webhook add --url https://accounting.example.com/stoa --event order.paid --event refund.recorded
  stoa webhook test 1
  stoa webhook deliveries --state dead_letter
  stoa webhook retry --state dead_letter --since 2027-01-31
  stoa webhook listen --port 4000")]
pub(super) struct Webhook {
    #[command(subcommand)]
    action: Action,
}

actions! {
    Webhook:
    Add(add::Add),
    Set(add::Set),
    List(list::List),
    Show(list::Show),
    Enable(change::Enable),
    Disable(change::Disable),
    RotateSecret(rotate::RotateSecret),
    Remove(change::Remove),
    Test(test::Test),
    Deliveries(deliveries::Deliveries),
    ShowDelivery(deliveries::ShowDelivery),
    Retry(retry::Retry),
    Verify(verify::Verify),
    Listen(listen::Listen),
}

/// The program with its shop, for commands that change or send something.
struct Opened {
    program: Program,
    parts: ShopParts,
}

async fn open(context: &Context) -> Result<Opened, Failure> {
    let installation: Installation = context.working()?;
    let db = installation.open_current().await?;
    let url = base_url(&installation.config, installation.config.server.listen);
    let parts = installation.parts(db, &url).await?;
    Ok(Opened { program: installation.program, parts })
}

/// An endpoint as `--json` shows it.
fn describe(endpoint: &Endpoint) -> Value {
    json!({
        "id": endpoint.id,
        "name": endpoint.name,
        "url": endpoint.url,
        "kind": endpoint.kind.as_str(),
        "events": endpoint.events,
        "enabled": endpoint.enabled,
        "consecutive_failures": endpoint.consecutive_failures,
        "last_success_at": endpoint.last_success_at,
        "last_failure_at": endpoint.last_failure_at,
        "last_error": endpoint.last_error,
        "previous_secret_until": endpoint.previous_secret_until,
        "created_at": endpoint.created_at,
        "updated_at": endpoint.updated_at,
    })
}

fn no_delivery(id: &str) -> String {
    format!("there is no webhook delivery {id}; `stoa webhook deliveries` lists them")
}

/// A delivery as `--json` shows it.
fn describe_delivery(delivery: &Delivery) -> Value {
    json!({
        "id": delivery.delivery_id,
        "endpoint_id": delivery.endpoint_id,
        "event": delivery.event,
        "state": delivery.state.as_str(),
        "attempts": delivery.attempts,
        "next_attempt_at": delivery.next_attempt_at,
        "response_status": delivery.response_status,
        "last_error": delivery.last_error,
        "created_at": delivery.created_at,
        "delivered_at": delivery.delivered_at(),
        "finished_at": delivery.finished_at,
    })
}

/// Reads the name of an event, or `*`. Whether there is one, the program with its modules knows.
fn event(text: &str) -> Result<String, String> {
    let is_name = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || "._".contains(letter);
    if text == "*" || (text.contains('.') && text.chars().all(is_name)) {
        return Ok(text.to_owned());
    }
    Err(no_such_event(text, EVENT_TYPES))
}

/// Refuses events that neither the shop nor one of its modules has.
fn refuse_unknown<'a>(program: &Program, mut events: impl Iterator<Item = &'a String>) -> Result<(), Failure> {
    let refusal = events.find_map(|name| program.registry.webhook_types.refusal(name));
    refusal.map_or(Ok(()), |refusal| Err(Failure::usage(format!("--event: {refusal}"))))
}

/// Reads a secret.
fn secret(text: &str) -> Result<String, String> {
    if is_usable_secret(text) {
        return Ok(text.to_owned());
    }
    Err(String::from("a line of 1 to 255 characters without blanks at its ends is expected"))
}

/// A time, or nothing, for tables.
fn time_or(time: Option<DateTime<Utc>>, none: &str) -> String {
    time.map_or_else(|| none.to_owned(), crate::output::shown_time)
}
