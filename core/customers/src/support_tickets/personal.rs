//! Support tickets of a customer who is anonymized or exported.

use std::collections::HashMap;

use serde::Serialize;

use stoa_kernel::db::{Db, Tx};
use stoa_kernel::events::{InTransaction, ListenerError, Preflight};

use super::model::{TicketMessage, TicketSummary};
use super::queries;
use crate::customers::{CustomerAnonymizing, CustomerExporting};

/// What stands where something personal stood.
const ERASED: &str = "Erased";

/// Erases what was written in the tickets of whoever is anonymized, by either side, and closes them. Numbers, states and
/// times stay, so that the operator can still count them.
pub(super) struct EraseTickets;

impl InTransaction<CustomerAnonymizing> for EraseTickets {
    async fn in_transaction(&self, event: &CustomerAnonymizing, tx: &mut Tx) -> Result<(), ListenerError> {
        let customer_id = event.customer_id;
        // Whoever opens a ticket of this customer meanwhile is through, or waits and then finds no customer.
        tx.run(queries::LOCK_CUSTOMER).bind(customer_id).execute().await?;
        let now = tx.now();
        // The tickets before their messages: whoever replies holds the ticket.
        tx.run(queries::ERASE).bind(customer_id).bind(ERASED).bind(now).execute().await?;
        tx.run(queries::ERASE_MESSAGES).bind(customer_id).bind(ERASED).execute().await?;
        Ok(())
    }
}

/// A ticket with all that was written in it.
#[derive(Serialize)]
struct ExportedTicket {
    #[serde(flatten)]
    ticket: TicketSummary,
    messages: Vec<TicketMessage>,
}

#[derive(sqlx::FromRow)]
struct MessageOfTicket {
    ticket_id: i64,
    #[sqlx(flatten)]
    message: TicketMessage,
}

/// Adds the part `support_tickets` to an export: the tickets as the API shows them, oldest first, with their messages.
pub(super) struct ExportTickets;

impl Preflight<CustomerExporting> for ExportTickets {
    async fn preflight(&self, event: &mut CustomerExporting, db: &Db) -> Result<(), ListenerError> {
        let tickets = db.read(queries::ALL_OF_CUSTOMER).bind(event.customer_id).all::<TicketSummary>().await?;
        let written = db.read(queries::MESSAGES_OF_CUSTOMER).bind(event.customer_id).all::<MessageOfTicket>().await?;
        let mut messages = HashMap::<i64, Vec<TicketMessage>>::new();
        for row in written {
            messages.entry(row.ticket_id).or_default().push(row.message);
        }
        let exported = tickets.into_iter().map(|ticket| {
            let messages = messages.remove(&ticket.id).unwrap_or_default();
            ExportedTicket { ticket, messages }
        });
        event.add("support_tickets", &exported.collect::<Vec<_>>())
    }
}
