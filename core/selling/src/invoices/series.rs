//! Numbers without a gap.
//!
//! A number is taken by the last change of the transaction that writes its document: whatever fails gives it back, and
//! whoever wants the next one waits for moments only.

use chrono::Datelike;

use stoa_kernel::db::{DbError, Tx};

use super::queries;

/// What is numbered, each from 1 on in each year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Series {
    Invoices,
    CreditNotes,
}

impl Series {
    /// The word that is stored. The prefix of the numbers is none of it, so the count goes on when that is changed.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Invoices => "invoices",
            Self::CreditNotes => "credit_notes",
        }
    }
}

/// A number that this transaction has taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SeriesNumber {
    /// The year of the transaction in UTC.
    pub(crate) year: i64,
    /// From 1 on.
    pub(crate) sequence: i64,
}

impl SeriesNumber {
    /// The number as people read it: `INV-2026-000042`.
    ///
    /// What follows the prefix tells year and count, so no two numbers are alike whatever prefixes they have.
    pub(crate) fn with_prefix(self, prefix: &str) -> String {
        format!("{prefix}-{}-{:06}", self.year, self.sequence)
    }
}

/// Takes the next number. From here on, everybody else who wants one of the series waits for the end of this transaction.
pub(crate) async fn take_number(tx: &mut Tx, series: Series) -> Result<SeriesNumber, DbError> {
    let year = i64::from(tx.now().year());
    let sequence = tx.run(queries::TAKE_NUMBER).bind(series.as_str()).bind(year).scalar().await?;
    Ok(SeriesNumber { year, sequence })
}
