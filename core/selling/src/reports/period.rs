//! The days that a report is about. Days are those of UTC, as on invoices.

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, Datelike, Days, Months, NaiveDate, NaiveTime, Utc};

/// Days from one to another, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    from: NaiveDate,
    to: NaiveDate,
}

/// A period that ends before it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the period ends on {to}, before it begins on {from}")]
pub struct PeriodError {
    /// Its first day.
    pub from: NaiveDate,
    /// Its last day.
    pub to: NaiveDate,
}

impl Period {
    /// The days from `from` to `to`, both included.
    pub fn new(from: NaiveDate, to: NaiveDate) -> Result<Self, PeriodError> {
        if to < from { Err(PeriodError { from, to }) } else { Ok(Self { from, to }) }
    }

    /// The days between two, whichever is the first.
    pub fn between(one: NaiveDate, other: NaiveDate) -> Self {
        Self { from: one.min(other), to: one.max(other) }
    }

    /// The first day.
    pub fn from(self) -> NaiveDate {
        self.from
    }

    /// The last day.
    pub fn to(self) -> NaiveDate {
        self.to
    }

    /// When it begins.
    pub(super) fn starts_at(self) -> DateTime<Utc> {
        self.from.and_time(NaiveTime::MIN).and_utc()
    }

    /// When it is over: the first moment that is not in it.
    pub(super) fn ends_at(self) -> DateTime<Utc> {
        let after = self.to.checked_add_days(Days::new(1)).unwrap_or(self.to);
        after.and_time(NaiveTime::MIN).and_utc()
    }
}

/// A quarter of a year, such as `2026Q4`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Quarter {
    year: i32,
    /// From 1 to 4.
    number: u32,
}

/// A text is no quarter.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no quarter, such as 2026Q4")]
pub struct NotAQuarter(String);

impl Quarter {
    /// The quarter of a day.
    pub fn of(day: NaiveDate) -> Self {
        Self { year: day.year(), number: day.month0() / 3 + 1 }
    }

    /// Its days.
    pub fn period(self) -> Period {
        let first = NaiveDate::from_ymd_opt(self.year, self.number * 3 - 2, 1).expect("each quarter has a first day");
        let next = first.checked_add_months(Months::new(3)).expect("years have four digits");
        Period { from: first, to: next.pred_opt().expect("a quarter has days") }
    }
}

impl fmt::Display for Quarter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}Q{}", self.year, self.number)
    }
}

impl FromStr for Quarter {
    type Err = NotAQuarter;

    fn from_str(text: &str) -> Result<Self, NotAQuarter> {
        let wrong = || NotAQuarter(text.to_owned());
        let kept = text.trim().to_ascii_uppercase();
        let (year, number) = kept.split_once('Q').ok_or_else(wrong)?;
        let year = year.trim_end_matches('-');
        if year.len() != 4 || !year.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(wrong());
        }
        let number = number.parse::<u32>().ok().filter(|number| (1..=4).contains(number)).ok_or_else(wrong)?;
        Ok(Self { year: year.parse().map_err(|_| wrong())?, number })
    }
}

impl serde::Serialize for Quarter {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
