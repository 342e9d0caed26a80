//! Single tickets in the console: as lists show them, and what is done with one.

use stoa_core::orders::OrderNumber;
use stoa_core::prelude::*;

use super::{CHECK_IN, CHECK_IN_PATH, EDIT};
use crate::model::{TicketRow, TicketStatus, number};
use crate::operating::{TicketRefused, find_ticket, undo_check_in, void};
use crate::settings::LONGEST_NAME;

/// Separates a name from a ticket's id in the address of a page.
pub(super) const BETWEEN: char = '\u{1f}';

const UNDO: &str = "/m/event_tickets/door/undo";
const VOID: &str = "/m/event_tickets/door/void";

/// The page that a ticket is listed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ListedOn {
    DoorList,
    Order,
}

impl ListedOn {
    /// As the address of a form says it.
    const fn word(self) -> &'static str {
        match self {
            Self::DoorList => "door",
            Self::Order => "order",
        }
    }
}

/// Tickets as lists show them, without what lets their holders in.
pub(super) fn list(title: &str, from: ListedOn) -> List<TicketRow> {
    let key = |ticket: &TicketRow| format!("{}{BETWEEN}{}", ticket.name(), ticket.id);
    let fill = move |label, path, ticket: &TicketRow| {
        let values = [("ticket", number(ticket.id)), ("from", from.word().to_owned())];
        RowAct::fill(label, path, values.iter().map(|(name, value)| (*name, value.as_str())))
    };
    let list = List::keyed(title, key).column("Ticket", |ticket| number(ticket.id)).column("Name", |ticket| {
        let buyer = ticket.buyer.as_ref().filter(|_| ticket.holder.is_some());
        Cell::from(ticket.name()).over(buyer.map(|buyer| format!("bought by {buyer}")))
    });
    let list = match from {
        ListedOn::DoorList => list.column("Order", |ticket| {
            let order = OrderNumber::of(ticket.order_id).to_string();
            let path = format!("/orders/{order}");
            Cell::link(order, path)
        }),
        ListedOn::Order => list,
    };
    list.column("Type", |ticket| Cell::from(&ticket.ticket_type).over(ticket.seat.as_deref()))
        .column("Status", |ticket| Cell::state(ticket.status.as_str()))
        .column("Checked in", |ticket| Cell::from(ticket.checked_in_at).over(ticket.gate.as_deref()))
        .act(CHECK_IN, |ticket| {
            let values = [("code", number(ticket.id)), ("event", ticket.event_slug.clone())];
            let values = values.iter().map(|(name, value)| (*name, value.as_str()));
            (ticket.status == TicketStatus::Issued).then(|| RowAct::fill("Check in", CHECK_IN_PATH, values))
        })
        .act(CHECK_IN, move |ticket| {
            (ticket.status == TicketStatus::CheckedIn).then(|| fill("Undo check-in", UNDO, ticket))
        })
        .act(EDIT, move |ticket| (ticket.status != TicketStatus::Void).then(|| fill("Void", VOID, ticket)))
}

/// Which ticket is meant, and the page that one came from.
#[derive(Debug, Deserialize)]
struct Undone {
    ticket: String,
    from: Option<String>,
}

impl Input for Undone {
    const NAME: &'static str = "EventTicketUndone";

    fn rules() -> Rules {
        Rules::new([ticket(), field("from").max(20)])
    }
}

/// The same with a reason.
#[derive(Debug, Deserialize)]
struct Voided {
    ticket: String,
    from: Option<String>,
    reason: String,
}

impl Input for Voided {
    const NAME: &'static str = "EventTicketVoided";

    fn rules() -> Rules {
        let reason = field("reason").max(LONGEST_NAME).required().describe("For the shop's records.");
        Rules::new([ticket(), field("from").max(20), reason])
    }
}

fn ticket() -> stoa_core::http::rules::Field {
    field("ticket").max(4096).required().describe("Its number, or the text of its code.")
}

pub(super) fn undo_form() -> stoa_core::console::ConsoleForm {
    form("event_tickets.undo", "Undo check-in", CHECK_IN, |undone: Undone, db: Db| async move {
        let ticket = find(&db, &undone.ticket).await?;
        undo_check_in(&db, &ticket).await.map_err(refused)?;
        let told = Told::new(format!("{} is valid again.", number(ticket.id)));
        Ok(told.at(back(&ticket, undone.from.as_deref())))
    })
    .about("The ticket is valid again, as if nobody had come in with it.")
    .hides(&["from"])
    .begins(begin)
}

pub(super) fn void_form() -> stoa_core::console::ConsoleForm {
    form("event_tickets.void", "Void ticket", EDIT, |voided: Voided, db: Db| async move {
        let ticket = find(&db, &voided.ticket).await?;
        void(&db, &ticket, &voided.reason).await.map_err(refused)?;
        let told = Told::new(format!("{} is void.", number(ticket.id)));
        Ok(told.at(back(&ticket, voided.from.as_deref())))
    })
    .about("It is void for good. Its place can be sold again, unless it was used. No money goes back: that is a refund of the order.")
    .hides(&["from"])
    .begins(begin)
}

async fn find(db: &Db, meant: &str) -> Result<TicketRow, Refused> {
    find_ticket(db, meant).await?.ok_or_else(|| Refused::field("ticket", &"there is no such ticket"))
}

/// Says which ticket it is.
async fn begin(values: FormValues, db: Db) -> ApiResult<FormStart> {
    let Some(meant) = values.get("ticket") else { return Ok(FormStart::default()) };
    let Some(ticket) = find_ticket(&db, meant).await? else { return Ok(FormStart::default()) };
    let holder = ticket.holder.as_ref().map(|holder| format!(", {holder}")).unwrap_or_default();
    let about = format!("{} for {}, {}{holder}.", number(ticket.id), ticket.event, ticket.ticket_type);
    Ok(FormStart::about(about).back(back(&ticket, values.get("from"))))
}

/// The page that one came from.
fn back(ticket: &TicketRow, from: Option<&str>) -> String {
    if from == Some(ListedOn::Order.word()) {
        format!("/orders/{}", OrderNumber::of(ticket.order_id))
    } else {
        format!("/m/event_tickets/door?event={}", ticket.event_slug)
    }
}

fn refused(error: TicketRefused) -> Refused {
    match error {
        TicketRefused::Db(error) => error.into(),
        other => Refused::because(&other),
    }
}
