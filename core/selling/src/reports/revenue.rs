//! Revenue and orders by day, month or year, for plots: a row for each, also where nothing was sold.

use std::collections::BTreeMap;

use chrono::{Datelike, Months, NaiveDate};
use serde::Serialize;

use stoa_kernel::db::{Db, DbError};

use super::period::Period;
use super::queries;
use super::sales::SalesBy;

/// Most rows that a plot has room for.
const MOST_ROWS: i64 = 400;

/// What was sold in a part of the period, less what was credited, and how many orders that are. Amounts are in minor units.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RevenueRow {
    /// The day, month or year, such as `2026-11-24`, `2026-11` or `2026`.
    pub period: String,
    /// ISO 4217 code of the amounts.
    pub currency: String,
    /// Orders that were invoiced, less those that were cancelled: each on the day on which it was, as its amounts are.
    pub orders: i64,
    /// Before tax.
    pub base_amount: i64,
    /// The tax.
    pub tax_amount: i64,
    /// With tax.
    pub total_amount: i64,
}

/// What was booked on a day in a currency.
#[derive(Clone, sqlx::FromRow)]
pub(super) struct DaySum {
    day: String,
    currency: String,
    orders: i64,
    base_amount: i64,
    tax_amount: i64,
}

/// By what the rows of a period are added up, so that there are not more than a plot has room for.
pub fn no_finer_than(period: Period, by: SalesBy) -> SalesBy {
    let days = (period.to() - period.from()).num_days();
    match by {
        SalesBy::Day if days < MOST_ROWS => SalesBy::Day,
        SalesBy::Day | SalesBy::Month if days / 31 < MOST_ROWS => SalesBy::Month,
        SalesBy::Day | SalesBy::Month | SalesBy::Year | SalesBy::Country => SalesBy::Year,
    }
}

/// Revenue of a period in the shop's currency, and in others that something was sold in; the oldest first, one currency after the
/// other. Years before and after those in which something was sold are left out.
pub async fn revenue_report(db: &Db, period: Period, by: SalesBy, own: &str) -> Result<Vec<RevenueRow>, DbError> {
    Ok(revenue_rows(period, no_finer_than(period, by), own, &read_days(db, period).await?))
}

pub(super) async fn read_days(db: &Db, period: Period) -> Result<Vec<DaySum>, DbError> {
    db.read(queries::BOOKED_BY_DAY).bind(period.starts_at()).bind(period.ends_at()).all().await
}

pub(super) fn revenue_rows(period: Period, by: SalesBy, own: &str, sums: &[DaySum]) -> Vec<RevenueRow> {
    let mut currencies = vec![own.to_owned()];
    currencies.extend(sums.iter().map(|sum| sum.currency.clone()).filter(|currency| currency != own));
    currencies[1..].sort_unstable();
    currencies.dedup();
    let parts = parts(period, by, sums);
    let mut rows = BTreeMap::new();
    for (place, currency) in currencies.iter().enumerate() {
        for part in &parts {
            rows.insert((place, part.as_str()), empty(part, currency));
        }
    }
    for sum in sums {
        let place = currencies.iter().position(|currency| *currency == sum.currency).unwrap_or_default();
        let part = sum.day.get(..by.length()).unwrap_or_default();
        let Some(row) = rows.get_mut(&(place, part)) else { continue };
        row.orders += sum.orders;
        row.base_amount += sum.base_amount;
        row.tax_amount += sum.tax_amount;
        row.total_amount += sum.base_amount + sum.tax_amount;
    }
    rows.into_values().collect()
}

fn empty(part: &str, currency: &str) -> RevenueRow {
    RevenueRow {
        period: part.to_owned(),
        currency: currency.to_owned(),
        orders: 0,
        base_amount: 0,
        tax_amount: 0,
        total_amount: 0,
    }
}

/// The parts of the period, in their order.
fn parts(period: Period, by: SalesBy, sums: &[DaySum]) -> Vec<String> {
    let cut = |day: NaiveDate| day.to_string().get(..by.length()).unwrap_or_default().to_owned();
    match by {
        SalesBy::Day => period.from().iter_days().take_while(|day| *day <= period.to()).map(cut).collect(),
        SalesBy::Month => {
            let first = period.from().with_day(1).unwrap_or(period.from());
            let months = (0..).map_while(|month| first.checked_add_months(Months::new(month)));
            months.take_while(|day| *day <= period.to()).map(cut).collect()
        }
        SalesBy::Year | SalesBy::Country => {
            let years = sums.iter().filter_map(|sum| sum.day.get(..4)?.parse::<i32>().ok());
            let (first, last) = (years.clone().min(), years.max());
            let (Some(first), Some(last)) = (first, last) else { return vec![cut(period.to())] };
            (first..=last).map(|year| format!("{year:04}")).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn period(from: &str, to: &str) -> Period {
        let day = |text: &str| text.parse().expect(text);
        Period::new(day(from), day(to)).expect("it has days")
    }

    #[test]
    fn a_plot_has_a_row_for_each_part_of_its_period_and_never_too_many() {
        let parts_of = |from, to, by| parts(period(from, to), no_finer_than(period(from, to), by), &[]);
        let days = parts_of("2026-02-27", "2026-03-02", SalesBy::Day);
        assert_eq!(days, ["2026-02-27", "2026-02-28", "2026-03-01", "2026-03-02"]);
        assert_eq!(parts_of("2026-11-30", "2027-01-01", SalesBy::Month), ["2026-11", "2026-12", "2027-01"]);
        assert_eq!(parts_of("2026-11-30", "2026-12-01", SalesBy::Year), ["2026"]);
        assert_eq!(no_finer_than(period("2020-01-01", "2026-01-01"), SalesBy::Day), SalesBy::Month);
        assert_eq!(no_finer_than(period("1970-01-01", "9998-12-31"), SalesBy::Day), SalesBy::Year);
        assert!(parts_of("1970-01-01", "9998-12-31", SalesBy::Month).len() < 2);
        assert!(parts_of("1990-01-01", "2023-01-01", SalesBy::Month).len() <= 400);
    }
}
