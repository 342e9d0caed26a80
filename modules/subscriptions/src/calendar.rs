//! When periods begin and end: pure arithmetic that never drifts.
//!
//! Every period is counted from one anchor and never from the period before it. So what begins on 31 January goes on with 28
//! February and then with 31 March. Days are those of UTC, and a period begins at the time of day of its anchor.

use chrono::{DateTime, Months, TimeDelta, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A unit of time between two periods.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "SubscriptionInterval")]
pub(crate) enum Interval {
    /// 24 hours.
    Day,
    /// Seven days.
    Week,
    /// The same day of the next month, or its last.
    Month,
    /// The same day of the next year; 29 February is the 28th in most.
    Year,
}

impl Interval {
    /// All of them.
    pub(crate) const ALL: [Self; 4] = [Self::Day, Self::Week, Self::Month, Self::Year];

    /// The word of the database and of the API.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Year => "year",
        }
    }

    /// How many of them ten years have: the longest that a period may last.
    pub(crate) const fn in_ten_years(self) -> i64 {
        match self {
            Self::Day => 3650,
            Self::Week => 520,
            Self::Month => 120,
            Self::Year => 10,
        }
    }
}

impl TryFrom<String> for Interval {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|interval| interval.as_str() == word);
        found.ok_or_else(|| format!("`{word}` is no interval"))
    }
}

/// A period, with its end excluded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Period {
    pub(crate) number: i64,
    pub(crate) starts_at: DateTime<Utc>,
    pub(crate) ends_at: DateTime<Utc>,
}

impl Period {
    /// A moment so long before the end, but never before the middle: a short period is not billed before it has begun.
    pub(crate) fn ahead(&self, days: u32) -> DateTime<Utc> {
        let half = (self.ends_at - self.starts_at) / 2;
        self.ends_at - TimeDelta::days(i64::from(days)).min(half)
    }
}

/// What all periods from one on follow from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Schedule {
    /// When the period of that number begins.
    pub(crate) anchor_at: DateTime<Utc>,
    pub(crate) anchor_period: i64,
    pub(crate) interval: Interval,
    pub(crate) interval_count: i64,
}

impl Schedule {
    /// A period that is not before the anchor; none beyond the calendar.
    pub(crate) fn period(&self, number: i64) -> Option<Period> {
        let after = number.checked_sub(self.anchor_period)?;
        Some(Period { number, starts_at: self.start(after)?, ends_at: self.start(after.checked_add(1)?)? })
    }

    /// When the period begins that is so many after the anchor's.
    fn start(&self, periods: i64) -> Option<DateTime<Utc>> {
        let intervals = periods.checked_mul(self.interval_count).filter(|intervals| *intervals >= 0)?;
        let days = |per_interval: i64| {
            let days = TimeDelta::try_days(intervals.checked_mul(per_interval)?)?;
            self.anchor_at.checked_add_signed(days)
        };
        let months = |per_interval: i64| {
            let months = u32::try_from(intervals.checked_mul(per_interval)?).ok()?;
            // Cuts the day down to the last of the month.
            self.anchor_at.checked_add_months(Months::new(months))
        };
        match self.interval {
            Interval::Day => days(1),
            Interval::Week => days(7),
            Interval::Month => months(1),
            Interval::Year => months(12),
        }
    }
}

