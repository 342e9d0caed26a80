//! Looking for invoices as operators do, the newest first, a page at a time.

use chrono::{DateTime, Utc};

use stoa_customers::customers::find_customers_beginning;
use stoa_kernel::console::{MOST_COUNTED, MOST_FOUND, RowCount, ids_between};
use stoa_kernel::db::{Db, DbError, Query};
use stoa_kernel::record_number::OrderNumber;

use super::queries;
use super::status::InvoiceStatus;

/// What is looked for among invoices or credit notes.
#[derive(Debug, Clone, Default)]
pub struct DocumentSearch {
    /// The number of a document or of its order, or the beginning of the customer's name or e-mail address.
    pub text: Option<String>,
    /// Only invoices in this state.
    pub status: Option<InvoiceStatus>,
    /// Only those that were issued from then on.
    pub from: Option<DateTime<Utc>>,
    /// Only those that were issued before.
    pub until: Option<DateTime<Utc>>,
    /// Only those that are older than this one.
    pub after: Option<i64>,
    /// At most this many.
    pub limit: i64,
}

/// An invoice as a list shows it. Amounts are in minor units.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct InvoiceListed {
    /// The invoice's id.
    pub id: i64,
    /// Its number.
    pub number: String,
    /// What became of it.
    #[sqlx(try_from = "String")]
    pub status: InvoiceStatus,
    order_id: i64,
    /// Whose it is.
    pub customer_id: i64,
    /// Their name.
    pub customer_name: String,
    /// ISO 4217 code.
    pub currency: String,
    /// Before tax.
    pub net_amount: i64,
    /// The tax.
    pub tax_amount: i64,
    /// With tax.
    pub total_amount: i64,
    /// What was credited of it.
    pub credited_amount: i64,
    /// When it was issued.
    pub issued_at: DateTime<Utc>,
}

impl InvoiceListed {
    /// The order's number.
    pub fn order(&self) -> OrderNumber {
        OrderNumber::of(self.order_id)
    }
}

/// Invoices that were looked for.
pub async fn search_invoices(db: &Db, search: &DocumentSearch) -> Result<Vec<InvoiceListed>, DbError> {
    let sql = if search.text.is_some() { queries::SEARCH_FOUND } else { queries::SEARCH };
    let ids = ids_between(db, queries::FIRST_SINCE, search.from, search.until).await?.below(search.after);
    let query =
        db.read(sql.page.descending).bind(search.status.map(InvoiceStatus::as_str)).bind(ids.first).bind(ids.below);
    let query = query.bind(search.limit);
    search.bind_text(db, query).await?.all().await
}

/// How many there are on all pages together.
pub async fn count_invoices(db: &Db, search: &DocumentSearch) -> Result<RowCount, DbError> {
    let sql = if search.text.is_some() { queries::SEARCH_FOUND } else { queries::SEARCH };
    let ids = ids_between(db, queries::FIRST_SINCE, search.from, search.until).await?;
    let query = db.read(sql.count).bind(search.status.map(InvoiceStatus::as_str)).bind(ids.first).bind(ids.below);
    let most = if search.text.is_some() { MOST_FOUND } else { MOST_COUNTED };
    Ok(RowCount::up_to(most, search.bind_text(db, query.bind(most + 1)).await?.scalar().await?))
}

impl DocumentSearch {
    /// Where there is a text: the number of a document and the id of an order that it may be, and the customers whose name or address
    /// begins so.
    pub(crate) async fn bind_text<'a>(&self, db: &Db, query: Query<'a>) -> Result<Query<'a>, DbError> {
        let Some(text) = &self.text else { return Ok(query) };
        let order = text.parse::<OrderNumber>().ok().map(OrderNumber::id);
        Ok(query.bind(text.to_uppercase()).bind(order).bind_ids(find_customers_beginning(db, text).await?))
    }
}
