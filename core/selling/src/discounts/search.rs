//! Looking for discounts by code, the newest first, a page at a time; and what a discount was used for.

use chrono::{DateTime, Utc};

use stoa_kernel::console::{MOST_COUNTED, RowCount};
use stoa_kernel::db::{Db, DbError, Query, Sql};
use stoa_kernel::record_number::OrderNumber;

use super::code::folded;
use super::model::Discount;
use super::queries;

/// What is looked for.
#[derive(Debug, Clone, Default)]
pub struct DiscountSearch {
    /// The beginning of a code, in any case.
    pub text: Option<String>,
    /// Only those that are switched on, or off.
    pub active: Option<bool>,
    /// Only those that are older than this one.
    pub after: Option<i64>,
    /// At most this many.
    pub limit: i64,
}

/// An order that has used a discount.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Redeemed {
    order_id: i64,
    /// What it took off, in minor units.
    pub amount: i64,
    /// ISO 4217 code.
    pub currency: String,
    /// When.
    pub created_at: DateTime<Utc>,
    /// When the order was cancelled, and gave it back.
    pub released_at: Option<DateTime<Utc>>,
}

impl Redeemed {
    /// The order's number.
    pub fn order(&self) -> OrderNumber {
        OrderNumber::of(self.order_id)
    }
}

/// Discounts that were looked for, the newest first.
pub async fn search_discounts(db: &Db, search: &DiscountSearch) -> Result<Vec<Discount>, DbError> {
    search.bind(db, queries::SEARCH, search.limit).all().await
}

/// How many there are on all pages together.
pub async fn count_discounts(db: &Db, search: &DiscountSearch) -> Result<RowCount, DbError> {
    let whole = DiscountSearch { after: None, ..search.clone() };
    Ok(RowCount::of(whole.bind(db, queries::COUNT_SEARCHED, MOST_COUNTED + 1).scalar().await?))
}

/// A discount by its id.
pub async fn find_discount_by_id(db: &Db, id: i64) -> Result<Option<Discount>, DbError> {
    db.read(queries::FIND_BY_ID).bind(id).optional().await
}

/// The orders that have used a discount last, the newest first.
pub async fn redemptions_of(db: &Db, discount_id: i64, limit: i64) -> Result<Vec<Redeemed>, DbError> {
    db.read(queries::REDEMPTIONS).bind(discount_id).bind(limit).all().await
}

impl DiscountSearch {
    fn bind<'a>(&self, db: &'a Db, sql: Sql, limit: i64) -> Query<'a> {
        let begin = self.text.as_deref().map(folded).unwrap_or_default();
        db.read(sql).bind_beginning(&begin).bind(self.active).bind(self.after.unwrap_or(i64::MAX)).bind(limit)
    }
}
