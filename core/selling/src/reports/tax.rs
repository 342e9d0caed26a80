//! Tax by country and rate.

use std::collections::BTreeMap;

use serde::Serialize;

use stoa_kernel::db::{Db, DbError};

use super::books::{Amounts, BookedSum, booked_in};
use super::period::Period;

/// What was sold to one country with one rate, less what was credited. Amounts are in minor units.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TaxRow {
    /// The country that decides about the tax: where the goods or the bill go.
    pub country: String,
    /// The rate in hundredths of a percent.
    pub rate_basis_points: i64,
    /// Whether customers owe the tax (reverse charge).
    pub reverse_charge: bool,
    /// ISO 4217 code of the amounts.
    pub currency: String,
    /// Before tax.
    pub base_amount: i64,
    /// The tax.
    pub tax_amount: i64,
}

/// Tax of a period by country and rate, the highest rate first.
pub async fn tax_report(db: &Db, period: Period) -> Result<Vec<TaxRow>, DbError> {
    Ok(by_rate(&booked_in(db, period).await?))
}

/// The same of what was read.
pub(super) fn by_rate(sums: &[BookedSum]) -> Vec<TaxRow> {
    let mut rows = BTreeMap::<_, Amounts>::new();
    for sum in sums {
        let key = (&sum.currency, &sum.country, sum.reverse_charge, std::cmp::Reverse(sum.tax_rate));
        rows.entry(key).or_default().add(sum);
    }
    let rows = rows.into_iter().filter(|(_, amounts)| amounts.is_something());
    let rows = rows.map(|((currency, country, reverse_charge, rate), amounts)| TaxRow {
        country: country.clone(),
        rate_basis_points: rate.0,
        reverse_charge,
        currency: currency.clone(),
        base_amount: amounts.base,
        tax_amount: amounts.tax,
    });
    rows.collect()
}
