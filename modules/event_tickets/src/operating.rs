//! What operators do with tickets, at the command line and in the console.

use serde_json::json;
use stoa_core::entitlements::{SoldUnit, undo_use};
use stoa_core::prelude::*;

use crate::codes::{TICKET, Verifier};
use crate::model::{TicketRow, TicketStatus, id_of, number};
use crate::queries;
use crate::reserve::{lock, recount_free_places};
use crate::wishes::MODULE;

/// Why nothing was done with a ticket.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TicketRefused {
    /// It was not used, so nothing can be taken back.
    #[error("{0} is not checked in")]
    NotCheckedIn(String),
    /// It is void for good.
    #[error("{0} is void, and stays so")]
    StaysVoid(String),
    /// It was made void before.
    #[error("{0} is void already")]
    Void(String),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// The ticket that is meant by a number, a token or the text of a scanned code.
pub(crate) async fn find_ticket(db: &Db, meant: &str) -> Result<Option<TicketRow>, DbError> {
    let meant = meant.trim();
    let mut token = Some(meant.to_owned());
    if meant.starts_with(TICKET) {
        token = Verifier::load(db).await?.read(meant).map(|code| code.token);
    }
    db.read(queries::FIND).bind(token).bind(id_of(meant)).optional().await
}

/// Takes back a check-in, so that the ticket is valid again.
pub(crate) async fn undo_check_in(db: &Db, ticket: &TicketRow) -> Result<(), TicketRefused> {
    let shown = number(ticket.id);
    let sold = SoldUnit { order_line_id: ticket.order_line_id, unit: ticket.unit };
    let undone = db.write(async |tx| -> Result<bool, DbError> {
        let undone = tx.run(queries::UNDO_CHECK_IN).bind(ticket.id).execute().await? > 0;
        if undone {
            undo_use(tx, MODULE, sold).await?;
            let (before, after) =
                (json!({"status": "checked_in", "gate": ticket.gate}), json!({"status": TicketStatus::Issued}));
            tx.audit_operator("event_tickets.undo", subject(ticket), before, after).await?;
        }
        Ok(undone)
    });
    if undone.await? {
        return Ok(());
    }
    let status = find_ticket(db, &shown).await?.map(|ticket| ticket.status);
    Err(if status == Some(TicketStatus::Void) {
        TicketRefused::StaysVoid(shown)
    } else {
        TicketRefused::NotCheckedIn(shown)
    })
}

/// Makes a ticket void for good. Its place and seat can be sold again, unless it was used.
pub(crate) async fn void(db: &Db, ticket: &TicketRow, reason: &str) -> Result<(), TicketRefused> {
    let voided = db.write(async |tx| -> Result<bool, DbError> {
        lock(tx, ticket.order_id).await?;
        let now = tx.now();
        let void = tx.run(queries::VOID_TICKET).bind(ticket.id).bind(now).bind(reason);
        let voided = void.optional_scalar::<Option<i64>>().await?;
        recount_free_places(tx, voided.flatten().as_slice()).await?;
        if voided.is_some() {
            // Only one that was checked in keeps its place.
            let before = if voided == Some(None) { TicketStatus::CheckedIn } else { TicketStatus::Issued };
            let after = json!({"status": TicketStatus::Void, "reason": reason});
            tx.audit_operator("event_tickets.void", subject(ticket), json!({"status": before}), after).await?;
        }
        Ok(voided.is_some())
    });
    if voided.await? { Ok(()) } else { Err(TicketRefused::Void(number(ticket.id))) }
}

fn subject(ticket: &TicketRow) -> Subject {
    Subject::new("ticket", number(ticket.id))
}
