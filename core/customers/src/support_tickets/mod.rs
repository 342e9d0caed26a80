//! Support tickets: what customers ask, what the shop answers, and who has to say something next (contract 2.3).
//!
//! Customers read summaries of their own tickets through the API. They write them on the shop's own pages alone (S1 rule 9); the
//! operator, at the command line.

mod change;
mod create;
mod events;
mod fields;
mod first_party;
mod mails;
mod model;
mod number;
mod personal;
mod queries;
mod read;
mod routes;
mod search;
mod status;

pub use change::{Changed, TicketChangeError, close_ticket, reopen_ticket, reply_to_ticket};
pub use create::{CreateTicketError, NewTicket, create_ticket};
pub use events::TicketWritten;
pub use fields::{MAX_BODY, MAX_SUBJECT, stored_body, stored_subject};
pub use model::{TicketMessage, TicketRecord, TicketSummary};
pub use number::{NumberedTicket, TicketNumber};
pub use read::{TicketFilter, conversation_of, count_open_tickets, find_ticket, list_tickets};
pub use search::{TicketSearch, count_tickets, search_tickets};
pub use status::{TicketAuthor, TicketPriority, TicketStatus};

use stoa_kernel::module::{ModuleContext, RegisterError};

use crate::customers::{CustomerAnonymizing, CustomerExporting};

/// The routes, mails and listeners of this feature. In a shop that sends no mail, no event waits for one.
pub(crate) fn register(cx: &mut ModuleContext<'_>, sends_mail: bool) -> Result<(), RegisterError> {
    cx.mail_template(mails::REPLIED);
    cx.mail_template(mails::OWNER_TICKET);
    if sends_mail {
        cx.on_committed("support_tickets.tell", mails::TellWritten);
    }
    cx.on_transaction::<CustomerAnonymizing>("support_tickets.erase", personal::EraseTickets);
    cx.on_preflight::<CustomerExporting>("support_tickets.export", personal::ExportTickets);
    cx.routes((), first_party::conversation_routes())?;
    cx.routes((), routes::ticket_routes())
}
