//! Opening a support ticket.

use serde_json::{Value, json};
use stoa_kernel::audit::Subject;
use stoa_kernel::db::{Db, DbError, Tx};
use stoa_kernel::i18n::Language;

use super::events::TicketWritten;
use super::fields::{MAX_BODY, MAX_SUBJECT, stored_body, stored_subject};
use super::model::TicketRecord;
use super::number::TicketNumber;
use super::queries;
use super::status::{TicketAuthor, TicketPriority};

/// A support ticket to be opened in the name of a customer.
#[derive(Debug, Clone)]
pub struct NewTicket {
    /// Whose ticket it shall be.
    pub customer_id: i64,
    /// What it is about.
    pub subject: String,
    /// What the customer writes.
    pub body: String,
    /// How urgent it is.
    pub priority: TicketPriority,
    /// In which language the customer asks; none where nobody knows, and answers are in the shop's.
    pub language: Option<Language>,
}

/// Why a support ticket was not opened.
#[derive(Debug, thiserror::Error)]
pub enum CreateTicketError {
    /// The subject is empty, too long, or holds control characters.
    #[error("the subject must have 1 to {MAX_SUBJECT} characters, without control characters")]
    Subject,
    /// The message is empty, too long, or holds control characters.
    #[error(
        "the body must have 1 to {MAX_BODY} characters, without control characters other than line breaks and tabs"
    )]
    Body,
    /// There is no such customer, or none any more.
    #[error("there is no such customer")]
    NoCustomer,
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Opens a support ticket.
pub async fn create_ticket(db: &Db, new: &NewTicket) -> Result<TicketRecord, CreateTicketError> {
    let subject = stored_subject(&new.subject).ok_or(CreateTicketError::Subject)?;
    let body = stored_body(&new.body).ok_or(CreateTicketError::Body)?;
    db.write(async |tx| -> Result<TicketRecord, CreateTicketError> {
        tx.run(queries::LOCK_CUSTOMER).bind(new.customer_id).execute().await?;
        let customer = tx.run(queries::FIND_CUSTOMER).bind(new.customer_id).optional_scalar::<i64>().await?;
        let customer = customer.ok_or(CreateTicketError::NoCustomer)?;
        let now = tx.now();
        let insert = tx.run(queries::INSERT).bind(customer).bind(subject.as_str()).bind(new.priority.as_str());
        let language = new.language.as_ref().map(Language::tag);
        let id = insert.bind(now).bind(language).scalar::<i64>().await?;
        tx.run(queries::SET_NUMBER).bind(id).bind(TicketNumber::of(id).to_string()).execute().await?;
        insert_message(tx, (id, customer), TicketAuthor::Customer, &body).await?;
        let after = json!({"customer": customer, "priority": new.priority.as_str()});
        tx.audit_operator("support.create", Subject::new("ticket", id), Value::Null, after).await?;
        Ok(tx.run(queries::FIND).bind(id).one().await?)
    })
    .await
}

/// Adds a message to a ticket of a customer, which this transaction has made or locked.
pub(super) async fn insert_message(
    tx: &mut Tx,
    (ticket_id, customer_id): (i64, i64),
    author: TicketAuthor,
    body: &str,
) -> Result<(), DbError> {
    let now = tx.now();
    let insert = tx.run(queries::INSERT_MESSAGE).bind(ticket_id).bind(author.as_str()).bind(body);
    let message_id = insert.bind(now).scalar::<i64>().await?;
    tx.emit(&TicketWritten { ticket_id, customer_id, message_id, author }).await
}
