//! The period in which a customer may withdraw (directive 2011/83/EU, article 9; C10.1).

use chrono::{DateTime, Days, NaiveTime, Utc};

/// Days after the one on which the period begins.
const PERIOD: Days = Days::new(14);

/// The last second of the period that begins at this time: the day itself does not count, and the last one counts whole (regulation
/// 1182/71, article 3). Days are those of UTC, since a shop has no time zone; a last day on a weekend or a holiday moves nothing.
pub(crate) fn end_of_period(begins_at: DateTime<Utc>) -> DateTime<Utc> {
    let last_day = begins_at.date_naive() + PERIOD;
    let end = NaiveTime::from_hms_opt(23, 59, 59).expect("it is a time");
    last_day.and_time(end).and_utc()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fourteenth_day_counts_whole_and_the_first_does_not() {
        for (begins_at, ends_at) in [
            ("2026-06-19T00:00:00Z", "2026-07-03T23:59:59Z"),
            ("2026-06-19T23:59:59Z", "2026-07-03T23:59:59Z"),
            ("2026-12-25T12:00:00Z", "2027-01-08T23:59:59Z"),
            ("2028-02-15T08:30:00Z", "2028-02-29T23:59:59Z"),
        ] {
            let time = |text: &str| text.parse::<DateTime<Utc>>().expect("a time");
            assert_eq!(end_of_period(time(begins_at)), time(ends_at), "{begins_at}");
        }
    }
}
