//! Looking for withdrawals as operators do, the newest first, a page at a time.

use stoa_kernel::console::{MOST_COUNTED, RowCount};
use stoa_kernel::db::{Db, DbError, Query, Reader, Sql};
use stoa_kernel::record_number::OrderNumber;

use super::model::WithdrawalRecord;
use super::number::WithdrawalNumber;
use super::queries;
use super::read::{Row, records};
use super::status::WithdrawalStatus;

/// What is looked for.
#[derive(Debug, Clone, Default)]
pub struct WithdrawalSearch {
    /// The number of a withdrawal or of an order, or the beginning of an e-mail address.
    pub text: Option<String>,
    /// Only those in this state.
    pub status: Option<WithdrawalStatus>,
    /// Only those that came after the period was over.
    pub late: bool,
    /// Only those that were declared before this one.
    pub after: Option<i64>,
    /// At most this many.
    pub limit: i64,
}

/// Withdrawals of all customers that were looked for.
pub async fn search_withdrawals(db: &Db, search: &WithdrawalSearch) -> Result<Vec<WithdrawalRecord>, DbError> {
    let rows = search.bind(db, queries::SEARCH, search.after, search.limit).all::<Row>().await?;
    records(&mut Reader::from(db), rows).await
}

/// How many there are on all pages together.
pub async fn count_withdrawals(db: &Db, search: &WithdrawalSearch) -> Result<RowCount, DbError> {
    let counted = search.bind(db, queries::COUNT_SEARCHED, None, MOST_COUNTED + 1).scalar().await?;
    Ok(RowCount::of(counted))
}

/// How many wait for the shop to decide.
pub async fn count_declared_withdrawals(db: &Db) -> Result<i64, DbError> {
    db.read(queries::COUNT_DECLARED).scalar().await
}

impl WithdrawalSearch {
    fn bind<'a>(&self, db: &'a Db, sql: Sql, after: Option<i64>, limit: i64) -> Query<'a> {
        let text = self.text.as_deref().map(str::to_lowercase).unwrap_or_default();
        let query = db.read(sql).bind(self.status.map(WithdrawalStatus::as_str)).bind_flag(self.late);
        let query = query.bind(text.parse::<WithdrawalNumber>().ok().map(WithdrawalNumber::id));
        let query = query.bind(text.parse::<OrderNumber>().ok().map(OrderNumber::id));
        query.bind_flag(self.text.is_some()).bind_beginning(&text).bind(after.unwrap_or(i64::MAX)).bind(limit)
    }
}
