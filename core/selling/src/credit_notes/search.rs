//! Looking for credit notes as operators do, the newest first, a page at a time.

use chrono::{DateTime, Utc};

use stoa_kernel::console::{MOST_COUNTED, RowCount, ids_between};
use stoa_kernel::db::{Db, DbError};
use stoa_kernel::record_number::OrderNumber;

use super::queries;
use crate::invoices::DocumentSearch;

/// A credit note as a list shows it. Amounts are in minor units.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct CreditNoteListed {
    /// The credit note's id.
    pub id: i64,
    /// Its number.
    pub number: String,
    order_id: i64,
    /// Whose it is.
    pub customer_id: i64,
    /// Their name.
    pub customer_name: String,
    /// The invoice that it takes back from.
    pub invoice_number: String,
    /// Why.
    pub reason: String,
    /// ISO 4217 code.
    pub currency: String,
    /// Before tax.
    pub net_amount: i64,
    /// The tax.
    pub tax_amount: i64,
    /// With tax.
    pub total_amount: i64,
    /// When it was issued.
    pub issued_at: DateTime<Utc>,
}

impl CreditNoteListed {
    /// The order's number.
    pub fn order(&self) -> OrderNumber {
        OrderNumber::of(self.order_id)
    }
}

/// Credit notes that were looked for.
pub async fn search_credit_notes(db: &Db, search: &DocumentSearch) -> Result<Vec<CreditNoteListed>, DbError> {
    let sql = if search.text.is_some() { queries::SEARCH_FOUND } else { queries::SEARCH };
    let ids = ids_between(db, queries::FIRST_SINCE, search.from, search.until).await?.below(search.after);
    let query = db.read(sql.page.descending).bind(ids.first).bind(ids.below).bind(search.limit);
    search.bind_text(db, query).await?.all().await
}

/// How many there are on all pages together.
pub async fn count_credit_notes(db: &Db, search: &DocumentSearch) -> Result<RowCount, DbError> {
    let sql = if search.text.is_some() { queries::SEARCH_FOUND } else { queries::SEARCH };
    let ids = ids_between(db, queries::FIRST_SINCE, search.from, search.until).await?;
    let query = db.read(sql.count).bind(ids.first).bind(ids.below).bind(MOST_COUNTED + 1);
    Ok(RowCount::of(search.bind_text(db, query).await?.scalar().await?))
}
