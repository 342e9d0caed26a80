//! Reading withdrawals.

use chrono::{DateTime, Utc};
use sqlx::types::Json;

use stoa_kernel::db::{Db, DbError, Reader};
use stoa_kernel::record_number::OrderNumber;

use super::model::{ExcludedUnits, WithdrawalLine, WithdrawalRecord, WithdrawalResource};
use super::number::WithdrawalNumber;
use super::queries;
use super::status::WithdrawalStatus;

/// Which withdrawals to list.
#[derive(Debug, Clone, Copy, Default)]
pub struct WithdrawalFilter {
    /// Only those in this state.
    pub status: Option<WithdrawalStatus>,
    /// Only those of this customer.
    pub customer_id: Option<i64>,
    /// At most this many; all of them if none is said.
    pub limit: Option<u32>,
}

#[derive(sqlx::FromRow)]
pub(super) struct Row {
    id: i64,
    order_id: i64,
    #[sqlx(try_from = "String")]
    status: WithdrawalStatus,
    statement: Option<String>,
    deadline: Option<DateTime<Utc>>,
    within_period: bool,
    excluded: Json<Vec<ExcludedUnits>>,
    declared_at: DateTime<Utc>,
    decided_at: Option<DateTime<Utc>>,
    completed_at: Option<DateTime<Utc>>,
    refusal_reason: Option<String>,
    refund_id: Option<i64>,
    customer_id: i64,
    customer_email: Option<String>,
}

#[derive(sqlx::FromRow)]
struct LineRow {
    withdrawal_id: i64,
    order_line_id: i64,
    quantity: i64,
    label: String,
}

/// A withdrawal of any customer.
pub async fn find_withdrawal(
    reader: &mut Reader<'_>,
    number: WithdrawalNumber,
) -> Result<Option<WithdrawalRecord>, DbError> {
    let rows = reader.read(queries::FIND).bind(number.id()).all::<Row>().await?;
    Ok(records(reader, rows).await?.pop())
}

/// Withdrawals of all customers, the newest first.
pub async fn list_withdrawals(db: &Db, filter: &WithdrawalFilter) -> Result<Vec<WithdrawalRecord>, DbError> {
    page(db, filter, filter.limit.map_or(i64::MAX, i64::from), 0).await
}

/// A page of a customer's withdrawals, the newest first, and how many there are in all.
pub(super) async fn page_of_withdrawals(
    db: &Db,
    customer_id: i64,
    limit: i64,
    offset: i64,
) -> Result<(Vec<WithdrawalResource>, i64), DbError> {
    let total = db.read(queries::COUNT_OF_CUSTOMER).bind(customer_id).scalar::<i64>().await?;
    let filter = WithdrawalFilter { customer_id: Some(customer_id), ..WithdrawalFilter::default() };
    let records = page(db, &filter, limit, offset).await?;
    Ok((records.into_iter().map(|record| record.withdrawal).collect(), total))
}

async fn page(db: &Db, filter: &WithdrawalFilter, limit: i64, offset: i64) -> Result<Vec<WithdrawalRecord>, DbError> {
    let list = db.read(queries::LIST).bind(filter.status.map(WithdrawalStatus::as_str)).bind(filter.customer_id);
    let rows = list.bind(limit).bind(offset).all::<Row>().await?;
    records(&mut Reader::from(db), rows).await
}

pub(super) async fn records(reader: &mut Reader<'_>, rows: Vec<Row>) -> Result<Vec<WithdrawalRecord>, DbError> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let lines = reader.read(queries::LINES).bind_ids(rows.iter().map(|row| row.id)).all::<LineRow>().await?;
    let record = |row: Row| {
        let id = row.id;
        let own = lines.iter().filter(|line| line.withdrawal_id == id);
        let lines = own.map(|line| WithdrawalLine {
            item_id: line.order_line_id,
            quantity: line.quantity,
            label: line.label.clone(),
        });
        row.record(lines.collect())
    };
    Ok(rows.into_iter().map(record).collect())
}

impl Row {
    fn record(self, lines: Vec<WithdrawalLine>) -> WithdrawalRecord {
        let withdrawal = WithdrawalResource {
            id: self.id,
            number: WithdrawalNumber::of(self.id).to_string(),
            order_id: self.order_id,
            order_number: OrderNumber::of(self.order_id).to_string(),
            status: self.status,
            lines,
            excluded: self.excluded.0,
            statement: self.statement,
            declared_at: self.declared_at,
            deadline: self.deadline,
            within_period: self.within_period,
            refusal_reason: self.refusal_reason,
        };
        WithdrawalRecord {
            withdrawal,
            customer_id: self.customer_id,
            customer_email: self.customer_email,
            decided_at: self.decided_at,
            completed_at: self.completed_at,
            refund_id: self.refund_id,
        }
    }
}
