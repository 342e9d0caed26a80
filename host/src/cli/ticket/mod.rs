//! `stoa ticket`: support tickets, which are written here and read by their customers through the API.

mod change;
mod create;
mod list;
mod texts;

use clap::Args;
use stoa_core::support_tickets::{TicketChangeError, TicketRecord};

use super::Context;
use super::commands::{Commands, Group, actions};
use crate::failure::Failure;
use crate::output::{print_json, print_line};

pub(super) fn register(commands: &mut Commands) {
    commands.add("ticket", Group::Customers, Ticket::run);
}

/// Manage support tickets.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa ticket create --customer ada@example.com --subject 'The lamp flickers' --body - < mail.txt
  stoa ticket list --status open
  stoa ticket reply T-000042 --body 'We send you another one.'
  stoa ticket close T-000042")]
pub(super) struct Ticket {
    #[command(subcommand)]
    action: Action,
}

actions! {
    Ticket:
    Create(create::Create),
    List(list::List),
    Show(list::Show),
    Reply(change::Reply),
    Close(change::Close),
    Reopen(change::Reopen),
}

/// Prints what became of a ticket.
fn print_ticket(record: &TicketRecord, json: bool, told: &str) -> Result<(), Failure> {
    if json { print_json(&record.to_json()?) } else { print_line(told) }
}

/// What the operator can do about a refused change.
fn refused(error: TicketChangeError) -> Failure {
    match error {
        TicketChangeError::Unknown(_) => Failure::operation(format!("{error}; `stoa ticket list` shows all")),
        TicketChangeError::Closed(number) => Failure::operation(format!("{error}: `stoa ticket reopen {number}`")),
        TicketChangeError::Body => Failure::usage(format!("--body: {error}")),
        TicketChangeError::Anonymized(_) | TicketChangeError::Db(_) => error.into(),
    }
}
