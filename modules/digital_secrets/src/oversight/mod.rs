//! Looking after pools: what `stoa verify`, `stoa doctor` and the metrics say of them.

mod examine;
mod invariants;
mod measure;
mod queries;

use chrono::{DateTime, Utc};
use stoa_core::prelude::*;

pub(crate) use self::examine::Examination;
pub(crate) use self::invariants::INVARIANTS;
pub(crate) use self::measure::Gauges;

/// What is left in a pool, and who waits for it.
#[derive(Debug, Clone, sqlx::FromRow)]
pub(crate) struct Stock {
    pub(crate) name: String,
    /// The pool's own limit; none is that of the settings.
    pub(crate) low_water: Option<i64>,
    pub(crate) available: i64,
    pub(crate) reserved: i64,
    /// Units that are paid and have no value yet.
    pub(crate) waiting: i64,
    pub(crate) waiting_since: Option<DateTime<Utc>>,
    /// Whether values were ever added; what is generated does not run out.
    is_filled: bool,
}

impl Stock {
    /// Below how many values the operator is warned.
    pub(crate) fn limit(&self, low_water: u32) -> i64 {
        self.low_water.unwrap_or(i64::from(low_water))
    }

    /// Whether the operator is to be warned.
    pub(crate) fn is_low(&self, low_water: u32) -> bool {
        self.is_filled && self.available < self.limit(low_water)
    }
}

/// All pools, by name.
pub(crate) async fn list_stocks(db: &Db) -> Result<Vec<Stock>, DbError> {
    db.read(queries::LIST_STOCKS).all().await
}
