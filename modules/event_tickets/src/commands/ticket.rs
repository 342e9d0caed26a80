//! `stoa event-tickets list|show|pdf|undo|void`.

use std::fs::{OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use stoa_core::orders::OrderNumber;
use stoa_core::prelude::*;

use super::{chosen_event, find_ticket};
use crate::model::{OperatorTicket, TicketRow, TicketStatus, listed, number};
use crate::operating::{undo_check_in, void};
use crate::{paper, queries};

/// Why an operator makes a ticket void, unless they say why.
const DEFAULT_REASON: &str = "operator";

impl ValueEnum for TicketStatus {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(clap::builder::PossibleValue::new(self.as_str()))
    }
}

/// List tickets, the newest first.
#[derive(Debug, Args)]
#[command(after_help = "A list has no tokens and codes, which admit whoever has them; `show` has those of one ticket.

Examples:
  stoa event-tickets list --event symposium-3 --status issued
  stoa event-tickets list --order O-000042 --json")]
pub(super) struct List {
    /// Only those of this event.
    #[arg(long, value_name = "SLUG")]
    event: Option<String>,
    /// Only those with this status.
    #[arg(long)]
    status: Option<TicketStatus>,
    /// Only those of this order: its id or number.
    #[arg(long)]
    order: Option<OrderNumber>,
    /// How many at most.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(i64).range(1..=100_000))]
    limit: i64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl List {
    pub(super) async fn run(self, cx: &CommandContext) -> Result<(), Failure> {
        let db = &cx.parts.db;
        let event = chosen_event(db, self.event.as_deref()).await?;
        let list = db.read(queries::LIST).bind(event).bind(self.status.map(TicketStatus::as_str));
        let tickets = list.bind(self.order.map(OrderNumber::id)).bind(self.limit).all::<TicketRow>().await?;
        if self.json {
            return cx.output.json_list(&tickets.into_iter().map(listed).collect::<Result<Vec<_>, _>>()?);
        }
        let rows = tickets.into_iter().map(|ticket| {
            let used = ticket.checked_in_at.map(shown_time).unwrap_or_default();
            let (holder, seat) = (ticket.holder.unwrap_or_default(), ticket.seat.unwrap_or_default());
            let status = ticket.status.as_str().to_owned();
            let order = OrderNumber::of(ticket.order_id).to_string();
            vec![number(ticket.id), status, ticket.event_slug, ticket.ticket_type, seat, holder, order, used]
        });
        cx.output.list(
            &["ticket", "status", "event", "type", "seat", "holder", "order", "checked in"],
            rows,
            "tickets are made when an order is paid",
        )
    }
}

/// Show a ticket.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa event-tickets show ET-000042
  stoa event-tickets show ET-000042 --json")]
pub(super) struct Show {
    /// The ticket's number, its token, or the text of its code.
    ticket: String,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(super) async fn run(self, cx: &CommandContext) -> Result<(), Failure> {
        print(cx, find_ticket(&cx.parts.db, &self.ticket).await?, self.json)
    }
}

fn print(cx: &CommandContext, ticket: TicketRow, json: bool) -> Result<(), Failure> {
    if json {
        return cx.output.json(&OperatorTicket::from(ticket));
    }
    let begins = paper::local_time(ticket.starts_at, ticket.utc_offset_minutes);
    cx.output.members([
        ("ticket", number(ticket.id)),
        ("status", ticket.status.as_str().to_owned()),
        ("event", format!("{} ({})", ticket.event, ticket.event_slug)),
        ("venue", ticket.venue),
        ("begins", begins),
        ("type", ticket.ticket_type),
        ("seat", ticket.seat.unwrap_or_default()),
        ("holder", ticket.holder.unwrap_or_default()),
        ("order", OrderNumber::of(ticket.order_id).to_string()),
        ("item:unit", format!("{}:{}", ticket.order_line_id, ticket.unit)),
        ("issued", shown_time(ticket.issued_at)),
        ("checked in", ticket.checked_in_at.map(shown_time).unwrap_or_default()),
        ("gate", ticket.gate.unwrap_or_default()),
        ("void since", ticket.voided_at.map(shown_time).unwrap_or_default()),
        ("void because", ticket.void_reason.unwrap_or_default()),
    ])
}

/// Write a ticket as PDF, for the file's owner alone: whoever holds it gets in.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa event-tickets pdf ET-000042 ticket.pdf")]
pub(super) struct Pdf {
    /// The ticket's number, its token, or the text of its code.
    ticket: String,
    /// The file to write; one that is there is replaced.
    file: PathBuf,
}

impl Pdf {
    pub(super) async fn run(self, cx: &CommandContext) -> Result<(), Failure> {
        let ticket = find_ticket(&cx.parts.db, &self.ticket).await?;
        let (shown, shop) = (number(ticket.id), cx.parts.config.shop.name.clone());
        let texts = cx.parts.texts.clone();
        let language = texts.language_of(&cx.parts.config.shop.locale.to_string());
        let content = tokio::task::spawn_blocking(move || paper::draw(&ticket, &shop, &texts, language)).await??;
        let file = cx.folder.join(&self.file);
        write_file(&file, &content)?;
        cx.output.line(&format!("{shown} is written to {}", self.file.display()))
    }
}

/// Writes a file that an operator has named, for its owner alone, whatever was there.
pub(super) fn write_file(file: &Path, content: &[u8]) -> Result<(), Failure> {
    write_private(file, content)
        .map_err(|error| Failure::operation(format!("cannot write {}: {error}", file.display())))
}

fn write_private(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    // A file that was there keeps its rights when it is opened; a pipe or a device has none to be taken.
    if file.metadata()?.is_file() {
        file.set_permissions(Permissions::from_mode(0o600))?;
    }
    file.write_all(content)
}

/// Take back a check-in, so that the ticket is valid again.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa event-tickets undo ET-000042")]
pub(super) struct Undo {
    /// The ticket's number, its token, or the text of its code.
    ticket: String,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Undo {
    pub(super) async fn run(self, cx: &CommandContext) -> Result<(), Failure> {
        let db = &cx.parts.db;
        let ticket = find_ticket(db, &self.ticket).await?;
        let shown = number(ticket.id);
        undo_check_in(db, &ticket).await?;
        if self.json {
            return print(cx, find_ticket(db, &shown).await?, true);
        }
        cx.output.line(&format!("{shown} is valid again"))
    }
}

/// Make a ticket void for good. Its place and seat can be sold again, unless it was used; no money goes back.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa event-tickets void ET-000042 --reason 'sold on for a multiple'")]
pub(super) struct Void {
    /// The ticket's number, its token, or the text of its code.
    ticket: String,
    /// Why; shown to operators.
    #[arg(long, default_value = DEFAULT_REASON, value_parser = super::name)]
    reason: String,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Void {
    pub(super) async fn run(self, cx: &CommandContext) -> Result<(), Failure> {
        let db = &cx.parts.db;
        let ticket = find_ticket(db, &self.ticket).await?;
        let shown = number(ticket.id);
        void(db, &ticket, &self.reason).await?;
        if self.json {
            return print(cx, find_ticket(db, &shown).await?, true);
        }
        cx.output.line(&format!("{shown} is void"))
    }
}
