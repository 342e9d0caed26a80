//! Looking for support tickets as the shop's inbox does: those that wait for the shop first, a page at a time.

use stoa_kernel::console::{MOST_COUNTED, MOST_FOUND, RowCount, RowsWanted, Sort, SortPart};
use stoa_kernel::db::{Db, DbError, Query, Sql};

use super::model::TicketRecord;
use super::number::TicketNumber;
use super::queries;
use super::read::find_ticket;
use super::status::{TicketPriority, TicketStatus};
use crate::customers::find_customers_beginning;

/// What is looked for.
#[derive(Debug, Clone, Default)]
pub struct TicketSearch {
    /// A number, or the beginning of the customer's name or e-mail address.
    pub text: Option<String>,
    /// Only those in this state.
    pub status: Option<TicketStatus>,
    /// Only those that are so urgent.
    pub priority: Option<TicketPriority>,
    /// Only those of this customer.
    pub customer_id: Option<i64>,
    /// In the order of `last`, the time of the last message, unless a text is looked for. None is those first that wait for the shop.
    pub sort: Option<Sort>,
    /// Only those that follow this one in that order.
    pub after: Option<i64>,
    /// At most this many.
    pub limit: i64,
}

/// Tickets that were looked for.
pub async fn search_tickets(db: &Db, search: &TicketSearch) -> Result<Vec<TicketRecord>, DbError> {
    match &search.sort {
        Some(sort) if sort.column == "last" && search.text.is_none() => {
            let sql = sort.direction.page(queries::BY_LAST_MESSAGE);
            let read = |part: SortPart, left| async move {
                part.bind(search.bind(db, sql, None, left).await?).all::<TicketRecord>().await
            };
            sort.read(search.after, search.limit, read).await
        }
        _ => waiting_first(db, search).await,
    }
}

/// Those that wait for the shop, then all others, each the newest first.
async fn waiting_first(db: &Db, search: &TicketSearch) -> Result<Vec<TicketRecord>, DbError> {
    let behind = match search.after {
        Some(after) => find_ticket(db, TicketNumber::of(after)).await?,
        None => None,
    };
    let mut found = Vec::new();
    let mut after = search.after;
    let (waiting, others) = match search.text {
        Some(_) => (queries::FOUND_WAITING, queries::FOUND_OTHERS),
        None => (queries::SEARCH_WAITING, queries::SEARCH_OTHERS),
    };
    if behind.is_none_or(|ticket| ticket.ticket.status.waits()) {
        found = search.bind(db, waiting, after, search.limit).await?.all().await?;
        after = None;
    }
    let left = RowsWanted::left(search.limit, found.len());
    if left > 0 {
        found.extend(search.bind(db, others, after, left).await?.all::<TicketRecord>().await?);
    }
    Ok(found)
}

/// How many there are on all pages together.
pub async fn count_tickets(db: &Db, search: &TicketSearch) -> Result<RowCount, DbError> {
    let sql = if search.text.is_some() { queries::COUNT_FOUND } else { queries::COUNT_SEARCHED };
    let most = if search.text.is_some() { MOST_FOUND } else { MOST_COUNTED };
    Ok(RowCount::up_to(most, search.bind(db, sql, None, most + 1).await?.scalar().await?))
}

impl TicketSearch {
    async fn bind<'a>(&self, db: &'a Db, sql: Sql, after: Option<i64>, limit: i64) -> Result<Query<'a>, DbError> {
        let query = db.read(sql).bind(self.status.map(TicketStatus::as_str));
        let query = query.bind(self.priority.map(TicketPriority::as_str)).bind(self.customer_id);
        let query = query.bind(after.unwrap_or(i64::MAX)).bind(limit);
        let Some(text) = &self.text else { return Ok(query) };
        let number = text.parse::<TicketNumber>().ok().map(TicketNumber::id);
        Ok(query.bind(number).bind_ids(find_customers_beginning(db, text).await?))
    }
}