#[cfg(test)]
mod tests {
    use chrono::{Datelike, NaiveDate, TimeZone, Timelike};
    use proptest::prelude::*;

    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        let day = text.parse::<NaiveDate>().expect("a day");
        day.and_hms_opt(9, 30, 0).expect("a time").and_utc()
    }

    fn schedule(anchor: &str, interval: Interval, interval_count: i64) -> Schedule {
        Schedule { anchor_at: at(anchor), anchor_period: 1, interval, interval_count }
    }

    fn starts(schedule: Schedule, count: i64) -> Vec<String> {
        let periods = (1..=count).map(|number| schedule.period(number).expect("it is in the calendar"));
        periods.map(|period| period.starts_at.format("%F").to_string()).collect()
    }

    #[test]
    fn the_days_of_periods_are_these() {
        let table: [(&str, Interval, i64, &[&str]); 9] = [
            (
                "2026-01-31",
                Interval::Month,
                1,
                &["2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31", "2026-06-30", "2026-07-31"],
            ),
            ("2028-01-31", Interval::Month, 1, &["2028-01-31", "2028-02-29", "2028-03-31"]),
            ("2026-01-30", Interval::Month, 1, &["2026-01-30", "2026-02-28", "2026-03-30"]),
            ("2026-01-29", Interval::Month, 1, &["2026-01-29", "2026-02-28", "2026-03-29"]),
            ("2026-11-30", Interval::Month, 3, &["2026-11-30", "2027-02-28", "2027-05-30", "2027-08-30"]),
            ("2026-08-31", Interval::Month, 6, &["2026-08-31", "2027-02-28", "2027-08-31", "2028-02-29"]),
            ("2028-02-29", Interval::Year, 1, &["2028-02-29", "2029-02-28", "2030-02-28", "2031-02-28", "2032-02-29"]),
            ("2026-12-25", Interval::Week, 2, &["2026-12-25", "2027-01-08", "2027-01-22"]),
            ("2028-02-28", Interval::Day, 1, &["2028-02-28", "2028-02-29", "2028-03-01"]),
        ];
        for (anchor, interval, count, expected) in table {
            let days = i64::try_from(expected.len()).expect("a short list");
            assert_eq!(starts(schedule(anchor, interval, count), days), expected, "{anchor} {interval:?} {count}");
        }
    }

    #[test]
    fn the_hundredth_period_is_on_the_day_of_the_first() {
        let monthly = schedule("2026-01-31", Interval::Month, 1);
        assert_eq!(monthly.period(97).map(|period| period.starts_at), Some(at("2034-01-31")));
    }

    #[test]
    fn what_comes_before_the_anchor_or_after_the_calendar_is_no_period() {
        let trial = Schedule { anchor_period: 2, ..schedule("2026-01-31", Interval::Year, 10) };
        assert_eq!(trial.period(1), None);
        assert_eq!(trial.period(2).map(|period| period.starts_at), Some(at("2026-01-31")));
        for number in [i64::MIN, i64::MAX, 1 << 40] {
            assert_eq!(trial.period(number), None, "{number}");
        }
    }

    #[test]
    fn a_short_period_is_billed_in_its_second_half() {
        let day = schedule("2026-01-31", Interval::Day, 1).period(1).expect("a period");
        assert_eq!(day.ahead(7), day.starts_at + TimeDelta::hours(12));
        let month = schedule("2026-01-31", Interval::Month, 1).period(1).expect("a period");
        assert_eq!(month.ahead(7), at("2026-02-21"));
        assert_eq!(month.ahead(0), month.ends_at);
    }

    fn any_schedule() -> impl Strategy<Value = Schedule> {
        let interval = prop::sample::select(Interval::ALL.to_vec());
        (0_i64..4_000_000_000, interval, 1_i64..12).prop_map(|(seconds, interval, interval_count)| Schedule {
            anchor_at: Utc.timestamp_opt(seconds, 0).single().expect("a time"),
            anchor_period: 1,
            interval,
            interval_count,
        })
    }

    proptest! {
        #[test]
        fn periods_leave_no_gap_and_do_not_overlap(schedule in any_schedule(), number in 1_i64..500) {
            let (period, next) = (schedule.period(number).unwrap(), schedule.period(number + 1).unwrap());
            prop_assert_eq!(period.ends_at, next.starts_at);
            prop_assert!(period.starts_at < period.ends_at);
            prop_assert!(period.ahead(7) >= period.starts_at && period.ahead(7) <= period.ends_at);
        }

        #[test]
        fn months_keep_their_day_wherever_the_month_has_it(schedule in any_schedule(), number in 1_i64..500) {
            let schedule = Schedule { interval: Interval::Month, ..schedule };
            let (anchor, start) = (schedule.anchor_at, schedule.period(number).unwrap().starts_at);
            let is_last = (start + TimeDelta::days(1)).month() != start.month();
            prop_assert!(start.day() == anchor.day() || (is_last && start.day() < anchor.day()));
            prop_assert_eq!(start.num_seconds_from_midnight(), anchor.num_seconds_from_midnight());
        }

        #[test]
        fn no_number_panics(schedule in any_schedule(), number in any::<i64>(), interval_count in any::<i64>()) {
            let schedule = Schedule { interval_count, ..schedule };
            let _ = schedule.period(number);
        }
    }
}
