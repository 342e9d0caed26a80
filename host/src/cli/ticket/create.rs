//! `stoa ticket create`.

use clap::Args;
use stoa_core::support_tickets::{NewTicket, TicketPriority, create_ticket};

use super::texts::{Body, body, subject};
use super::{Context, print_ticket};
use crate::cli::customer::CustomerArgument;
use crate::cli::one_of::one_of;
use crate::cli::order::open;
use crate::failure::Failure;

/// Open a support ticket in the name of a customer.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa ticket create --customer ada@example.com --subject 'The lamp flickers' --body 'Since yesterday.'
  stoa ticket create --customer 1001 --subject 'No parcel' --body - --priority high --json < mail.txt")]
pub(super) struct Create {
    /// E-mail address or id of the customer.
    #[arg(long, value_name = "CUSTOMER")]
    customer: CustomerArgument,
    /// What it is about, in one line.
    #[arg(long, value_parser = subject)]
    subject: String,
    /// What the customer writes; `-` reads standard input.
    #[arg(long, allow_hyphen_values = true, value_parser = body)]
    body: Body,
    /// How urgent it is.
    #[arg(long, default_value = TicketPriority::Normal.as_str(), value_parser = one_of(TicketPriority::ALL, TicketPriority::as_str))]
    priority: TicketPriority,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Create {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let body = self.body.read()?;
        let db = open(context).await?.db;
        let customer_id = self.customer.with_account(&db).await?.id;
        let (subject, priority) = (self.subject.clone(), self.priority);
        let new = NewTicket { customer_id, subject, body, priority, language: None };
        let record = create_ticket(&db, &new).await?;
        let told = format!("opened support ticket {} of {}", record.ticket.number, record.customer_name);
        print_ticket(&record, self.json, &told)
    }
}
