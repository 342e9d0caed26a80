//! `stoa ticket reply`, `close` and `reopen`.

use clap::Args;
use stoa_core::support_tickets::{TicketAuthor, TicketNumber, close_ticket, reopen_ticket, reply_to_ticket};

use super::texts::{Body, body};
use super::{Context, print_ticket, refused};
use crate::cli::one_of::one_of;
use crate::cli::order::open;
use crate::failure::Failure;

/// Reply to a support ticket, as the shop or in the name of its customer.
#[derive(Debug, Args)]
#[command(
    after_help = "A reply of the shop makes the ticket `answered`, one of the customer makes it `pending`, unless nobody has answered
yet. A customer's reply opens a closed ticket again; before the shop replies to one, `stoa ticket reopen` does.

Examples:
  stoa ticket reply T-000042 --body 'We send you another one.'
  stoa ticket reply 42 --as customer --body - --json < mail.txt"
)]
pub(super) struct Reply {
    /// The ticket's number or id.
    #[arg(value_name = "TICKET")]
    number: TicketNumber,
    /// What is written; `-` reads standard input.
    #[arg(long, allow_hyphen_values = true, value_parser = body)]
    body: Body,
    /// Who writes it.
    #[arg(long = "as", value_name = "AUTHOR", default_value = TicketAuthor::Staff.as_str(), value_parser = one_of(TicketAuthor::ALL, TicketAuthor::as_str))]
    author: TicketAuthor,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Reply {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let body = self.body.read()?;
        // With those who tell the other side.
        let db = open(context).await?.db;
        let record = reply_to_ticket(&db, self.number, self.author, &body).await.map_err(refused)?;
        let told = format!("replied to support ticket {}, which is {} now", self.number, record.ticket.status.as_str());
        print_ticket(&record, self.json, &told)
    }
}

/// Close a support ticket.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa ticket close T-000042
  stoa ticket close 42 --json")]
pub(super) struct Close {
    /// The ticket's number or id.
    #[arg(value_name = "TICKET")]
    number: TicketNumber,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Close {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let db = context.working()?.open_current().await?;
        let changed = close_ticket(&db, self.number).await.map_err(refused)?;
        let told = if changed.is_new { "is closed now" } else { "was closed already" };
        print_ticket(&changed.record, self.json, &format!("support ticket {} {told}", self.number))
    }
}

/// Open a closed support ticket again.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa ticket reopen T-000042
  stoa ticket reopen 42 --json")]
pub(super) struct Reopen {
    /// The ticket's number or id.
    #[arg(value_name = "TICKET")]
    number: TicketNumber,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Reopen {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let db = context.working()?.open_current().await?;
        let changed = reopen_ticket(&db, self.number).await.map_err(refused)?;
        let told = if changed.is_new { "is open again" } else { "was not closed" };
        let status = changed.record.ticket.status.as_str();
        print_ticket(&changed.record, self.json, &format!("support ticket {} {told}: {status}", self.number))
    }
}
