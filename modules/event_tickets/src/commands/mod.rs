//! `stoa event-tickets`: events and what is sold of them, tickets, and the door.

mod capacity;
mod door;
mod event;
mod keys;
mod kinds;
mod ticket;

use clap::{Args, Subcommand};
use stoa_core::prelude::*;

use crate::config::Config;
use crate::model::TicketRow;
use crate::offers::queries::FIND_EVENT_BY_SLUG;
use crate::offers::{self, EventRow, unknown_event};
use crate::operating;

/// Sell tickets for events, and let their holders in.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa event-tickets event list
  stoa event-tickets check-in T1.eyJrZXlfaWQiOi... --event symposium-3 --gate north
  stoa event-tickets door-list symposium-3 --csv > door.csv
  stoa event-tickets keys --json")]
pub(crate) struct EventTicketsCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    #[command(subcommand)]
    Event(event::Event),
    #[command(subcommand)]
    Type(kinds::Type),
    #[command(subcommand)]
    Quota(capacity::Quota),
    List(ticket::List),
    Show(ticket::Show),
    Pdf(ticket::Pdf),
    CheckIn(door::CheckIn),
    Undo(ticket::Undo),
    Void(ticket::Void),
    DoorList(door::DoorList),
    Keys(keys::Keys),
    Revocations(keys::Revocations),
}

impl ModuleCommand for EventTicketsCommand {
    const NAME: &'static str = "event-tickets";
    type State = Config;

    async fn run(self, config: &Config, cx: &CommandContext) -> Result<(), Failure> {
        match self.action {
            Action::Event(event) => event.run(cx).await,
            Action::Type(kind) => kind.run(cx).await,
            Action::Quota(quota) => quota.run(cx).await,
            Action::List(list) => list.run(cx).await,
            Action::Show(show) => show.run(cx).await,
            Action::Pdf(pdf) => pdf.run(cx).await,
            Action::CheckIn(check_in) => check_in.run(cx).await,
            Action::Undo(undo) => undo.run(cx).await,
            Action::Void(void) => void.run(cx).await,
            Action::DoorList(list) => list.run(cx).await,
            Action::Keys(keys) => keys.run(cx).await,
            Action::Revocations(list) => list.run(config, cx).await,
        }
    }
}

/// Applies what was imported since, so that a command shows what customers would get.
async fn apply_imports(cx: &CommandContext) -> Result<(), Failure> {
    offers::apply_all(&cx.parts.db).await?;
    Ok(())
}

/// The event with this slug.
async fn find_event(db: &Db, slug: &str) -> Result<EventRow, Failure> {
    let found = db.read(FIND_EVENT_BY_SLUG).bind(slug).optional::<EventRow>().await?;
    let Some(event) = found else { return Err(unknown_event(Reader::Db(db), slug).await?.into()) };
    Ok(event)
}

/// The id of the event that a list is narrowed to, if it is.
async fn chosen_event(db: &Db, slug: Option<&str>) -> Result<Option<i64>, Failure> {
    match slug {
        Some(slug) => Ok(Some(find_event(db, slug).await?.id)),
        None => Ok(None),
    }
}

/// The ticket that is meant by a number, a token or the text of a scanned code.
async fn find_ticket(db: &Db, meant: &str) -> Result<TicketRow, Failure> {
    let found = operating::find_ticket(db, meant).await?;
    found.ok_or_else(|| {
        Failure::operation("there is no such ticket; name it by its number, its token, or the text of its code")
    })
}

/// A time of an argument.
fn time(text: &str) -> Result<chrono::DateTime<chrono::FixedOffset>, String> {
    crate::settings::parse_time(text)
}

/// A name of an argument.
fn name(text: &str) -> Result<String, String> {
    let text = text.trim();
    let longest = crate::settings::LONGEST_NAME;
    if text.is_empty() || text.chars().count() > longest || text.chars().any(char::is_control) {
        return Err(format!("must be a text of one line with 1 to {longest} characters"));
    }
    Ok(text.to_owned())
}

/// A capacity of an argument.
fn places(text: &str) -> Result<i64, String> {
    let most = crate::settings::LARGEST_CAPACITY;
    let number = text.parse::<i64>().ok().filter(|number| (0..=most).contains(number));
    number.ok_or_else(|| format!("must be a whole number from 0 to {most}"))
}
