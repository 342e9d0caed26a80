//! Reading support tickets.

use stoa_kernel::db::{Db, DbError};

use super::model::{TicketMessage, TicketRecord, TicketSummary};
use super::number::TicketNumber;
use super::queries;
use super::status::TicketStatus;

/// Which support tickets to list.
#[derive(Debug, Clone, Default)]
pub struct TicketFilter {
    /// Only those in this state.
    pub status: Option<TicketStatus>,
    /// Only those of this customer.
    pub customer_id: Option<i64>,
    /// At most this many; all of them if none is said.
    pub limit: Option<u32>,
}

/// A ticket of any customer.
pub async fn find_ticket(db: &Db, number: TicketNumber) -> Result<Option<TicketRecord>, DbError> {
    db.read(queries::FIND).bind(number.id()).optional().await
}

/// How many tickets wait for the shop to say something.
pub async fn count_open_tickets(db: &Db) -> Result<i64, DbError> {
    db.read(queries::COUNT_OPEN).scalar().await
}

/// Tickets of all customers, the newest first.
pub async fn list_tickets(db: &Db, filter: &TicketFilter) -> Result<Vec<TicketRecord>, DbError> {
    let list = db.read(queries::LIST).bind(filter.status.map(TicketStatus::as_str)).bind(filter.customer_id);
    list.bind(filter.limit.map_or(i64::MAX, i64::from)).all().await
}

/// The messages of a ticket, oldest first.
pub async fn conversation_of(db: &Db, ticket_id: i64) -> Result<Vec<TicketMessage>, DbError> {
    db.read(queries::LIST_MESSAGES).bind(ticket_id).all().await
}

/// A page of a customer's tickets, the newest first, and how many there are in all.
pub(super) async fn page_of_tickets(
    db: &Db,
    customer_id: i64,
    limit: i64,
    offset: i64,
) -> Result<(Vec<TicketSummary>, i64), DbError> {
    let total = db.read(queries::COUNT_OF_CUSTOMER).bind(customer_id).scalar().await?;
    let page = db.read(queries::PAGE_OF_CUSTOMER).bind(customer_id).bind(limit).bind(offset).all().await?;
    Ok((page, total))
}

/// How many of a customer's tickets wait for the shop.
pub(super) async fn count_waiting(db: &Db, customer_id: i64) -> Result<i64, DbError> {
    db.read(queries::COUNT_WAITING).bind(customer_id).scalar().await
}

/// A ticket of this customer; that of another is none.
pub(super) async fn find_own_ticket(db: &Db, customer_id: i64, id: i64) -> Result<Option<TicketSummary>, DbError> {
    db.read(queries::FIND_OF_CUSTOMER).bind(customer_id).bind(id).optional().await
}
