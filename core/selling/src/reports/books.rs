//! Reading the books of a period.

use stoa_kernel::db::{Db, DbError};

use super::period::Period;
use super::queries;

/// What was booked on one day of one kind, added up.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub(super) struct BookedSum {
    /// The day that it was booked on: `2026-11-24`.
    pub(super) day: String,
    /// The month of the invoice that it belongs to: `2026-09`.
    pub(super) invoiced_month: String,
    pub(super) country: String,
    pub(super) tax_rate: i64,
    pub(super) reverse_charge: bool,
    pub(super) currency: String,
    pub(super) base_amount: i64,
    pub(super) tax_amount: i64,
    /// How many invoices are in it.
    pub(super) invoices: i64,
}

/// What was booked in a period, by day, month of the invoice, country and rate.
pub(super) async fn booked_in(db: &Db, period: Period) -> Result<Vec<BookedSum>, DbError> {
    db.read(queries::BOOKED).bind(period.starts_at()).bind(period.ends_at()).all().await
}

/// Net and tax that are added up. Amounts of documents fit 64 bits, and so do those of a shop together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Amounts {
    pub(super) base: i64,
    pub(super) tax: i64,
    pub(super) invoices: i64,
}

impl Amounts {
    pub(super) fn add(&mut self, sum: &BookedSum) {
        self.base += sum.base_amount;
        self.tax += sum.tax_amount;
        self.invoices += sum.invoices;
    }

    /// Whether something is left of it: what was sold and taken back in the same period is not worth a row.
    pub(super) fn is_something(&self) -> bool {
        self.base != 0 || self.tax != 0
    }
}
