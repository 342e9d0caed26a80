//! Looking for payments as operators do, the newest first, a page at a time.

use stoa_kernel::console::{FEW_OF_A_KIND, MOST_COUNTED, MOST_FOUND, RowCount};
use stoa_kernel::db::{Db, DbError, Query, Sql};

use super::listing::{PaymentRecord, find_payment_record};
use super::queries;
use super::records::find_payment;
use super::status::PaymentStatus;
use crate::orders::OrderNumber;

/// What is looked for.
#[derive(Debug, Clone, Default)]
pub struct PaymentSearch {
    /// Only that of this order, whatever else is asked for.
    pub order: Option<OrderNumber>,
    /// Only those in this state.
    pub status: Option<PaymentStatus>,
    /// Only those that came through this gateway, or were tried through it.
    pub gateway: Option<String>,
    /// Only those of orders that were placed before this one.
    pub after: Option<i64>,
    /// At most this many.
    pub limit: i64,
}

/// Payments that were looked for.
pub async fn search_payments(db: &Db, search: &PaymentSearch) -> Result<Vec<PaymentRecord>, DbError> {
    if let Some(order) = search.order {
        let first = search.after.is_none();
        return Ok(if first { of_order(db, order).await?.into_iter().collect() } else { Vec::new() });
    }
    let sql = if search.is_of_few(db).await? { queries::SEARCH_OF_GATEWAY } else { queries::SEARCH };
    search.bind(db, sql.page.descending, search.after, search.limit).all().await
}

/// How many there are on all pages together.
pub async fn count_payments(db: &Db, search: &PaymentSearch) -> Result<RowCount, DbError> {
    if let Some(order) = search.order {
        return Ok(RowCount::of(i64::from(of_order(db, order).await?.is_some())));
    }
    let sql = if search.is_of_few(db).await? { queries::SEARCH_OF_GATEWAY } else { queries::SEARCH };
    // A gateway may be that of an attempt as well, which has to be looked up for each payment.
    let most = if search.gateway.is_some() { MOST_FOUND } else { MOST_COUNTED };
    Ok(RowCount::up_to(most, search.bind(db, sql.count, None, most + 1).scalar().await?))
}

async fn of_order(db: &Db, order: OrderNumber) -> Result<Option<PaymentRecord>, DbError> {
    match find_payment(db, order.id()).await? {
        Some(payment) => find_payment_record(db, payment.id).await,
        None => Ok(None),
    }
}

impl PaymentSearch {
    /// Whether it asks for a gateway that few have paid through.
    async fn is_of_few(&self, db: &Db) -> Result<bool, DbError> {
        let Some(gateway) = &self.gateway else { return Ok(false) };
        let count = db.read(queries::COUNT_GATEWAY).bind(gateway.as_str()).bind(FEW_OF_A_KIND + 1);
        Ok(count.scalar::<i64>().await? <= FEW_OF_A_KIND)
    }

    fn bind<'a>(&self, db: &'a Db, sql: Sql, after: Option<i64>, limit: i64) -> Query<'a> {
        let query = db.read(sql).bind(self.status.map(PaymentStatus::as_str)).bind(self.gateway.clone());
        query.bind(after.unwrap_or(i64::MAX)).bind(limit)
    }
}
