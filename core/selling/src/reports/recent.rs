//! Revenue of the last days, for a page that is looked at all day long: days that are over are added up once.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{Days, NaiveDate, TimeDelta};

use stoa_kernel::db::{Db, DbError};

use super::period::Period;
use super::revenue::{DaySum, RevenueRow, read_days, revenue_rows};
use super::sales::SalesBy;

/// So long after its end a day is over, for documents that another instance dates by its own clock, or whose commit takes long.
const MARGIN: TimeDelta = TimeDelta::hours(1);

/// The revenue of days, of which those that are over are kept.
#[derive(Clone, Default)]
pub struct RecentRevenue(Arc<Mutex<Option<Over>>>);

/// Days that are over, and what was booked on them.
#[derive(Clone)]
struct Over {
    days: Period,
    sums: Arc<[DaySum]>,
}

impl RecentRevenue {
    /// What [`revenue_report`](super::revenue_report) by day says.
    pub async fn report(&self, db: &Db, period: Period, own: &str) -> Result<Vec<RevenueRow>, DbError> {
        let first_open = (db.now() - MARGIN).date_naive().clamp(period.from(), period.to());
        let mut sums = Vec::new();
        if let Some(days) = before(first_open).and_then(|last| Period::new(period.from(), last).ok()) {
            sums.extend_from_slice(&self.of_days_over(db, days).await?);
        }
        sums.extend(read_days(db, Period::between(first_open, period.to())).await?);
        Ok(revenue_rows(period, SalesBy::Day, own, &sums))
    }

    async fn of_days_over(&self, db: &Db, days: Period) -> Result<Arc<[DaySum]>, DbError> {
        if let Some(over) = &*self.kept()
            && over.days == days
        {
            return Ok(Arc::clone(&over.sums));
        }
        let sums = Arc::<[DaySum]>::from(read_days(db, days).await?);
        *self.kept() = Some(Over { days, sums: Arc::clone(&sums) });
        Ok(sums)
    }

    fn kept(&self) -> MutexGuard<'_, Option<Over>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn before(day: NaiveDate) -> Option<NaiveDate> {
    day.checked_sub_days(Days::new(1))
}
