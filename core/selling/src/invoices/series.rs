//! Numbers without a gap.
//!
//! A number is taken by the last change of the transaction that writes its document: whatever fails gives it back, and
//! whoever wants the next one waits for moments only. Where each instance has a series of its own, none waits for another.

use chrono::Datelike;

use stoa_kernel::config::InvoicesConfig;
use stoa_kernel::db::{Db, DbError, Tx};

use super::queries;

/// What is numbered, each from 1 on in each year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Numbered {
    Invoices,
    CreditNotes,
}

impl Numbered {
    /// The word that is stored.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Invoices => "invoices",
            Self::CreditNotes => "credit_notes",
        }
    }
}

/// Whose numbers of what. The prefix of the numbers is none of it, so the count goes on when that of a shop is changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Series {
    of: Numbered,
    /// The instance's name; empty for the shop's one series.
    pub(crate) instance: String,
    prefix: String,
}

impl Series {
    /// The series from which this instance takes numbers.
    pub(crate) fn of(config: &InvoicesConfig, of: Numbered) -> Self {
        let prefix = match of {
            Numbered::Invoices => &config.prefix,
            Numbered::CreditNotes => &config.credit_note_prefix,
        };
        let instance = config.instance_series().map(|instance| instance.as_str().to_owned()).unwrap_or_default();
        Self { of, instance, prefix: config.prefix_of(prefix) }
    }

    /// What the row of its counter is named by: `invoices`, or `invoices:A` for the instance A.
    fn row(&self) -> String {
        let of = self.of.as_str();
        if self.instance.is_empty() { of.to_owned() } else { format!("{of}:{}", self.instance) }
    }
}

/// A number that this transaction has taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SeriesNumber {
    /// The year of the transaction in UTC.
    pub(crate) year: i64,
    /// From 1 on.
    pub(crate) sequence: i64,
    /// The number as people read it: `INV-2026-000042`.
    ///
    /// What follows the prefix tells year and count, so no two numbers of a series are alike whatever prefixes they have.
    pub(crate) text: String,
}

/// Takes the next number. From here on, everybody else who wants one of the series waits for the end of this transaction.
pub(crate) async fn take_number(tx: &mut Tx, series: &Series) -> Result<SeriesNumber, DbError> {
    let year = i64::from(tx.now().year());
    let sequence = tx.run(queries::TAKE_NUMBER).bind(series.row()).bind(year).scalar::<i64>().await?;
    Ok(SeriesNumber { year, sequence, text: format!("{}-{year}-{sequence:06}", series.prefix) })
}

/// Why an instance cannot take numbers.
#[derive(Debug, thiserror::Error)]
pub enum SeriesError {
    /// Its numbers of this year begin otherwise.
    #[error(
        "the series of the instance `{instance}` has numbers such as {number} this year, and `invoices.{setting}` would have the \
         next begin with {prefix}; set it back, and change it when the year {} begins", year + 1
    )]
    PrefixChanged {
        /// The instance's name.
        instance: String,
        /// Its newest number.
        number: String,
        /// The setting that was changed.
        setting: &'static str,
        /// What it says now.
        prefix: String,
        /// The year of the numbers.
        year: i64,
    },
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Refuses another prefix for a series of an instance that has numbers of this year: whoever reads the books must find each series
/// under one name. The shop's one series may change its own, and its count goes on.
pub async fn check_series(db: &Db, config: &InvoicesConfig) -> Result<(), SeriesError> {
    let year = i64::from(db.now().year());
    let kinds = [
        (Numbered::Invoices, "prefix", queries::NEWEST_INVOICE),
        (Numbered::CreditNotes, "credit_note_prefix", queries::NEWEST_CREDIT_NOTE),
    ];
    for (of, setting, newest) in kinds {
        let Series { instance, prefix, .. } = Series::of(config, of);
        if instance.is_empty() {
            return Ok(());
        }
        let newest = db.read(newest).bind(instance.as_str()).bind(year).optional_scalar::<String>().await?;
        let Some(number) = newest.filter(|number| !number.starts_with(&format!("{prefix}-{year}-"))) else { continue };
        return Err(SeriesError::PrefixChanged { instance, number, setting, prefix, year });
    }
    Ok(())
}
