//! Looking for orders as operators do: by number, name, address or tracking number, with filters, a page at a time.
//!
//! A page begins behind an order, not after so many: the last page costs what the first does. What is found is counted up to a
//! bound, for the same reason.

use chrono::{DateTime, Utc};

use stoa_kernel::console::{MOST_COUNTED, RowCount, ids_between};
use stoa_kernel::db::{Db, DbError, Query, Sql};
use stoa_kernel::record_number::OrderNumber;

use super::queries;
use super::status::{FulfillmentStatus, OrderStatus};
use crate::payments::PaymentStatus;

/// What is looked for.
#[derive(Debug, Clone, Default)]
pub struct OrderSearch {
    /// A number, the beginning of a name or e-mail address, or a tracking number.
    pub text: Option<String>,
    /// Only those in this state.
    pub status: Option<OrderStatus>,
    /// Only those whose payment is in this state.
    pub payment: Option<PaymentStatus>,
    /// Only those that are paid, and of which something is still to be sent.
    pub to_pack: bool,
    /// Only those that are flagged.
    pub needs_review: bool,
    /// Only those that were placed from then on.
    pub from: Option<DateTime<Utc>>,
    /// Only those that were placed before.
    pub until: Option<DateTime<Utc>>,
    /// Only those of this customer.
    pub customer_id: Option<i64>,
    /// Only those that were placed before this one.
    pub after: Option<i64>,
    /// At most this many.
    pub limit: i64,
}

/// An order as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct OrderListed {
    /// The order's id.
    pub id: i64,
    /// What became of it.
    #[sqlx(try_from = "String")]
    pub status: OrderStatus,
    /// What became of its payment; none where nothing was to be paid.
    pub payment_status: Option<String>,
    /// What was sent.
    #[sqlx(try_from = "String")]
    pub fulfillment_status: FulfillmentStatus,
    /// What it costs, in minor units.
    pub total_amount: i64,
    /// ISO 4217 code.
    pub currency: String,
    /// Whose it is.
    pub customer_id: i64,
    /// Their name.
    pub customer_name: String,
    /// Their e-mail address; none of an anonymized customer.
    pub customer_email: Option<String>,
    /// Why the operator shall look at it.
    pub review_reason: Option<String>,
    /// When it was placed.
    pub created_at: DateTime<Utc>,
}

impl OrderListed {
    /// The number that people know.
    pub fn number(&self) -> OrderNumber {
        OrderNumber::of(self.id)
    }
}

/// Orders of all customers that were looked for, the newest first.
pub async fn search_orders(db: &Db, search: &OrderSearch) -> Result<Vec<OrderListed>, DbError> {
    let (sql, text) = match &search.text {
        Some(text) => (queries::SEARCH_FOUND, Some(text)),
        None => (queries::SEARCH, None),
    };
    let between = ids_between(db, queries::FIRST_SINCE, search.from, search.until).await?;
    let below = search.after.map_or(between.1, |after| after.min(between.1));
    bind(db, sql, search, (between.0, below), search.limit, text).all().await
}

/// How many there are on all pages together.
pub async fn count_orders(db: &Db, search: &OrderSearch) -> Result<RowCount, DbError> {
    let (sql, text) = match &search.text {
        Some(text) => (queries::COUNT_FOUND, Some(text)),
        None => (queries::COUNT_SEARCHED, None),
    };
    let between = ids_between(db, queries::FIRST_SINCE, search.from, search.until).await?;
    let number = bind(db, sql, search, between, MOST_COUNTED + 1, text).scalar::<i64>().await?;
    Ok(RowCount::of(number))
}

fn bind<'a>(
    db: &'a Db,
    sql: Sql,
    search: &OrderSearch,
    (from, below): (i64, i64),
    limit: i64,
    text: Option<&String>,
) -> Query<'a> {
    let query =
        db.read(sql).bind(search.status.map(OrderStatus::as_str)).bind(search.payment.map(PaymentStatus::as_str));
    let query = query.bind(search.to_pack).bind(search.needs_review).bind(from).bind(below);
    let query = query.bind(search.customer_id).bind(limit);
    let Some(text) = text else { return query };
    let number = text.parse::<OrderNumber>().ok().map(OrderNumber::id);
    query.bind(number).bind(text.clone()).bind_beginning(&text.to_lowercase())
}

/// How many orders wait for somebody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrdersWaiting {
    /// Those that are flagged.
    pub to_review: i64,
    /// Those that are paid and of which something is still to be sent.
    pub to_pack: i64,
    /// Those that are not paid yet.
    pub unpaid: i64,
}

/// How many orders wait for somebody.
pub async fn count_waiting_orders(db: &Db) -> Result<OrdersWaiting, DbError> {
    Ok(OrdersWaiting {
        to_review: db.read(queries::COUNT_TO_REVIEW).scalar().await?,
        to_pack: db.read(queries::COUNT_TO_PACK).scalar().await?,
        unpaid: db.read(queries::COUNT_UNPAID).scalar().await?,
    })
}
