//! What a shop in the European Union tells its own tax office about consumers in other member states (One-Stop-Shop).

use std::collections::BTreeMap;

use chrono::NaiveDate;
use serde::Serialize;

use stoa_kernel::config::CountryCode;
use stoa_kernel::db::{Db, DbError};
use stoa_kernel::vat_id::is_member_state;

use super::books::{Amounts, BookedSum, booked_in};
use super::period::Quarter;

/// What was sold to consumers of one member state with one rate, or what is corrected of an earlier quarter. Amounts are in
/// minor units.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OssRow {
    /// The quarter that it is about: an earlier one of a correction.
    pub period: Quarter,
    /// Whether it corrects an earlier quarter.
    pub correction: bool,
    /// The member state of consumption.
    pub country: String,
    /// The rate in hundredths of a percent.
    pub rate_basis_points: i64,
    /// ISO 4217 code of the amounts. The return is in euros.
    pub currency: String,
    /// Before tax; below zero of most corrections.
    pub base_amount: i64,
    /// The tax; below zero of most corrections.
    pub tax_amount: i64,
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum OssError {
    /// Nobody knows which member state is not abroad.
    #[error("the shop has no VAT ID of a member state of the European Union")]
    NoMemberState,
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// The return of a quarter: sales to consumers in other member states than the seller's, by country and rate, without those of
/// reverse charge, then corrections of earlier quarters.
///
/// What a credit note takes back of an invoice of the same quarter is taken off its sales.
pub async fn oss_report(db: &Db, own: Option<CountryCode>, quarter: Quarter) -> Result<Vec<OssRow>, OssError> {
    let own = own.ok_or(OssError::NoMemberState)?;
    Ok(of_quarter(&booked_in(db, quarter.period()).await?, own, quarter))
}

/// The same of what was read.
pub(super) fn of_quarter(sums: &[BookedSum], own: CountryCode, quarter: Quarter) -> Vec<OssRow> {
    let mut rows = BTreeMap::<_, Amounts>::new();
    for sum in sums.iter().filter(|sum| !sum.reverse_charge && is_abroad(&sum.country, own)) {
        let invoiced = invoiced_in(&sum.invoiced_month).unwrap_or(quarter);
        let key = (invoiced != quarter, invoiced, &sum.country, std::cmp::Reverse(sum.tax_rate), &sum.currency);
        rows.entry(key).or_default().add(sum);
    }
    let rows = rows.into_iter().filter(|(_, amounts)| amounts.is_something());
    let rows = rows.map(|((correction, period, country, rate, currency), amounts)| OssRow {
        period,
        correction,
        country: country.clone(),
        rate_basis_points: rate.0,
        currency: currency.clone(),
        base_amount: amounts.base,
        tax_amount: amounts.tax,
    });
    rows.collect()
}

fn is_abroad(country: &str, own: CountryCode) -> bool {
    CountryCode::parse(country).is_some_and(|country| country != own && is_member_state(country))
}

fn invoiced_in(month: &str) -> Option<Quarter> {
    format!("{month}-01").parse::<NaiveDate>().ok().map(Quarter::of)
}
