//! `stoa ticket list` and `stoa ticket show`.

use clap::Args;
use stoa_core::support_tickets::{
    TicketChangeError, TicketFilter, TicketNumber, TicketRecord, TicketStatus, conversation_of, find_ticket,
    list_tickets,
};

use super::{Context, refused};
use crate::cli::list_options::{ListOptions, OfCustomer};
use crate::cli::one_of::one_of;
use crate::failure::Failure;
use crate::output::{print_json, print_line, print_members, shown_time};

/// List support tickets, the newest first.
#[derive(Debug, Args)]
#[command(after_help = "`open` and `pending` tickets wait for the shop, `answered` ones for their customers.

Examples:
  stoa ticket list --status pending
  stoa ticket list --customer ada@example.com --json
  stoa ticket list --limit 20")]
pub(super) struct List {
    /// Only those in this state.
    #[arg(long, value_parser = one_of(TicketStatus::ALL, TicketStatus::as_str))]
    status: Option<TicketStatus>,
    #[command(flatten)]
    of: OfCustomer,
    #[command(flatten)]
    options: ListOptions,
}

impl List {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let db = context.working()?.open_current().await?;
        let customer_id = self.of.id(&db).await?;
        let filter = TicketFilter { status: self.status, customer_id, limit: self.options.limit };
        let records = list_tickets(&db, &filter).await?;
        let head = ["NUMBER", "STATUS", "PRIORITY", "CUSTOMER", "SUBJECT", "LAST MESSAGE"];
        self.options.print(
            &records,
            TicketRecord::to_json,
            &head,
            row,
            "customers ask for help in their account; `stoa ticket create` opens a ticket for them",
        )
    }
}

fn row(record: &TicketRecord) -> Vec<String> {
    let ticket = &record.ticket;
    vec![
        ticket.number.clone(),
        ticket.status.as_str().to_owned(),
        ticket.priority.as_str().to_owned(),
        record.email.clone().unwrap_or_else(|| record.customer_id.to_string()),
        ticket.subject.clone(),
        shown_time(ticket.last_reply_at.unwrap_or(ticket.created_at)),
    ]
}

/// Show a support ticket with all that was written in it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa ticket show T-000042
  stoa ticket show 42 --json")]
pub(super) struct Show {
    /// The ticket's number or id.
    #[arg(value_name = "TICKET")]
    number: TicketNumber,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let db = context.working()?.open_current().await?;
        let found = find_ticket(&db, self.number).await?;
        let record = found.ok_or_else(|| refused(TicketChangeError::Unknown(self.number)))?;
        let messages = conversation_of(&db, record.ticket.id).await?;
        if self.json {
            let mut described = record.to_json()?;
            described["messages"] = serde_json::to_value(&messages)?;
            return print_json(&described);
        }
        let ticket = &record.ticket;
        let time = |time: Option<_>| time.map(shown_time);
        let members = [
            ("number", Some(ticket.number.clone())),
            ("subject", Some(ticket.subject.clone())),
            ("status", Some(ticket.status.as_str().to_owned())),
            ("priority", Some(ticket.priority.as_str().to_owned())),
            ("customer", Some(format!("{} ({})", record.customer_name, record.customer_id))),
            ("e-mail", record.email.clone()),
            ("created", time(Some(ticket.created_at))),
            ("last reply", time(ticket.last_reply_at)),
            ("closed", time(record.closed_at)),
        ];
        print_members(members.into_iter().filter_map(|(name, value)| Some((name, value?))))?;
        for message in messages {
            print_line(&format!("\n{} at {}:", message.author.as_str(), shown_time(message.created_at)))?;
            for line in message.body.lines() {
                print_line(format!("  {line}").trim_end())?;
            }
        }
        Ok(())
    }
}
