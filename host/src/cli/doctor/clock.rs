//! The clock of this machine against everything else that tells the time.

use chrono::{DateTime, TimeDelta, Utc};
use stoa_core::db::{DatabaseFacts, Db, DbError};

use super::finding::Finding;
use super::queries;

const CHECK: &str = "clock";
const FIX: &str = "switch time synchronization on: timedatectl set-ntp true";

/// No shop was opened before this day.
const BEGINNING: &str = "2025-01-01T00:00:00Z";

/// Differences up to this are normal.
const TOLERANCE: TimeDelta = TimeDelta::seconds(5);

/// Whether this machine's time is plausible.
pub(super) fn plausible(now: DateTime<Utc>) -> Finding {
    let beginning = BEGINNING.parse::<DateTime<Utc>>().expect("a time");
    if now < beginning {
        let message = format!("this machine believes that it is {}", now.format("%Y-%m-%d %H:%M UTC"));
        return Finding::failure(CHECK, message, FIX);
    }
    Finding::ok(CHECK, format!("it is {}", now.format("%Y-%m-%d %H:%M UTC")))
}

/// Whether the database server and what was written earlier agree with it.
pub(super) async fn agreement(db: &Db) -> Result<Vec<Finding>, DbError> {
    let mut findings = Vec::new();
    if let DatabaseFacts::Postgres(facts) = db.facts().await? {
        findings.extend(against_server(db.now(), facts.now));
    }
    let newest = db.read(queries::NEWEST_ROW).scalar::<Option<DateTime<Utc>>>().await?;
    findings.extend(newest.and_then(|newest| against_rows(db.now(), newest)));
    Ok(findings)
}

fn against_server(now: DateTime<Utc>, server: DateTime<Utc>) -> Option<Finding> {
    let apart = now - server;
    (apart.abs() > TOLERANCE).then(|| {
        let direction = if apart > TimeDelta::zero() { "ahead of" } else { "behind" };
        let message = format!("this machine is {} s {direction} the database server", apart.num_seconds().abs());
        Finding::warning(CHECK, message, FIX)
    })
}

fn against_rows(now: DateTime<Utc>, newest: DateTime<Utc>) -> Option<Finding> {
    (newest - now > TOLERANCE).then(|| {
        let message =
            format!("the database has rows of {}, which is yet to come", newest.format("%Y-%m-%d %H:%M:%S UTC"));
        Finding::warning(CHECK, message, FIX)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::doctor::finding::State;

    #[test]
    fn a_clock_that_was_never_set_is_a_failure() {
        assert_eq!(plausible(DateTime::UNIX_EPOCH).state, State::Failure);
        assert_eq!(plausible("2026-05-01T00:00:00Z".parse().expect("a time")).state, State::Ok);
    }

    #[test]
    fn only_clocks_that_are_clearly_apart_are_told() {
        let now = "2026-05-01T12:00:00Z".parse::<DateTime<Utc>>().expect("a time");
        let told = |seconds| against_server(now, now + TimeDelta::seconds(seconds)).map(|found| found.message);
        assert_eq!(told(2), None);
        assert_eq!(told(41).as_deref(), Some("this machine is 41 s behind the database server"));
        assert_eq!(told(-41).as_deref(), Some("this machine is 41 s ahead of the database server"));
        assert!(against_rows(now, now - TimeDelta::days(1)).is_none());
        assert!(against_rows(now, now + TimeDelta::days(1)).is_some());
    }
}
