//! Looking for payments as operators do, the newest first, a page at a time.

use stoa_kernel::console::{MOST_COUNTED, RowCount};
use stoa_kernel::db::{Db, DbError, Query, Sql};

use super::listing::PaymentRecord;
use super::queries;
use super::status::PaymentStatus;
use crate::orders::OrderNumber;

/// What is looked for.
#[derive(Debug, Clone, Default)]
pub struct PaymentSearch {
    /// Only that of this order.
    pub order: Option<OrderNumber>,
    /// Only those in this state.
    pub status: Option<PaymentStatus>,
    /// Only those that came through this gateway, or were tried through it.
    pub gateway: Option<String>,
    /// Only those that are older than this one.
    pub after: Option<i64>,
    /// At most this many.
    pub limit: i64,
}

/// Payments that were looked for.
pub async fn search_payments(db: &Db, search: &PaymentSearch) -> Result<Vec<PaymentRecord>, DbError> {
    search.bind(db, queries::SEARCH, search.after, search.limit).all().await
}

/// How many there are on all pages together.
pub async fn count_payments(db: &Db, search: &PaymentSearch) -> Result<RowCount, DbError> {
    let counted = search.bind(db, queries::COUNT_SEARCHED, None, MOST_COUNTED + 1).scalar().await?;
    Ok(RowCount::of(counted))
}

impl PaymentSearch {
    fn bind<'a>(&self, db: &'a Db, sql: Sql, after: Option<i64>, limit: i64) -> Query<'a> {
        let query = db.read(sql).bind(self.status.map(PaymentStatus::as_str)).bind(self.gateway.clone());
        query.bind(self.order.map(OrderNumber::id)).bind(after.unwrap_or(i64::MAX)).bind(limit)
    }
}
