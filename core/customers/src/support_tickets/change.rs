//! Replying to a support ticket, closing it and opening it again.

use serde_json::json;
use stoa_kernel::audit::Subject;
use stoa_kernel::db::{Db, DbError, Tx};

use super::create::insert_message;
use super::fields::{MAX_BODY, stored_body};
use super::model::TicketRecord;
use super::number::TicketNumber;
use super::queries;
use super::status::{TicketAuthor, TicketStatus};

/// A support ticket after a change.
#[derive(Debug, Clone)]
pub struct Changed {
    /// The ticket as it is now.
    pub record: TicketRecord,
    /// Whether it was otherwise before.
    pub is_new: bool,
}

/// Why a support ticket was not changed.
#[derive(Debug, thiserror::Error)]
pub enum TicketChangeError {
    /// There is no such ticket.
    #[error("there is no support ticket {0}")]
    Unknown(TicketNumber),
    /// The message is empty, too long, or holds control characters.
    #[error(
        "the body must have 1 to {MAX_BODY} characters, without control characters other than line breaks and tabs"
    )]
    Body,
    /// Staff does not reply to a closed ticket.
    #[error("support ticket {0} is closed; open it again before you reply")]
    Closed(TicketNumber),
    /// The customer was anonymized: the ticket stays closed, and nothing is written into it any more.
    #[error("the customer of support ticket {0} is anonymized; the ticket stays closed")]
    Anonymized(TicketNumber),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Adds a reply to a ticket, which tells whose turn it is then (see [`TicketStatus::after_reply`]).
pub async fn reply_to_ticket(
    db: &Db,
    number: TicketNumber,
    author: TicketAuthor,
    body: &str,
) -> Result<TicketRecord, TicketChangeError> {
    let body = stored_body(body).ok_or(TicketChangeError::Body)?;
    db.write(async |tx| -> Result<TicketRecord, TicketChangeError> {
        let record = locked(tx, number).await?;
        if record.email.is_none() {
            return Err(TicketChangeError::Anonymized(number));
        }
        let status = record.ticket.status.after_reply(author).ok_or(TicketChangeError::Closed(number))?;
        insert_message(tx, (number.id(), record.customer_id), author, &body).await?;
        let now = tx.now();
        tx.run(queries::REPLIED).bind(number.id()).bind(status.as_str()).bind(now).execute().await?;
        let (before, after) = (json!({"status": record.ticket.status.as_str()}), json!({"status": status.as_str()}));
        tx.audit_operator("support.reply", subject(number), before, after).await?;
        Ok(tx.run(queries::FIND).bind(number.id()).one().await?)
    })
    .await
}

/// Closes a ticket; one that is closed stays so.
pub async fn close_ticket(db: &Db, number: TicketNumber) -> Result<Changed, TicketChangeError> {
    db.write(async |tx| -> Result<Changed, TicketChangeError> {
        let record = locked(tx, number).await?;
        let now = tx.now();
        let closed = tx.run(queries::CLOSE).bind(number.id()).bind(now).execute().await?;
        if closed > 0 {
            let (before, after) = (json!({"status": record.ticket.status.as_str()}), json!({"status": "closed"}));
            tx.audit_operator("support.close", subject(number), before, after).await?;
        }
        Ok(Changed { record: tx.run(queries::FIND).bind(number.id()).one().await?, is_new: closed > 0 })
    })
    .await
}

/// Opens a closed ticket again, which makes it the shop's turn; one that is not closed stays as it is.
pub async fn reopen_ticket(db: &Db, number: TicketNumber) -> Result<Changed, TicketChangeError> {
    db.write(async |tx| -> Result<Changed, TicketChangeError> {
        let record = locked(tx, number).await?;
        if record.email.is_none() && record.ticket.status == TicketStatus::Closed {
            return Err(TicketChangeError::Anonymized(number));
        }
        let now = tx.now();
        let reopened = tx.run(queries::REOPEN).bind(number.id()).bind(now).execute().await?;
        if reopened > 0 {
            let (before, after) = (json!({"status": "closed"}), json!({"status": "pending"}));
            tx.audit_operator("support.reopen", subject(number), before, after).await?;
        }
        Ok(Changed { record: tx.run(queries::FIND).bind(number.id()).one().await?, is_new: reopened > 0 })
    })
    .await
}

fn subject(number: TicketNumber) -> Subject {
    Subject::new("ticket", number.id())
}

/// The ticket, which nobody else changes until this transaction ends. It is read after it was locked, so that it is seen
/// as whoever held it before has left it.
async fn locked(tx: &mut Tx, number: TicketNumber) -> Result<TicketRecord, TicketChangeError> {
    tx.run(queries::LOCK).bind(number.id()).execute().await?;
    let found = tx.run(queries::FIND).bind(number.id()).optional().await?;
    found.ok_or(TicketChangeError::Unknown(number))
}
