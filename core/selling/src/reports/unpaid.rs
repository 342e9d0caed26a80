//! How much of what was sold is not paid yet.

use stoa_kernel::db::{Db, DbError};

use super::period::Period;
use super::queries;

/// Orders of a period that are not paid yet.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Unpaid {
    /// ISO 4217 code of the amount.
    pub currency: String,
    /// How many there are.
    pub orders: i64,
    /// What they come to, with tax, in minor units.
    pub total_amount: i64,
}

/// The orders of a period that are not paid yet, by currency.
pub async fn unpaid_orders(db: &Db, period: Period) -> Result<Vec<Unpaid>, DbError> {
    db.read(queries::UNPAID).bind(period.starts_at()).bind(period.ends_at()).all().await
}
