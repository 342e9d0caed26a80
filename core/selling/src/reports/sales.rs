//! Sales by day, month, year or country.

use std::collections::BTreeMap;

use serde::Serialize;

use stoa_kernel::db::{Db, DbError};

use super::books::{Amounts, BookedSum, booked_in};
use super::period::Period;

/// What sales are added up by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SalesBy {
    /// Each day.
    Day,
    /// Each month.
    Month,
    /// Each year.
    Year,
    /// All of the period, by country.
    Country,
}

impl SalesBy {
    /// How much of a day's text names its part of the period.
    pub(super) fn length(self) -> usize {
        match self {
            Self::Day => 10,
            Self::Month => 7,
            Self::Year => 4,
            Self::Country => 0,
        }
    }
}

/// What was sold in a part of the period to one country with one rate, less what was credited. Amounts are in minor units.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SalesRow {
    /// The day, month or year, such as `2026-11-24`, `2026-11` or `2026`; null by country.
    pub period: Option<String>,
    /// Where the goods or the bill go.
    pub country: String,
    /// The rate in hundredths of a percent.
    pub rate_basis_points: i64,
    /// ISO 4217 code of the amounts.
    pub currency: String,
    /// How many invoices have something of this rate.
    pub invoices: i64,
    /// Before tax.
    pub base_amount: i64,
    /// The tax.
    pub tax_amount: i64,
    /// With tax.
    pub total_amount: i64,
}

/// Sales of a period.
pub async fn sales_report(db: &Db, period: Period, by: SalesBy) -> Result<Vec<SalesRow>, DbError> {
    Ok(sold_by(&booked_in(db, period).await?, by))
}

/// The same of what was read.
pub(super) fn sold_by(sums: &[BookedSum], by: SalesBy) -> Vec<SalesRow> {
    let mut rows = BTreeMap::<_, Amounts>::new();
    for sum in sums {
        let part = sum.day.get(..by.length()).unwrap_or_default();
        let key = (part, &sum.currency, &sum.country, std::cmp::Reverse(sum.tax_rate));
        rows.entry(key).or_default().add(sum);
    }
    let rows = rows.into_iter().filter(|(_, amounts)| amounts.is_something() || amounts.invoices > 0);
    let rows = rows.map(|((part, currency, country, rate), amounts)| SalesRow {
        period: (!part.is_empty()).then(|| part.to_owned()),
        country: country.clone(),
        rate_basis_points: rate.0,
        currency: currency.clone(),
        invoices: amounts.invoices,
        base_amount: amounts.base,
        tax_amount: amounts.tax,
        total_amount: amounts.base + amounts.tax,
    });
    rows.collect()
}
