//! Whether a sale price is the price at a given moment.

use chrono::{DateTime, Days, NaiveDate, NaiveDateTime, TimeDelta, Utc};

use super::problems::shown;

/// How a date may be written; without a zone it is read as UTC.
const MOMENTS: [&str; 4] = ["%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M"];

/// The first moment of a sale.
pub(super) fn sale_start(text: &str) -> Result<DateTime<Utc>, String> {
    match read(text)? {
        SaleDate::Moment(moment) => Ok(moment),
        SaleDate::Day(day) => Ok(midnight(day)),
    }
}

/// The first moment after a sale: the second named still belongs to it, so does the day named.
pub(super) fn sale_end(text: &str) -> Result<DateTime<Utc>, String> {
    match read(text)? {
        SaleDate::Moment(moment) => Ok(moment.checked_add_signed(TimeDelta::seconds(1)).unwrap_or(moment)),
        SaleDate::Day(day) => Ok(midnight(day.checked_add_days(Days::new(1)).unwrap_or(day))),
    }
}

enum SaleDate {
    Moment(DateTime<Utc>),
    Day(NaiveDate),
}

fn midnight(day: NaiveDate) -> DateTime<Utc> {
    day.and_time(chrono::NaiveTime::MIN).and_utc()
}

fn read(text: &str) -> Result<SaleDate, String> {
    if let Ok(moment) = DateTime::parse_from_rfc3339(text) {
        return Ok(SaleDate::Moment(moment.to_utc()));
    }
    if let Ok(moment) = DateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S %z") {
        return Ok(SaleDate::Moment(moment.to_utc()));
    }
    for format in MOMENTS {
        if let Ok(moment) = NaiveDateTime::parse_from_str(text, format) {
            return Ok(SaleDate::Moment(moment.and_utc()));
        }
    }
    NaiveDate::parse_from_str(text, "%Y-%m-%d")
        .map(SaleDate::Day)
        .map_err(|_| format!("{} is no date: write it like 2026-11-27 or 2026-11-27 18:00:00", shown(text)))
}
