//! Deleting what nobody needs any longer. Each feature says what that is as a list of [`Expired`].

mod job;

use chrono::{DateTime, Utc};

use crate::config::Config;
use crate::db::Sql;

pub use job::Prune;

/// Rows that are deleted once they are old enough.
#[derive(Clone, Copy)]
pub struct Expired {
    /// What they are, for the log.
    pub what: &'static str,
    /// Deletes those that are no younger than the time `$1`, at most `$2` of them.
    pub delete: Sql,
    /// The time that is bound as `$1`, from the settings and the present.
    pub before: fn(&Config, DateTime<Utc>) -> DateTime<Utc>,
}
