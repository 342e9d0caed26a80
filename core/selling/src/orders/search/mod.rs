//! Looking for orders as operators do: by number, invoice, name, address or tracking number, with filters, a page at a time.
//!
//! A page begins behind an order, not after so many: the last page costs what the first does. What is found is counted up to a
//! bound, for the same reason. Names and addresses are searched anywhere while there are few orders, and from their beginning where there
//! are many, so that no search reads all of them.

mod queries;

use chrono::{DateTime, Utc};

use stoa_customers::customers::find_customers_beginning;
use stoa_kernel::SearchSql;
use stoa_kernel::console::{Direction, IdsBetween, MOST_COUNTED, MOST_FOUND, RowCount, Sort, SortPart, ids_between};
use stoa_kernel::db::{Db, DbError, Query, Sql};
use stoa_kernel::record_number::OrderNumber;

use super::queries as of_orders;
use super::status::{FulfillmentStatus, OrderStatus};
use crate::payments::PaymentStatus;

/// Up to so many orders are looked through whole.
const FEW: i64 = 20_000;

/// What is looked for.
#[derive(Debug, Clone, Default)]
pub struct OrderSearch {
    /// A number of the order or its invoice, a part of a name or e-mail address, or a tracking number.
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
    /// In the order of `total`, unless a text is looked for; every other column is when they were placed. None is the newest first.
    pub sort: Option<Sort>,
    /// Only those that follow this one in that order.
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
    /// Whether the customer has withdrawn from some of it, and that is not settled yet.
    pub is_withdrawn: bool,
}

impl OrderListed {
    /// The number that people know.
    pub fn number(&self) -> OrderNumber {
        OrderNumber::of(self.id)
    }
}

/// Orders of all customers that were looked for.
pub async fn search_orders(db: &Db, search: &OrderSearch) -> Result<Vec<OrderListed>, DbError> {
    let ids = ids_between(db, queries::FIRST_SINCE, search.from, search.until).await?;
    match &search.sort {
        Some(sort) if sort.column == "total" && search.text.is_none() => {
            let sql = sort.direction.page(queries::BY_TOTAL);
            let read = |part: SortPart, left| async move {
                part.bind(Way::All.bind(db, sql, search, ids, left).await?).all::<OrderListed>().await
            };
            sort.read(search.after, search.limit, read).await
        }
        sort => {
            let direction = sort.as_ref().map_or(Direction::Descending, |sort| sort.direction);
            let way = Way::of(db, search).await?;
            let ids = ids.behind(search.after, direction);
            way.bind(db, direction.page(way.sql().page), search, ids, search.limit).await?.all().await
        }
    }
}

/// How many there are on all pages together.
pub async fn count_orders(db: &Db, search: &OrderSearch) -> Result<RowCount, DbError> {
    let way = Way::of(db, search).await?;
    let ids = ids_between(db, queries::FIRST_SINCE, search.from, search.until).await?;
    let most = if let Way::Beginning(_) = way { MOST_FOUND } else { MOST_COUNTED };
    Ok(RowCount::up_to(most, way.bind(db, way.sql().count, search, ids, most + 1).await?.scalar().await?))
}

/// How a text is looked for.
enum Way<'a> {
    /// Not at all.
    All,
    /// Not at all, but for what became of the payment.
    Payment,
    /// The same of cancelled orders.
    Cancelled,
    /// Anywhere in names and addresses.
    Holding(&'a str),
    /// At the beginning of the account's name or address.
    Beginning(&'a str),
}

impl<'s> Way<'s> {
    async fn of(db: &Db, search: &'s OrderSearch) -> Result<Self, DbError> {
        let Some(text) = &search.text else {
            // Most orders are paid and so are most payments; whatever else is asked for leads to fewer.
            return Ok(match (search.status, search.payment) {
                (None, Some(_)) => Self::Payment,
                (Some(OrderStatus::Paid), Some(payment)) if payment != PaymentStatus::Paid => Self::Payment,
                (Some(OrderStatus::Pending), Some(payment))
                    if !matches!(payment, PaymentStatus::Paid | PaymentStatus::Pending) =>
                {
                    Self::Payment
                }
                (Some(OrderStatus::Cancelled), Some(_)) => Self::Cancelled,
                _ => Self::All,
            });
        };
        let newest = db.read(queries::NEWEST).scalar::<i64>().await?;
        Ok(if newest > FEW { Self::Beginning(text) } else { Self::Holding(text) })
    }

    const fn sql(&self) -> SearchSql {
        match self {
            Self::All => queries::SEARCH,
            Self::Payment => queries::SEARCH_BY_PAYMENT,
            Self::Cancelled => queries::SEARCH_CANCELLED,
            Self::Holding(_) => queries::SEARCH_HOLDING,
            Self::Beginning(_) => queries::SEARCH_BEGINNING,
        }
    }

    async fn bind<'a>(
        &self,
        db: &'a Db,
        sql: Sql,
        search: &OrderSearch,
        ids: IdsBetween,
        limit: i64,
    ) -> Result<Query<'a>, DbError> {
        let query =
            db.read(sql).bind(search.status.map(OrderStatus::as_str)).bind(search.payment.map(PaymentStatus::as_str));
        let query = query.bind_flag(search.to_pack).bind_flag(search.needs_review).bind(ids.first);
        let query = query.bind(ids.below);
        let query = query.bind(search.customer_id).bind(limit);
        let (Self::Holding(text) | Self::Beginning(text)) = self else { return Ok(query) };
        let number = text.parse::<OrderNumber>().ok().map(OrderNumber::id);
        let query = query.bind(number).bind((*text).to_owned());
        Ok(match self {
            Self::Holding(_) => query.bind_holding(&text.to_lowercase()),
            _ => query.bind_ids(find_customers_beginning(db, text).await?),
        })
    }
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
        to_review: db.read(of_orders::COUNT_TO_REVIEW).scalar().await?,
        to_pack: db.read(of_orders::COUNT_TO_PACK).scalar().await?,
        unpaid: db.read(of_orders::COUNT_UNPAID).scalar().await?,
    })
}
