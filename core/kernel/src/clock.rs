//! The one place that asks the operating system for the time.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, TimeDelta, Utc};

/// How far apart the clocks of machines may be that share a database.
const SKEW: TimeDelta = TimeDelta::minutes(5);

/// The time behind which no lease and no next attempt can lie that is `longest` away at most. One that does was written while
/// a clock was ahead, and counts as over: else the work behind it would be hidden until that time comes.
pub fn horizon(now: DateTime<Utc>, longest: TimeDelta) -> DateTime<Utc> {
    now + longest + SKEW
}

/// Where the shop gets the time from. Cloning gives the same clock.
#[derive(Debug, Clone)]
pub struct Clock(Source);

#[derive(Debug, Clone)]
enum Source {
    System { shift: TimeDelta },
    Manual(Arc<AtomicI64>),
}

impl Clock {
    /// The system's clock.
    pub fn system() -> Self {
        Self(Source::System { shift: TimeDelta::zero() })
    }

    /// The system's clock, moved so that it now shows `time`; it goes on from there.
    #[expect(clippy::disallowed_methods, reason = "this file is where the time comes from")]
    pub fn system_at(time: DateTime<Utc>) -> Self {
        Self(Source::System { shift: time - Utc::now() })
    }

    /// A clock that stands still until it is moved, for tests.
    pub fn manual(start: DateTime<Utc>) -> Self {
        Self(Source::Manual(Arc::new(AtomicI64::new(start.timestamp_micros()))))
    }

    /// The current time.
    #[expect(clippy::disallowed_methods, reason = "this file is where the time comes from")]
    pub fn now(&self) -> DateTime<Utc> {
        match &self.0 {
            Source::System { shift } => Utc::now() + *shift,
            Source::Manual(micros) => DateTime::from_timestamp_micros(micros.load(Ordering::Relaxed))
                .expect("a manual clock only ever holds valid times"),
        }
    }

    /// The time of a manual clock. Whoever counts on the system's clock may as well ask another machine's.
    pub(crate) fn manual_time(&self) -> Option<DateTime<Utc>> {
        match &self.0 {
            Source::System { .. } => None,
            Source::Manual(_) => Some(self.now()),
        }
    }

    /// Moves a manual clock; the system's clock cannot be moved.
    pub fn advance(&self, by: TimeDelta) {
        if let Source::Manual(micros) = &self.0 {
            micros.fetch_add(by.num_microseconds().unwrap_or(0), Ordering::Relaxed);
        }
    }
}
